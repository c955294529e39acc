#include <type_traits>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LEB128.h"

#include "model/columns.h"
#include "model/payload.h"

namespace deadheat::model {
namespace {

using llvm::SmallVector;

// A string that was never set is the empty one.
int64_t number(StringId id) { return id.valid() ? id.value() : 0; }
template <typename Tag> int64_t number(Id<Tag> id) { return id.value(); }
template <typename T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
int64_t number(T value) {
  return static_cast<int64_t>(value);
}

class ColumnWriter {
public:
  explicit ColumnWriter(Coding coding) : coding_(coding) {}

  void add(int64_t value) {
    uint8_t coded[10];
    unsigned size = coding_ == Coding::Plain ? llvm::encodeULEB128(static_cast<uint64_t>(value), coded)
                                             : llvm::encodeSLEB128(value - previous_, coded);
    previous_ = value;
    bytes_.append(coded, coded + size);
  }

  flatbuffers::Offset<Bytes> store(flatbuffers::FlatBufferBuilder &builder) const {
    return builder.CreateVector(bytes_.data(), bytes_.size());
  }

private:
  Coding coding_;
  int64_t previous_ = 0;
  SmallVector<uint8_t, 0> bytes_;
};

template <typename Rows, typename Project>
flatbuffers::Offset<Bytes> storeColumn(flatbuffers::FlatBufferBuilder &builder, const Rows &rows, Coding coding,
                                       Project project) {
  ColumnWriter writer(coding);
  for (const auto &row : rows) writer.add(number(project(row)));
  return writer.store(builder);
}

template <typename Row, typename IdType>
auto storeTable(flatbuffers::FlatBufferBuilder &builder, const IdTable<IdType, Row> &rows) {
  return std::apply(
      [&](const auto &...column) {
        // FlatBuffers wants all vectors finished before the table that holds them is begun.
        flatbuffers::Offset<Bytes> stored[] = {
            storeColumn(builder, rows, column.coding, [&](const Row &row) { return row.*column.field; })...};
        typename Columns<Row>::Builder table(builder);
        size_t next = 0;
        ((table.*column.write)(stored[next++]), ...);
        return table.Finish();
      },
      Columns<Row>::kList);
}

std::pair<flatbuffers::Offset<Bytes>, flatbuffers::Offset<Bytes>> storeStrings(flatbuffers::FlatBufferBuilder &builder,
                                                                               const StringTable &strings) {
  ColumnWriter lengths(Coding::Plain);
  std::string text;
  for (uint32_t i = 0; i < strings.size(); ++i) {
    std::string_view one = strings[StringId(i)];
    lengths.add(static_cast<int64_t>(one.size()));
    text += one;
  }
  return {lengths.store(builder), builder.CreateVector(reinterpret_cast<const uint8_t *>(text.data()), text.size())};
}

} // namespace

std::string encodePayload(const Unit &unit) {
  flatbuffers::FlatBufferBuilder builder;
  auto same = [](auto value) { return value; };
  auto source = builder.CreateString(unit.source);
  auto directory = builder.CreateString(unit.directory);
  auto producer = builder.CreateString(unit.producer);
  auto [lengths, text] = storeStrings(builder, unit.strings);
  auto functions = storeTable(builder, unit.functions);
  auto sites = storeTable(builder, unit.sites);
  auto late = storeTable(builder, unit.late);
  auto lateSites = storeColumn(builder, unit.lateSites, Coding::Delta, same);
  auto slots = storeColumn(builder, unit.functionSlots, Coding::Delta, same);
  fb::FinishUnitBuffer(builder, fb::CreateUnit(builder, source, directory, producer, unit.optimisation, lengths, text,
                                               functions, sites, late, lateSites, slots));
  return {reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize()};
}

} // namespace deadheat::model
