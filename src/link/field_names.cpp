#include "link/field_names.h"

#include <algorithm>

namespace deadheat::link {

namespace {

using model::StatementKind;

// `d->type->hash`: `hash` of what `d->type` points to. `d->ops.read`: nested. Others have no pointer.
FieldNames::Path readPath(std::string_view path) {
  size_t arrow = path.rfind("->");
  if (arrow == std::string_view::npos || path.find_first_of("[({@", arrow) != std::string_view::npos) return {};
  return {path.substr(0, arrow), path.find('.', arrow) != std::string_view::npos};
}

} // namespace

bool isMemory(StatementKind kind) {
  return kind == StatementKind::Load || kind == StatementKind::Store || kind == StatementKind::AtomicLoad ||
         kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate;
}

Origin originOf(const Definitions &definitions, model::Operand address) {
  Origin origin;
  for (;;) {
    address = definitions.strip(address);
    const model::Statement *made = address.isValue() ? definitions.of(address.value()) : nullptr;
    if (!made || (made->kind != StatementKind::Field && made->kind != StatementKind::Index)) break;
    origin.indexed |= made->kind == StatementKind::Index;
    if (made->kind == StatementKind::Field) origin.offset += made->number;
    address = made->a;
  }
  origin.base = address;
  return origin;
}

FieldNames::FieldNames(const Code &code, const ArrayTypes &arrays) : arrays_(arrays) {
  nameSites(code);
  code.forEachFunction([&](FuncId id) { findWholes(code, id); });
  code.forEachFunction([&](FuncId id) {
    if (!code.function(id).external()) learn(code, id);
  });
  settle();
}

void FieldNames::nameSites(const Code &code) {
  ofSite_.resize(code.units.size());
  for (size_t u = 0; u < code.units.size(); ++u) {
    const model::Unit &unit = code.units[u].unit;
    llvm::DenseMap<std::pair<uint32_t, uint32_t>, FieldId> here; // most sites of a unit name the same few members
    for (const model::Site &site : unit.sites) {
      std::string_view field = unit.strings[site.field], type = unit.strings[site.type];
      bool named = !field.empty() && !type.empty() && field.find_first_of("{@?") == std::string_view::npos;
      FieldId &id = here[{site.type.value(), site.field.value()}];
      if (named && !id.valid()) {
        uint32_t number = typeNumbers_.try_emplace(type, static_cast<uint32_t>(typeNumbers_.size())).first->second;
        auto [at, fresh] = numbers_.try_emplace({number, std::string(field)}, FieldId(uint32_t(types_.size())));
        if (fresh) types_.push_back(number);
        id = at->second;
      }
      ofSite_[u].push_back(named ? id : FieldId());
    }
  }
}

// The variable that an address lies in, by constant bytes; invalid: none.
static GlobalId variableAt(const Code &code, FuncId function, const Origin &origin) {
  if (origin.indexed || origin.offset < 0 || !origin.base.isSymbol()) return {};
  return code.symbols.target(code.function(function).unit, origin.base.symbol()).variable;
}

void FieldNames::findWholes(const Code &code, FuncId function) {
  std::optional<Definitions> definitions;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != StatementKind::Transfer && statement.kind != StatementKind::Fill) return;
    if (!definitions) definitions.emplace(code, function);
    const model::Unit &unit = code.unitOf(function);
    for (auto [site, address] : {std::pair(statement.site, statement.a), std::pair(statement.other, statement.b)}) {
      if (!site.valid() || unit.strings[unit.sites[site].field].empty()) continue;
      Origin origin = originOf(*definitions, address);
      if (GlobalId variable = variableAt(code, function, origin); variable.valid())
        wholes_.try_emplace({variable, std::string(unit.strings[unit.sites[site].path])}, origin.offset);
    }
  });
}

// `config.size`, and `config.methods.close` where it is known at which byte `config.methods` begins.
void FieldNames::learnOfVariable(const Code &code, FuncId function, const Definitions &definitions,
                                 const model::Statement &statement, FieldId field) {
  const model::Unit &unit = code.unitOf(function);
  const model::Site &site = unit.sites[statement.site];
  llvm::StringRef path = unit.strings[site.path], name = unit.strings[site.field];
  Origin origin = originOf(definitions, statement.a);
  GlobalId variable = variableAt(code, function, origin);
  if (!variable.valid() || path.find_first_of("[({@*>") != llvm::StringRef::npos) return;
  if (path.split('.').second == name) return ++votes_[{field, origin.offset}], void();
  if (!path.consume_back(name) || !path.consume_back(".")) return;
  auto whole = wholes_.find({variable, path.str()});
  if (whole != wholes_.end() && whole->second <= origin.offset) ++votes_[{field, origin.offset - whole->second}];
}

void FieldNames::learn(const Code &code, FuncId function) {
  const model::Unit &unit = code.unitOf(function);
  UnitId where = code.function(function).unit;
  std::optional<Definitions> definitions;
  std::vector<Use> uses;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (!isMemory(statement.kind) || !statement.site.valid()) return;
    FieldId field = at(where, statement.site);
    Path path = readPath(unit.strings[unit.sites[statement.site].path]);
    if (!field.valid()) return;
    if (!definitions) definitions.emplace(code, function);
    if (path.pointer.empty()) return learnOfVariable(code, function, *definitions, statement, field);
    Origin origin = originOf(*definitions, statement.a);
    if (!origin.indexed && origin.base.isValue() && origin.offset >= 0)
      uses.push_back({origin.base.value(), origin.offset, field, path});
  });
  vote(uses);
}

// Members of the pointee tell its type; by that, members of its members have a place in it too.
void FieldNames::vote(const std::vector<Use> &uses) {
  std::map<std::pair<model::ValueId, std::string_view>, uint32_t> pointees;
  for (const Use &use : uses) {
    if (use.path.nested) continue;
    uint32_t type = types_[use.field.value()];
    ++votes_[{use.field, use.offset}];
    pointees.try_emplace({use.base, use.path.pointer}, type);
  }
  for (const Use &use : uses)
    if (auto type = pointees.find({use.base, use.path.pointer}); use.path.nested && type != pointees.end())
      ++nestedVotes_[{{type->second, use.offset}, use.field}];
}

// A pointer to a list's link stands for its record too, at other bytes: those are few beside the pointers to the record.
void FieldNames::settle() {
  struct Best {
    int64_t offset = 0;
    uint32_t votes = 0;
  };
  std::vector<Best> best(types_.size());
  for (auto [vote, count] : votes_)
    if (count > best[vote.first.value()].votes) best[vote.first.value()] = {vote.second, count};
  auto settleAt = [&](std::pair<uint32_t, int64_t> place, FieldId field) {
    std::vector<FieldId> &here = byOffset_[place];
    if (std::ranges::find(here, field) == here.end()) here.push_back(field);
  };
  for (uint32_t i = 0; i < best.size(); ++i)
    if (best[i].votes != 0) settleAt({types_[i], best[i].offset}, FieldId(i));
  for (auto [vote, count] : nestedVotes_) settleAt(vote.first, vote.second);
  wholes_.clear();
  votes_.clear();
  nestedVotes_.clear();
}

FieldId FieldNames::named(std::string_view words) const {
  size_t dot = words.rfind('.');
  auto type = typeNumbers_.find(words.substr(0, dot));
  if (dot == std::string_view::npos || type == typeNumbers_.end()) return {};
  auto found = numbers_.find({type->second, std::string(words.substr(dot + 1))});
  return found == numbers_.end() ? FieldId() : found->second;
}

std::span<const FieldId> FieldNames::at(const Variable &variable, uint64_t offset) const {
  ArrayTypes::Element element = arrays_.elementOf(variable);
  if (element.size != 0) offset %= element.size;
  auto number = typeNumbers_.find(element.type);
  if (number == typeNumbers_.end()) return {};
  auto found = byOffset_.find({number->second, static_cast<int64_t>(offset)});
  return found == byOffset_.end() ? std::span<const FieldId>() : found->second;
}

} // namespace deadheat::link
