#include "analyse/domain/fields.h"

#include <algorithm>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::analyse {

static bool isRange(model::AccessKind kind) {
  return kind == model::AccessKind::RangeRead || kind == model::AccessKind::RangeWrite;
}

static bool isRead(model::AccessKind kind) {
  return kind == model::AccessKind::Read || kind == model::AccessKind::AtomicRead;
}

// `Queue` of `ns::Queue<int>`: the last name, without what it was instantiated with.
static llvm::StringRef lastName(llvm::StringRef qualified) {
  size_t end = qualified.size();
  size_t begin = 0;
  int depth = 0;
  for (size_t i = qualified.size(); i-- > 0;) {
    if (qualified[i] == '>') ++depth;
    if (qualified[i] == '<' && --depth == 0 && end == qualified.size()) end = i;
    if (qualified[i] == ':' && depth == 0) {
      begin = i + 1;
      break;
    }
  }
  return qualified.slice(begin, std::max(begin, end));
}

// What stands before the last name of a qualified one: `ns::Queue<int>` of `ns::Queue<int>::push<long>`.
static llvm::StringRef holderOf(llvm::StringRef qualified) {
  const size_t length = static_cast<size_t>(lastName(qualified).data() - qualified.data());
  return length < 2 ? llvm::StringRef() : qualified.take_front(length - 2);
}

// Without parameters. The name of a namespace that has none is no parameter.
static size_t lengthOfName(llvm::StringRef function) {
  int depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    if (function.substr(i).starts_with("(anonymous"))
      i = function.find(')', i);
    else if (function[i] == '(' && depth == 0)
      return i;
    depth += function[i] == '<';
    depth -= function[i] == '>';
  }
  return function.size();
}

// `ns::Queue<int>::Queue(unsigned long)`
static bool isConstructorOf(llvm::StringRef function, llvm::StringRef type) {
  llvm::StringRef name = function.substr(0, lengthOfName(function));
  llvm::StringRef own = lastName(type);
  return !own.empty() && lastName(name) == own && lastName(holderOf(name)) == own;
}

bool isMakerOrBreaker(std::string_view function) {
  llvm::StringRef name(function);
  llvm::StringRef whole = name.substr(0, lengthOfName(name));
  llvm::StringRef own = lastName(whole);
  return !own.empty() && (own.starts_with("~") || lastName(holderOf(whole)) == own);
}

uint32_t Fields::add(const model::Unit &unit, const model::Site &site) {
  std::string_view type = unit.strings[site.type];
  std::string_view field = unit.strings[site.field];
  if (isRange(site.kind) || type.empty() || field.empty()) return 0;
  auto place = fields_.try_emplace(std::string(type) + '\0' + std::string(field), rows_.size());
  if (place.second)
    rows_.push_back({.type = types_.try_emplace(type, types_.size() + 1).first->second,
                     .isLibrarys = type.starts_with("std::"),
                     .isBuffer = type.starts_with("std::_Vector_base<") && field.ends_with("_M_start"),
                     .name = place.first->first().substr(type.size() + 1)});
  uint32_t id = place.first->second;
  if (!isRead(site.kind) && !rows_[id].isRewritten)
    rows_[id].isRewritten = !isConstructorOf(unit.strings[unit.functions[site.function].display], type);
  return id;
}

// `this->@16` of a type whose fields are named elsewhere.
uint32_t Fields::addPart(const model::Unit &unit, const model::Site &site) {
  llvm::StringRef type = unit.strings[site.type], path = unit.strings[site.path];
  if (isRange(site.kind) || type.empty() || !unit.strings[site.field].empty() || site.size == 0) return 0;
  auto known = types_.find(type);
  int64_t offset = 0;
  if (known == types_.end() || derived_.contains(type) || path.rsplit('@').second.getAsInteger(10, offset)) return 0;
  auto place = fields_.try_emplace(
      (type + llvm::Twine('\0') + "@" + llvm::Twine(offset) + "+" + llvm::Twine(site.size)).str(), rows_.size());
  if (place.second)
    rows_.push_back({.type = known->second,
                     .isRewritten = true,
                     .isPart = true,
                     .offset = offset,
                     .end = offset + static_cast<int64_t>(site.size)});
  return place.first->second;
}

// Of a copy: a member by its name, or else bytes. Of a type of which no field is ever accessed there is nothing to know.
uint32_t Fields::addSpan(const model::Unit &unit, const model::Site &site) {
  llvm::StringRef type = unit.strings[site.type], path = unit.strings[site.path], field = unit.strings[site.field];
  auto known = types_.find(type);
  if (!isRange(site.kind) || known == types_.end()) return 0;
  Row row{.type = known->second, .isRewritten = true, .isPart = true, .isSpan = true};
  std::string key = "~" + field.str();
  if (field.empty()) {
    row.offset = 0;
    if (path.contains('@') && path.rsplit('@').second.getAsInteger(10, row.offset)) return 0;
    row.end =
        site.size > 1 ? row.offset + static_cast<int64_t>(site.size) : INT64_MAX; // 1: a text, as long as it may be
    key += "@" + std::to_string(row.offset) + "+" + std::to_string(row.end);
  } else if (auto named = fields_.find((type + llvm::Twine('\0') + field).str()); named != fields_.end()) {
    const Row &member = rows_[named->second];
    row.offset = member.offset;
    row.end = member.end;
    row.isMoved = member.isMoved;
  }
  auto place = fields_.try_emplace((type + llvm::Twine('\0') + key).str(), rows_.size());
  row.name = field.empty() ? llvm::StringRef() : place.first->first().substr(type.size() + 2);
  if (place.second) rows_.push_back(row);
  return place.first->second;
}

void Fields::findDerived(const link::Program &program) {
  for (const model::LinkedUnit &linked : program.units)
    for (const model::Inheritance &row : linked.unit.inheritance)
      derived_.try_emplace(linked.unit.strings[row.derived], true);
}

// Where fields lie, by the accesses through a pointer to what holds them, or of a variable that does.
struct Fields::Learner {
  static constexpr uint64_t kMaxNumber = 1 << 16;

  struct Seen {
    uint32_t field;
    int64_t offset;
    int64_t end;
    auto operator<=>(const Seen &) const = default;
  };

  Fields &fields;
  const link::Code code;
  llvm::StringMap<std::vector<Seen>> places; // by the type and the members on the way to it

  void run() {
    code.forEachFunction([&](link::FuncId id) {
      if (!code.function(id).external()) learn(id);
    });
    for (auto &place : places) judge(place.second);
  }

  void learn(link::FuncId function) {
    const model::Unit &unit = code.unitOf(function);
    std::optional<link::Definitions> definitions;
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (!link::isMemory(statement.kind) || !statement.site.valid()) return;
      uint32_t field = fields.named(code.function(function).unit, statement.site);
      const model::Site &site = unit.sites[statement.site];
      llvm::StringRef path = unit.strings[site.path];
      if (field == 0 || site.size == 0) return;
      size_t arrow = path.rfind("->");
      llvm::StringRef members = path.substr(arrow == llvm::StringRef::npos ? 0 : arrow + 2);
      std::optional<uint64_t> element = takeElement(members);
      if (!element || members.find_first_of("[(@*?") != llvm::StringRef::npos) return;
      if (!definitions) definitions.emplace(code, function);
      link::Origin origin = link::originOf(*definitions, statement.a);
      bool isPointer = origin.base.isValue() && arrow != llvm::StringRef::npos;
      origin.offset -= static_cast<int64_t>(*element * site.size); // the array begins there
      if (origin.indexed || origin.offset < 0 || (!isPointer && !origin.base.isSymbol())) return;
      llvm::StringRef own = arrow == llvm::StringRef::npos ? members.split('.').second : members;
      bool isWhole = own == llvm::StringRef(fields.rows_[field].name); // no member of a member
      add(field, isWhole || !members.contains('.') ? llvm::StringRef() : members.rsplit('.').first, origin.offset,
          static_cast<uint32_t>((*element + 1) * site.size));
    });
  }

  // `bytes` of `bytes[3]`, and the 3; 0 where there is no element, none where it has no number.
  static std::optional<uint64_t> takeElement(llvm::StringRef &members) {
    if (!members.ends_with("]")) return 0;
    uint64_t number = 0;
    auto [array, index] = members.drop_back().rsplit('[');
    if (index.getAsInteger(10, number) || number > kMaxNumber) return std::nullopt;
    members = array;
    return number;
  }

  void add(uint32_t field, llvm::StringRef way, int64_t offset, uint32_t size) {
    std::string key = std::to_string(fields.rows_[field].type) + " " + way.str();
    std::vector<Seen> &all = places[key];
    Seen seen{field, offset, offset + static_cast<int64_t>(size)};
    auto place = std::ranges::lower_bound(all, seen);
    if (place == all.end() || *place != seen) all.insert(place, seen);
    if (!way.empty()) return;
    Row &row = fields.rows_[field];
    if (row.offset >= 0 && row.offset != offset) row.isMoved = true;
    row.offset = row.offset < 0 ? offset : std::min(row.offset, offset);
    row.end = std::max(row.end, seen.end);
  }

  // Fields that lie at several places say nothing: by a pointer to a part, or to a class that begins with another one.
  void judge(const std::vector<Seen> &all) {
    std::vector<Seen> order;
    for (const Seen &seen : all)
      if (!fields.rows_[seen.field].isMoved) order.push_back(seen);
    std::ranges::sort(order, {}, &Seen::offset);
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size() && order[j].offset < order[i].end; ++j)
        if (order[j].field != order[i].field) fields.hasOverlaps_[fields.rows_[order[i].field].type] = true;
  }
};

bool Fields::isWithin(uint32_t field, uint32_t span) const {
  const Row &outer = rows_[span];
  return outer.isSpan && contents_.holds(outer.type, outer.name, rows_[field].type);
}

// `out` and `out.i_nal`; also one and the same.
static bool isMemberOf(llvm::StringRef inner, llvm::StringRef outer) {
  return inner.consume_front(outer) && (inner.empty() || inner.starts_with("."));
}

bool Fields::areApart(uint32_t a, uint32_t b) const {
  if (a == 0 || b == 0 || a == b || rows_[a].type != rows_[b].type) return false;
  const Row &first = rows_[a], &second = rows_[b];
  if (!first.name.empty() && !second.name.empty()) {
    if ((first.isSpan || second.isSpan) && (isMemberOf(first.name, second.name) || isMemberOf(second.name, first.name)))
      return false;
    if (!hasOverlaps_[first.type]) return true;
  }
  if (first.offset < 0 || second.offset < 0 || first.isMoved || second.isMoved) return false;
  return first.end <= second.offset || second.end <= first.offset;
}

Fields::Fields(const link::Program &program) : rows_(1, Row{.isRewritten = true}) {
  for (const model::LinkedUnit &linked : program.units) {
    std::vector<uint32_t> &row = bySite_.emplace_back();
    row.reserve(linked.unit.sites.size());
    for (const model::Site &site : linked.unit.sites) row.push_back(add(linked.unit, site));
  }
  hasOverlaps_.assign(types_.size() + 1, false);
  Learner{*this, {program.units, program.symbols}, {}}.run();
  findDerived(program);
  for (uint32_t u = 0; u < program.units.size(); ++u)
    for (uint32_t s = 0; s < bySite_[u].size(); ++s)
      if (bySite_[u][s] == 0) {
        const model::Unit &unit = program.units[u].unit;
        const model::Site &site = unit.sites[model::SiteId(s)];
        bySite_[u][s] = isRange(site.kind) ? addSpan(unit, site) : addPart(unit, site);
      }
  contents_ = Contents(program, types_);
  // A small struct is copied as a number or two: these are no accesses of one field.
  for (Row &row : rows_)
    if (!row.isSpan && contents_.isRecord(row.type, row.name)) row.isSpan = row.isPart = true;
}

} // namespace deadheat::analyse
