// Writes the numbers of one column (model/columns.h).
#pragma once

#include <type_traits>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LEB128.h"

#include "model/columns.h"

namespace deadheat::model {

class ColumnWriter {
public:
  explicit ColumnWriter(Coding coding) : coding_(coding) {}

  template <typename T> void add(T value) { addNumber(number(value)); }

  flatbuffers::Offset<Bytes> store(flatbuffers::FlatBufferBuilder &builder) const {
    return builder.CreateVector(bytes_.data(), bytes_.size());
  }

private:
  // A string that was never set is the empty one.
  int64_t number(StringId id) const { return id.valid() ? id.value() : 0; }
  template <typename Tag> int64_t number(Id<Tag> id) const {
    if (coding_ == Coding::Optional) return id.valid() ? int64_t(id.value()) + 1 : 0;
    return id.value();
  }
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  int64_t number(T value) const {
    return static_cast<int64_t>(value);
  }

  void addNumber(int64_t value) {
    uint8_t coded[10];
    bool isSigned = coding_ == Coding::Delta || coding_ == Coding::Signed;
    int64_t above = coding_ == Coding::Delta ? previous_ : 0;
    unsigned size =
        isSigned ? llvm::encodeSLEB128(value - above, coded) : llvm::encodeULEB128(static_cast<uint64_t>(value), coded);
    previous_ = value;
    bytes_.append(coded, coded + size);
  }

  Coding coding_;
  int64_t previous_ = 0;
  llvm::SmallVector<uint8_t, 0> bytes_;
};

} // namespace deadheat::model
