#include "model/column_reader.h"
#include "model/decode_code.h"
#include "model/payload.h"

namespace deadheat::model {
namespace {

std::unexpected<Error> damaged(const char *part) { return fail(std::string("its ") + part + " is damaged"); }

template <typename T> Expected<std::vector<T>> loadColumn(const Bytes *bytes, Coding coding, const char *part) {
  if (!bytes) return damaged(part);
  ColumnReader reader(*bytes, coding);
  std::vector<T> values(reader.count());
  for (T &value : values)
    if (!reader.read(value)) return damaged(part);
  if (!reader.done()) return damaged(part);
  return values;
}

template <typename Row, typename View, typename ColumnType>
bool fillColumn(std::vector<Row> &rows, const View &view, const ColumnType &column) {
  const Bytes *bytes = (view.*column.read)();
  if (!bytes) return column.later;
  ColumnReader reader(*bytes, column.coding);
  if (reader.count() != rows.size()) return false;
  for (Row &row : rows)
    if (!reader.read(row.*column.field)) return false;
  return reader.done();
}

template <typename View, typename Rows> Expected<void> loadTable(const View *view, Rows &table) {
  using Row = std::remove_cvref_t<decltype(*table.begin())>;
  const Bytes *first = view ? (view->*std::get<0>(Columns<Row>::kList).read)() : nullptr;
  if (!first) return damaged(Columns<Row>::kName);
  std::vector<Row> rows(ColumnReader(*first, Coding::Plain).count());
  bool good =
      std::apply([&](const auto &...column) { return (fillColumn(rows, *view, column) && ...); }, Columns<Row>::kList);
  if (!good) return damaged(Columns<Row>::kName);
  table = Rows(std::move(rows));
  return {};
}

Expected<void> loadStrings(const fb::Unit &stored, StringTable &strings) {
  constexpr const char *kPart = "string table";
  auto lengths = loadColumn<uint32_t>(stored.string_lengths(), Coding::Plain, kPart);
  if (!lengths) return std::unexpected(lengths.error());
  if (!stored.string_text()) return damaged(kPart);
  std::string_view text(reinterpret_cast<const char *>(stored.string_text()->data()), stored.string_text()->size());
  for (uint32_t i = 0; i < lengths->size(); ++i) {
    uint32_t length = (*lengths)[i];
    // A text that was stored twice, or an empty first one that is not, would shift all ids behind it.
    if (length > text.size() || strings.intern(text.substr(0, length)).value() != i) return damaged(kPart);
    text.remove_prefix(length);
  }
  if (!text.empty() || lengths->empty()) return damaged(kPart);
  return {};
}

template <typename T> Expected<void> loadInto(std::vector<T> &target, const Bytes *bytes, const char *part) {
  auto values = loadColumn<T>(bytes, Coding::Delta, part);
  if (!values) return std::unexpected(values.error());
  target = std::move(*values);
  return {};
}

Expected<void> loadCode(const fb::Unit &stored, Unit &unit) {
  Expected<void> loaded = loadTable(stored.blocks(), unit.blocks);
  if (loaded) loaded = loadTable(stored.edges(), unit.edges);
  if (loaded) loaded = loadTable(stored.calls(), unit.calls);
  if (loaded && (!stored.statements() || !loadStatements(*stored.statements(), unit))) return damaged("code");
  return loaded;
}

std::string text(const flatbuffers::String *stored) { return stored ? stored->str() : std::string(); }

} // namespace

Expected<Unit> decodePayload(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (bytes.size() < 8 || !fb::VerifyUnitBuffer(verifier)) return fail("its structure is damaged");
  const fb::Unit &stored = *fb::GetUnit(bytes.data());
  Unit unit;
  unit.source = text(stored.source());
  unit.directory = text(stored.directory());
  unit.producer = text(stored.producer());
  unit.optimisation = stored.optimisation();
  Expected<void> loaded = loadStrings(stored, unit.strings);
  if (loaded) loaded = loadTable(stored.functions(), unit.functions);
  if (loaded) loaded = loadTable(stored.sites(), unit.sites);
  if (loaded) loaded = loadTable(stored.late(), unit.late);
  if (loaded) loaded = loadInto(unit.lateSites, stored.late_sites(), "list of mapped sites");
  if (loaded && stored.inlined_calls()) loaded = loadTable(stored.inlined_calls(), unit.inlinedCalls);
  if (loaded && stored.late_inlined())
    loaded = loadInto(unit.lateInlined, stored.late_inlined(), "list of inlined accesses");
  if (loaded) loaded = loadInto(unit.functionSlots, stored.function_slots(), "list of function slots");
  if (loaded) loaded = loadTable(stored.symbols(), unit.symbols);
  if (loaded) loaded = loadTable(stored.initialisers(), unit.initialisers);
  if (loaded) loaded = loadTable(stored.inheritance(), unit.inheritance);
  if (loaded) loaded = loadCode(stored, unit);
  if (loaded) loaded = validate(unit);
  if (!loaded) return std::unexpected(loaded.error());
  return unit;
}

} // namespace deadheat::model
