#include <algorithm>
#include <limits>

#include "llvm/Support/LEB128.h"

#include "model/columns.h"
#include "model/payload.h"

namespace deadheat::model {
namespace {

// The largest value that a field of the format can hold.
template <typename T> constexpr int64_t kLimit = std::numeric_limits<T>::max();
template <> constexpr int64_t kLimit<AccessKind> = static_cast<int64_t>(AccessKind::Fence);
template <> constexpr int64_t kLimit<Origin> = static_cast<int64_t>(Origin::NoEarlySite);
// The value above is the invalid id, which is not stored.
template <typename Tag> constexpr int64_t kLimit<Id<Tag>> = std::numeric_limits<uint32_t>::max() - 1;

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
    unsigned size = 0;
    const char *error = nullptr;
    int64_t number = coding_ == Coding::Plain ? static_cast<int64_t>(llvm::decodeULEB128(next_, &size, end_, &error))
                                              : llvm::decodeSLEB128(next_, &size, end_, &error);
    if (error) return false;
    if (coding_ == Coding::Delta && __builtin_add_overflow(number, previous_, &number)) return false;
    if (number < 0 || number > kLimit<T>) return false;
    next_ += size;
    previous_ = number;
    value = static_cast<T>(number);
    return true;
  }

private:
  const uint8_t *next_;
  const uint8_t *end_;
  Coding coding_;
  int64_t previous_ = 0;
};

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
  if (!bytes) return false;
  ColumnReader reader(*bytes, column.coding);
  if (reader.count() != rows.size()) return false;
  for (Row &row : rows)
    if (!reader.read(row.*column.field)) return false;
  return reader.done();
}

template <typename Row, typename IdType>
Expected<void> loadTable(const typename Columns<Row>::View *view, IdTable<IdType, Row> &table) {
  const Bytes *first = view ? (view->*std::get<0>(Columns<Row>::kList).read)() : nullptr;
  if (!first) return damaged(Columns<Row>::kName);
  std::vector<Row> rows(ColumnReader(*first, Coding::Plain).count());
  bool good =
      std::apply([&](const auto &...column) { return (fillColumn(rows, *view, column) && ...); }, Columns<Row>::kList);
  if (!good) return damaged(Columns<Row>::kName);
  table = IdTable<IdType, Row>(std::move(rows));
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
  if (loaded) loaded = loadInto(unit.functionSlots, stored.function_slots(), "list of function slots");
  if (loaded) loaded = validate(unit);
  if (!loaded) return std::unexpected(loaded.error());
  return unit;
}

} // namespace deadheat::model
