#include "analyse/flag/reader.h"

#include <utility>

namespace deadheat::analyse {

using model::Operand;
using model::Predicate;
using model::Statement;
using model::StatementId;
using model::StatementKind;

FlagReader::FlagReader(const link::Program &program, link::FuncId function)
    : program_(program), function_(function), unitId_(program.function(function).unit), unit_(program.unit(unitId_)),
      body_(program.bodyOf(function)), definitions_(body_.valueCount) {
  for (uint32_t block = 0; block < body_.blockCount; ++block)
    forEach(block, [&](StatementId id) {
      if (at(id).result.valid()) definitions_[at(id).result.value()] = id;
    });
}

const Statement *FlagReader::definition(const Operand &operand) const {
  if (!operand.isValue()) return nullptr;
  StatementId id = definitions_[operand.value().value()];
  return id.valid() ? &at(id) : nullptr;
}

std::optional<Flag> FlagReader::place(const Operand &address) const {
  if (address.isSymbol()) {
    link::Target target = program_.symbols.target(unitId_, address.symbol());
    return target.variable.valid() ? std::optional(Flag{.variable = target.variable}) : std::nullopt;
  }
  const Statement *made = definition(address);
  if (!made || made->kind != StatementKind::Field) return std::nullopt;
  std::optional<Flag> inner = place(made->a);
  if (inner) inner->offset += made->number;
  return inner;
}

std::optional<Flag> FlagReader::insideParameter(const Operand &address) const {
  if (address.isValue() && address.value().value() < body_.parameterCount)
    return Flag{.function = function_, .offset = address.value().value(), .inside = 0};
  const Statement *made = definition(address);
  if (!made || (made->kind != StatementKind::Field && made->kind != StatementKind::Copy)) return std::nullopt;
  std::optional<Flag> inner = insideParameter(made->a);
  if (inner && made->kind == StatementKind::Field) inner->inside += made->number;
  return inner && inner->inside >= 0 ? inner : std::nullopt;
}

std::optional<FlagReader::Seen> FlagReader::flag(const Operand &value) const {
  if (value.isValue() && value.value().value() < body_.parameterCount)
    return Seen{{.function = function_, .offset = value.value().value()}};
  const Statement *made = definition(value);
  if (!made) return std::nullopt;
  if (made->kind == StatementKind::Copy) return flag(made->a);
  if (made->kind == StatementKind::Load || made->kind == StatementKind::AtomicLoad) {
    std::optional<Flag> found = place(made->a);
    if (!found) found = insideParameter(made->a);
    bool isTold = made->kind == StatementKind::AtomicLoad || made->number != 0;
    return found ? std::optional(Seen{*found, isTold}) : std::nullopt;
  }
  if (made->kind != StatementKind::Compute || !made->b.isNumber() || made->b.index == 0) return std::nullopt;
  std::optional<Seen> inner = flag(made->a);
  if (!inner || inner->flag.seenBy != 0) return std::nullopt;
  inner->flag.seenBy = made->b.index;
  return inner;
}

std::optional<int64_t> FlagReader::maskStored(const Statement &store) const {
  std::optional<Flag> into = place(store.a);
  std::optional<Seen> from = flag(store.b);
  if (!into || !from || from->flag.seenBy == 0) return std::nullopt;
  int64_t mask = std::exchange(from->flag.seenBy, 0);
  return from->flag == *into ? std::optional(mask) : std::nullopt;
}

bool FlagReader::makesAlike(const Flag &kept, const Statement &store) const {
  if (store.kind != StatementKind::Store && store.kind != StatementKind::AtomicStore) return false;
  std::optional<Flag> into = place(store.a);
  if (!into || into->variable != kept.variable || into->offset != kept.offset) return false;
  std::optional<Seen> from = flag(store.b);
  return from && from->flag == Flag{.variable = kept.like, .offset = kept.likeOffset};
}

bool FlagReader::remembers(const Flag &kept, const Flag &wanted) const {
  const Flag pair = {
      .variable = kept.variable, .offset = kept.offset, .like = wanted.variable, .likeOffset = wanted.offset};
  for (uint32_t number = 0; number < blockCount(); ++number)
    for (uint32_t i = 0; i < block(number).statementCount; ++i)
      if (makesAlike(pair, at(StatementId(block(number).firstStatement.value() + i)))) return true;
  return false;
}

// Of two variables, one of which the function makes like the other one.
std::optional<FlagReader::Test> FlagReader::testOfTwo(Predicate predicate, const Operand &a, const Operand &b) const {
  if (predicate != Predicate::Equal && predicate != Predicate::NotEqual) return std::nullopt;
  std::optional<Seen> first = flag(a), second = flag(b);
  auto isVariable = [](const std::optional<Seen> &seen) {
    return seen && seen->flag.variable.valid() && seen->flag.seenBy == 0;
  };
  if (!isVariable(first) || !isVariable(second) || first->flag == second->flag) return std::nullopt;
  if (!remembers(first->flag, second->flag)) std::swap(first, second);
  if (!remembers(first->flag, second->flag)) return std::nullopt;
  first->flag.like = second->flag.variable;
  first->flag.likeOffset = second->flag.offset;
  return Test{*first, {predicate == Predicate::NotEqual, 0}};
}

// What (a predicate b) tells.
std::optional<FlagReader::Test> FlagReader::test(Predicate predicate, const Operand &a, const Operand &b) const {
  if (b.isValue()) return testOfTwo(predicate, a, b);
  std::optional<Fact> fact = b.isNumber() ? factFrom(predicate, b.index) : std::nullopt;
  if (!fact) return std::nullopt;
  if (std::optional<Seen> seen = flag(a)) return Test{*seen, *fact};
  const Statement *made = definition(a);
  if (!made || made->kind != StatementKind::Compare || fact->number != 0) return std::nullopt;
  auto inner = static_cast<Predicate>(made->number);
  return test(fact->equal ? opposite(inner) : inner, made->a, made->b);
}

std::optional<FlagReader::Test> FlagReader::testAt(uint32_t number, uint32_t edgeNumber) const {
  const model::Block &row = block(number);
  if (row.statementCount == 0) return std::nullopt;
  const Statement &last = at(StatementId(row.firstStatement.value() + row.statementCount - 1));
  const model::Edge &edge = this->edge(number, edgeNumber);
  if (last.kind == StatementKind::Branch) {
    auto predicate = static_cast<Predicate>(last.number);
    return test(edgeNumber == 0 ? predicate : opposite(predicate), last.a, last.b);
  }
  if (last.kind != StatementKind::Switch || edge.kind != model::EdgeKind::Case) return std::nullopt;
  return test(Predicate::Equal, last.a, Operand::number(edge.value));
}

} // namespace deadheat::analyse
