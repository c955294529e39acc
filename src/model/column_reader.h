// Reads the numbers of one column (model/columns.h) and refuses what its field cannot hold.
#pragma once

#include <algorithm>
#include <limits>

#include "llvm/Support/LEB128.h"

#include "model/columns.h"

namespace deadheat::model {

// The largest value that a field of the format can hold.
template <typename T> constexpr int64_t kLimit = std::numeric_limits<T>::max();
template <> inline constexpr int64_t kLimit<uint64_t> = std::numeric_limits<int64_t>::max();
template <> inline constexpr int64_t kLimit<AccessKind> = static_cast<int64_t>(AccessKind::Fence);
template <> inline constexpr int64_t kLimit<Origin> = static_cast<int64_t>(Origin::NoEarlySite);
template <> inline constexpr int64_t kLimit<SymbolKind> = static_cast<int64_t>(SymbolKind::Variable);
template <> inline constexpr int64_t kLimit<Linkage> = static_cast<int64_t>(Linkage::Internal);
template <> inline constexpr int64_t kLimit<EdgeKind> = static_cast<int64_t>(EdgeKind::Unwind);
template <> inline constexpr int64_t kLimit<StatementKind> = static_cast<int64_t>(StatementKind::Stop);
// The value above is the invalid id, which only an Optional column has.
template <typename Tag> constexpr int64_t kLimit<Id<Tag>> = std::numeric_limits<uint32_t>::max() - 1;

template <typename T> constexpr int64_t kLeast = 0;
template <> inline constexpr int64_t kLeast<int64_t> = std::numeric_limits<int64_t>::min();

class ColumnReader {
public:
  ColumnReader(const Bytes &bytes, Coding coding)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()), coding_(coding) {}

  // Every number ends with the one byte of it that has no high bit.
  size_t count() const {
    return std::count_if(next_, end_, [](uint8_t byte) { return byte < 0x80; });
  }
  bool done() const { return next_ == end_; }

  template <typename T> bool read(T &value) {
    int64_t number = 0;
    if (!readNumber(number)) return false;
    if (coding_ == Coding::Optional && number-- == 0) {
      value = T();
      return true;
    }
    if (number < kLeast<T> || number > kLimit<T>) return false;
    value = static_cast<T>(number);
    return true;
  }

private:
  bool readNumber(int64_t &number) {
    unsigned size = 0;
    const char *error = nullptr;
    bool isSigned = coding_ == Coding::Delta || coding_ == Coding::Signed;
    number = isSigned ? llvm::decodeSLEB128(next_, &size, end_, &error)
                      : static_cast<int64_t>(llvm::decodeULEB128(next_, &size, end_, &error));
    if (error || (!isSigned && number < 0)) return false;
    if (coding_ == Coding::Delta && __builtin_add_overflow(number, previous_, &number)) return false;
    next_ += size;
    previous_ = number;
    return true;
  }

  const uint8_t *next_;
  const uint8_t *end_;
  Coding coding_;
  int64_t previous_ = 0;
};

} // namespace deadheat::model
