#include "analyse/symbolic/predicates.h"

#include <algorithm>
#include <vector>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementId;
using model::StatementKind;

namespace {

constexpr int kMaxSteps = 8;
constexpr uint32_t kNone = UINT32_MAX;

// A way on which the function returns what is asked for.
struct End {
  Operand value;  // what the result is made of
  uint32_t block; // where that is decided
  uint32_t next;  // the block after it
};

class Ways {
public:
  Ways(const link::Program &program, link::FuncId function)
      : code_{program.units, program.symbols}, function_(function), unit_(code_.unitOf(function)),
        body_(code_.bodyOf(function)), definitions_(code_, function), waysIn_(body_.blockCount) {
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      forEachNext(block, [&](uint32_t next) { waysIn_[next].insert(block); });
  }

  std::optional<Looks> of(bool isZero) {
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      if (const Statement *last = lastOf(block); last && last->kind == StatementKind::Return)
        addEnds({last->a, block, kNone}, isZero, kMaxSteps);
    std::optional<Looks> all;
    for (const End &end : ends_) {
      const Looks looks = lookedAt(end);
      if (!all) all = looks;
      std::erase_if(*all, [&](StatementId each) { return !looks.contains(each); });
    }
    return all;
  }

private:
  const model::Block &at(uint32_t block) const {
    return unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
  }

  const Statement *lastOf(uint32_t block) const {
    const model::Block &row = at(block);
    return row.statementCount == 0
               ? nullptr
               : &unit_.statements[StatementId(row.firstStatement.value() + row.statementCount - 1)];
  }

  const Statement *madeBy(Operand value) const { return value.isValue() ? definitions_.of(value.value()) : nullptr; }

  template <typename Visit> void forEachNext(uint32_t block, Visit visit) const {
    for (uint32_t e = 0; e < at(block).edgeCount; ++e)
      visit(unit_.edges[model::EdgeId(at(block).firstEdge.value() + e)].target);
  }

  void addEnds(const End &end, bool isZero, int steps) {
    if (end.value.isNumber() && (end.value.index == 0) != isZero) return;
    const Statement *made = madeBy(end.value);
    if (made && steps != 0) {
      if (made->kind == StatementKind::Phi) return addRows(end.value.value(), isZero, steps - 1);
      if (made->kind == StatementKind::Copy) return addEnds({made->a, end.block, end.next}, isZero, steps - 1);
      if (const std::optional<bool> isNot = isNegation(*made))
        return addEnds({made->a, end.block, end.next}, isZero != *isNot, steps - 1);
      if (made->kind == StatementKind::Choose) {
        addEnds({made->a, end.block, end.next}, isZero, steps - 1);
        return addEnds({made->b, end.block, end.next}, isZero, steps - 1);
      }
    }
    ends_.push_back(end);
  }

  // One for each way into the block.
  void addRows(model::ValueId value, bool isZero, int steps) {
    const StatementId first = definitions_.statementOf(value);
    const uint32_t next = code_.blockOf(function_, first);
    for (uint32_t row = first.value(); unit_.statements.contains(StatementId(row)); ++row) {
      const Statement &each = unit_.statements[StatementId(row)];
      if (each.kind != StatementKind::Phi || each.result != value) return;
      addEnds({each.a, static_cast<uint32_t>(each.number), next}, isZero, steps);
    }
  }

  // `a == 0`, or `a != 0`.
  static std::optional<bool> isNegation(const Statement &made) {
    if (made.kind != StatementKind::Compare || !made.b.isNumber() || made.b.index != 0) return std::nullopt;
    const auto predicate = static_cast<model::Predicate>(made.number);
    if (predicate != model::Predicate::Equal && predicate != model::Predicate::NotEqual) return std::nullopt;
    return predicate == model::Predicate::Equal;
  }

  // What the value is made of, and what was tested on the only way there.
  Looks lookedAt(const End &end) const {
    Looks looks;
    collect(end.value, kMaxSteps, looks);
    uint32_t block = end.block, next = end.next;
    for (uint32_t count = 0; count < body_.blockCount; ++count) {
      if (const Statement *last = lastOf(block); last && last->kind == StatementKind::Branch && decides(block, next)) {
        collect(last->a, kMaxSteps, looks);
        collect(last->b, kMaxSteps, looks);
      }
      if (waysIn_[block].size() != 1) break;
      next = block;
      block = *waysIn_[block].begin();
    }
    return looks;
  }

  // Whoever had gone another way would not have come to one of the ends.
  bool decides(uint32_t block, uint32_t next) const {
    bool isOnly = true;
    forEachNext(block, [&](uint32_t other) {
      if (other == next) return;
      const std::vector<bool> after = link::reachableFrom(code_, function_, other);
      isOnly &= std::ranges::none_of(ends_, [&](const End &end) {
        return end.block == block ? end.next == other : other == end.block || after[end.block];
      });
    });
    return isOnly;
  }

  void collect(Operand value, int steps, Looks &looks) const {
    const Statement *made = madeBy(value);
    if (!made || steps == 0) return;
    using enum StatementKind;
    if (made->kind == Load || made->kind == Call) looks.insert(definitions_.statementOf(value.value()));
    if (made->kind != Copy && made->kind != Compare && made->kind != Compute) return;
    collect(made->a, steps - 1, looks);
    collect(made->b, steps - 1, looks);
  }

  link::Code code_;
  link::FuncId function_;
  const model::Unit &unit_;
  const model::Function &body_;
  link::Definitions definitions_;
  std::vector<std::set<uint32_t>> waysIn_; // [block]
  std::vector<End> ends_;
};

} // namespace

std::optional<Looks> lookedAt(const link::Program &program, link::FuncId function, bool isZero) {
  return Ways(program, function).of(isZero);
}

} // namespace deadheat::analyse
