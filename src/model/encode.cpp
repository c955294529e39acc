#include "model/column_writer.h"
#include "model/encode_code.h"
#include "model/payload.h"

namespace deadheat::model {
namespace {

template <typename Rows, typename Project>
flatbuffers::Offset<Bytes> storeColumn(flatbuffers::FlatBufferBuilder &builder, const Rows &rows, Coding coding,
                                       Project project) {
  ColumnWriter writer(coding);
  for (const auto &row : rows) writer.add(project(row));
  return writer.store(builder);
}

template <typename Rows> auto storeTable(flatbuffers::FlatBufferBuilder &builder, const Rows &rows) {
  using Row = std::remove_cvref_t<decltype(*rows.begin())>;
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
  auto symbols = storeTable(builder, unit.symbols);
  auto initialisers = storeTable(builder, unit.initialisers);
  auto inheritance = storeTable(builder, unit.inheritance);
  auto blocks = storeTable(builder, unit.blocks);
  auto edges = storeTable(builder, unit.edges);
  auto calls = storeTable(builder, unit.calls);
  auto statements = storeStatements(builder, unit);
  auto inlined = storeTable(builder, unit.inlinedCalls);
  auto lateInlined = storeColumn(builder, unit.lateInlined, Coding::Delta, same);
  fb::FinishUnitBuffer(builder, fb::CreateUnit(builder, source, directory, producer, unit.optimisation, lengths, text,
                                               functions, sites, late, lateSites, slots, symbols, initialisers,
                                               inheritance, blocks, edges, calls, statements, inlined, lateInlined));
  return {reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize()};
}

} // namespace deadheat::model
