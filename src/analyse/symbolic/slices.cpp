#include "analyse/symbolic/slices.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementId;
using model::StatementKind;

static constexpr int kMaxSteps = 6;      // back, for an index
static constexpr int kMaxDepthBack = 64; // for where a number comes from

const link::Definitions &Slices::definitions() {
  if (!definitions_) definitions_.emplace(code_, function_);
  return *definitions_;
}

const Statement *Slices::made(const Operand &operand) {
  return operand.isValue() ? definitions().of(operand.value()) : nullptr;
}

std::optional<Slices::Source> Slices::sourceOf(const Operand &operand) { return sourceFrom(operand, kMaxDepthBack); }

Slices::Found Slices::sourceFrom(const Operand &operand, int depth) {
  if (!operand.isValue() || depth == 0) return std::nullopt;
  if (operand.value().value() < body_.parameterCount) return Source{operand.value().value(), 0};
  const Statement *statement = made(operand);
  if (!statement) return std::nullopt;
  auto [known, isNew] = sources_.try_emplace(operand.value().value()); // nothing, as long as it is looked for
  if (!isNew) return known->second;
  Found found;
  auto look = [&](const Operand &source) {
    if (!found) found = sourceFrom(source, depth - 1);
  };
  switch (statement->kind) {
  case StatementKind::Field:
  case StatementKind::Load: look(statement->a); break;
  case StatementKind::Compute:
    look(statement->a);
    look(statement->b);
    break;
  default: definitions().forEachSource(operand.value(), look); break;
  }
  if (found && statement->kind == StatementKind::Load) ++found->loads;
  return sources_[operand.value().value()] = found;
}

// The loop goes on while the number, or the next one, is below or above something that was given.
bool Slices::isBounded(const Operand &phi, const Operand &next) {
  bool found = false;
  code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &statement) {
    if (found || (statement.kind != StatementKind::Branch && statement.kind != StatementKind::Compare)) return;
    Operand a = definitions().strip(statement.a), b = definitions().strip(statement.b);
    found = ((a == phi || a == next) && sourceOf(b)) || ((b == phi || b == next) && sourceOf(a));
  });
  return found;
}

static bool isOne(const Operand &operand) { return operand.isNumber() && (operand.index == 1 || operand.index == -1); }

Slices::Found Slices::sliceOf(model::ValueId phi) {
  auto [known, isNew] = known_.try_emplace(phi.value());
  if (!isNew) return known->second;
  Operand self = Operand::value(phi), next;
  Found start;
  bool isOneStep = false;
  definitions().forEachSource(phi, [&](const Operand &source) {
    Operand from = definitions().strip(source);
    const Statement *statement = made(from);
    bool isNext = statement && statement->kind == StatementKind::Compute &&
                  (definitions().strip(statement->a) == self || definitions().strip(statement->b) == self);
    if (isNext) {
      next = from;
      isOneStep = isOne(statement->a) || isOne(statement->b);
    } else if (!start)
      start = sourceOf(from);
  });
  if (!start || !next.isValue() || (isOneStep && !isBounded(self, next))) return std::nullopt;
  return known_[phi.value()] = start;
}

// Of a number that a loop counts from 0 to below another by one: that one.
std::optional<int64_t> Slices::countOf(Operand index) {
  index = index.isValue() ? definitions().strip(index) : index;
  const Statement *statement = made(index);
  if (!statement || statement->kind != StatementKind::Phi) return std::nullopt;
  Operand next;
  bool isFromZero = true;
  definitions().forEachSource(index.value(), [&](const Operand &source) {
    const Operand from = definitions().strip(source);
    const Statement *step = made(from);
    if (step && step->kind == StatementKind::Compute && definitions().strip(step->a) == index && isOne(step->b))
      next = from;
    else
      isFromZero &= from == Operand::number(0);
  });
  std::optional<int64_t> count;
  if (!isFromZero || !next.isValue()) return count;
  code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &each) {
    if ((each.kind != StatementKind::Branch && each.kind != StatementKind::Compare) || !each.b.isNumber()) return;
    const Operand compared = definitions().strip(each.a);
    if (!count && (compared == index || compared == next)) count = each.b.index;
  });
  return count;
}

// `id * 16 + i`, or `(id << 4) + i`, which a model tells in the same way, where `i` stays below 16.
Slices::Found Slices::blockOf(const Operand &part, const Operand &index) {
  const Statement *scaled = part.isValue() ? made(definitions().strip(part)) : nullptr;
  if (!scaled || scaled->kind != StatementKind::Compute || !scaled->b.isNumber()) return std::nullopt;
  const int64_t size = scaled->b.index;
  const std::optional<int64_t> count = countOf(index);
  const bool isShift = size > 0 && size < 32 && count == int64_t(1) << size;
  if (!count || size < 2 || (*count > size && !isShift)) return std::nullopt;
  Found source = sourceOf(scaled->a);
  if (source) source->isBlock = true;
  return source;
}

std::optional<Slices::Source> Slices::ofWalk(const Statement &index) {
  const Statement *first = index.a.isValue() ? made(definitions().strip(index.a)) : nullptr;
  return first && first->kind == StatementKind::Index ? blockOf(first->b, index.b) : std::nullopt;
}

Slices::Found Slices::indexFrom(const Operand &operand, int depth) {
  const Statement *statement = depth == 0 ? nullptr : made(operand);
  if (!statement) return std::nullopt;
  if (statement->kind == StatementKind::Phi) return sliceOf(operand.value());
  if (statement->kind != StatementKind::Copy && statement->kind != StatementKind::Compute) return std::nullopt;
  if (statement->kind == StatementKind::Compute)
    for (auto [part, index] : {std::pair(statement->a, statement->b), std::pair(statement->b, statement->a)})
      if (Found block = blockOf(part, index)) return block;
  Found found = indexFrom(statement->a, depth - 1);
  return found || statement->kind == StatementKind::Copy ? found : indexFrom(statement->b, depth - 1);
}

std::optional<Slices::Chain> Slices::chainOf(const Operand &index, int depth) {
  Operand operand = index.isValue() ? definitions().strip(index) : index;
  const Statement *statement = depth == 0 ? nullptr : made(operand);
  if (!statement) return std::nullopt;
  if (statement->kind == StatementKind::Phi && sliceOf(operand.value())) return Chain{.phi = operand, .first = {}};
  if (statement->kind != StatementKind::Compute) return std::nullopt;
  for (bool isLeft : {true, false}) {
    std::optional<Chain> chain = chainOf(isLeft ? statement->a : statement->b, depth - 1);
    if (!chain) continue;
    const Operand other = definitions().strip(isLeft ? statement->b : statement->a);
    if (chain->first == Operand()) chain->first = other;
    chain->byNumbers &= other.isNumber();
    return chain;
  }
  return std::nullopt;
}

// The loop goes from what was given to what was given, and no number beside its own is compared.
bool Slices::isExact(const Operand &phi) {
  auto [known, isNew] = exact_.try_emplace(phi.value().value());
  return isNew ? exact_[phi.value().value()] = areExactBounds(phi) : known->second;
}

bool Slices::areExactBounds(const Operand &phi) {
  auto isComputed = [&](const Operand &operand) {
    const Statement *statement = made(definitions().strip(operand));
    return statement && statement->kind == StatementKind::Compute;
  };
  bool isExact = true, hasBound = false;
  definitions().forEachSource(phi.value(), [&](const Operand &source) {
    const Statement *statement = made(definitions().strip(source));
    bool isNext = statement && statement->kind == StatementKind::Compute &&
                  (definitions().strip(statement->a) == phi || definitions().strip(statement->b) == phi);
    bool isOneBeside = statement && statement->kind == StatementKind::Compute && !isNext &&
                       (isOne(statement->a) || isOne(statement->b));
    isExact &= !isOneBeside;
  });
  code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &statement) {
    if (statement.kind != StatementKind::Branch && statement.kind != StatementKind::Compare) return;
    for (auto [number, bound] : {std::pair(statement.a, statement.b), std::pair(statement.b, statement.a)}) {
      std::optional<Chain> chain = sourceOf(bound) ? chainOf(number, 2) : std::nullopt;
      if (!chain || chain->phi != phi) continue;
      hasBound = true;
      isExact &= chain->first == Operand() && !isComputed(bound);
    }
  });
  return isExact && hasBound;
}

// Computed in the same way, or read from the same place.
bool Slices::isSame(Operand a, Operand b, int depth) {
  if (a.isValue()) a = definitions().strip(a);
  if (b.isValue()) b = definitions().strip(b);
  if (a == b) return true;
  const Statement *first = made(a), *second = made(b);
  if (!first || !second || depth == 0 || first->kind != second->kind || first->number != second->number) return false;
  if (first->kind != StatementKind::Load && first->kind != StatementKind::Field) return false;
  return isSame(first->a, second->a, depth - 1);
}

// What is indexed by the number of the loop, or by what is computed from it.
const std::vector<Slices::Indexed> &Slices::indexed(const Operand &phi) {
  if (indexed_) return (*indexed_)[phi.value().value()];
  llvm::DenseSet<uint32_t> written;
  code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &statement) {
    if (statement.kind != StatementKind::Store && statement.kind != StatementKind::Transfer) return;
    Operand address = definitions().strip(statement.a);
    for (const Statement *step = made(address); step && step->kind == StatementKind::Field; step = made(address))
      address = definitions().strip(step->a);
    if (address.isValue()) written.insert(address.value().value());
  });
  indexed_.emplace();
  code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &statement) {
    if (statement.kind != StatementKind::Index || !statement.result.valid()) return;
    if (std::optional<Chain> chain = chainOf(statement.b, kMaxSteps))
      (*indexed_)[chain->phi.value().value()].push_back(
          {&statement, *chain, written.contains(statement.result.value())});
  });
  return (*indexed_)[phi.value().value()];
}

// Another index of the same array, by the same number of the loop, is computed otherwise, and elements are written by one of the two.
bool Slices::leavesPart(const Operand &index) {
  const std::optional<Chain> chain = chainOf(index, kMaxSteps);
  if (!chain || chain->first == Operand() || !isExact(chain->phi)) return false;
  const std::vector<Indexed> &rows = indexed(chain->phi);
  auto isOther = [&](const Indexed &row) {
    return row.chain.first != chain->first &&
           (isOne(chain->first) || (chain->byNumbers && row.chain.first == Operand()));
  };
  auto areOne = [&](const Indexed &a, const Indexed &b) {
    return (a.isWritten || b.isWritten) && a.statement->number == b.statement->number &&
           isSame(a.statement->a, b.statement->a, kMaxSteps);
  };
  return std::ranges::any_of(rows, [&](const Indexed &mine) {
    return definitions().strip(mine.statement->b) == definitions().strip(index) &&
           std::ranges::any_of(rows, [&](const Indexed &other) { return isOther(other) && areOne(mine, other); });
  });
}

std::optional<Slices::Source> Slices::of(const Operand &index) {
  Found found = indexFrom(index, kMaxSteps);
  if (!found) return found;
  auto [known, isNew] = leaving_.try_emplace(index.value().value());
  if (isNew) known->second = leavesPart(index);
  return known->second ? std::nullopt : found;
}

void Slices::deepest(const Operand &operand, int depth, int &found, std::optional<uint32_t> &parameter) {
  Operand number = operand.isValue() ? definitions().strip(operand) : operand;
  if (!number.isValue() || depth == kMaxSteps) return;
  if (number.value().value() < body_.parameterCount) {
    if (depth > found) parameter = number.value().value();
    found = std::max(found, depth);
    return;
  }
  const Statement *statement = made(number);
  if (!statement || statement->kind != StatementKind::Compute) return;
  deepest(statement->a, depth + 1, found, parameter);
  deepest(statement->b, depth + 1, found, parameter);
}

bool Slices::isInRow(const Operand &index) {
  auto computed = [&](const Operand &operand) -> const Statement * {
    const Statement *statement = made(operand.isValue() ? definitions().strip(operand) : operand);
    return statement && statement->kind == StatementKind::Compute ? statement : nullptr;
  };
  const Statement *sum = computed(index);
  return sum && sum->a.isValue() && sum->b.isValue() && (computed(sum->a) || computed(sum->b));
}

std::optional<uint32_t> Slices::computedFrom(const Operand &index) {
  std::optional<uint32_t> parameter;
  int found = 0; // so that a parameter itself is none
  deepest(index, 0, found, parameter);
  return parameter;
}

} // namespace deadheat::analyse
