#include <algorithm>

#include "link/definitions.h"
#include "link/thread_finder.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

// Judges the argument of one start, in the function that has it.
class Judge {
public:
  Judge(const ThreadInput &input, const Entered &row)
      : input_(input), site_(input.calls.sites[row.site]), definitions_(input.code, site_.caller),
        loops_(findLoops(input.code, site_.caller)), unit_(input.code.unitOf(site_.caller)) {}

  // The address of an element chosen by the loop, or a pointer that the loop moves on.
  bool isIndexed(Operand operand) {
    for (int steps = 0; operand.isValue() && steps < kMaxSteps; ++steps) {
      const Statement *made = definitions_.of(operand.value());
      if (!made) return false;
      if (made->kind == StatementKind::Index) return changes(made->b);
      if (made->kind == StatementKind::Phi) return moves(operand.value());
      if (made->kind != StatementKind::Copy && made->kind != StatementKind::Field) return false;
      operand = made->a;
    }
    return false;
  }

  // No pointer, but the number of the round, or one that was computed from it.
  bool isNumber(Operand operand) { return changes(operand); }

  // A block that the same iteration allocated.
  bool isAllocated(const std::vector<ObjectId> &objects) {
    return !objects.empty() && std::ranges::all_of(objects, [&](ObjectId id) {
      const Object &object = input_.pointsTo.objects()[id];
      if (object.kind != ObjectKind::Heap || object.function != site_.caller || !object.call.valid()) return false;
      return loops_.innermost[blockOf(input_.calls.sites[object.call].block)] == here();
    });
  }

private:
  static constexpr int kMaxSteps = 16;

  uint32_t blockOf(model::BlockId block) const {
    return block.value() - input_.code.bodyOf(site_.caller).firstBlock.value();
  }
  uint32_t here() const { return loops_.innermost[blockOf(site_.block)]; }

  uint32_t loopOf(model::ValueId value) const {
    model::StatementId statement = definitions_.statementOf(value);
    const model::Function &body = input_.code.bodyOf(site_.caller);
    uint32_t block = 0;
    while (block + 1 < body.blockCount &&
           unit_.blocks[model::BlockId(body.firstBlock.value() + block + 1)].firstStatement <= statement)
      ++block;
    return loops_.innermost[block];
  }

  // Computed from a value that each iteration of this loop has another of.
  bool changes(Operand operand) {
    for (int steps = 0; operand.isValue() && steps < kMaxSteps; ++steps) {
      const Statement *made = definitions_.of(operand.value());
      if (!made) return false;
      if (made->kind == StatementKind::Phi) return loopOf(operand.value()) == here() && here() != Loops::kNone;
      if (made->kind != StatementKind::Copy && made->kind != StatementKind::Compute) return false;
      operand = made->a.isValue() ? made->a : made->b;
    }
    return false;
  }

  bool moves(model::ValueId phi) {
    if (loopOf(phi) != here() || here() == Loops::kNone) return false;
    bool found = false;
    definitions_.forEachSource(phi, [&](Operand source) {
      const Statement *made = source.isValue() ? definitions_.of(source.value()) : nullptr;
      if (made && (made->kind == StatementKind::Field || made->kind == StatementKind::Index))
        found |= made->a == Operand::value(phi) && (made->number != 0);
    });
    return found;
  }

  const ThreadInput &input_;
  const CallSite &site_;
  Definitions definitions_;
  Loops loops_;
  const model::Unit &unit_;
};

DistinctWhy judge(const ThreadInput &input, const Entered &row, const Thread &thread, const Often &often) {
  if (!thread.many) return DistinctWhy::OneInstance;
  if (row.row->has(knowledge::kMany)) return DistinctWhy::Not;
  const CallSite &site = input.calls.sites[row.site];
  const model::Unit &unit = input.code.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  if (row.row->entryIs == knowledge::Entry::Virtual) return DistinctWhy::Allocated; // the library's own, one each
  int index = row.row->entryIs == knowledge::Entry::Member ? row.row->entry : row.row->argument;
  if (index < 0 || static_cast<uint32_t>(index) >= call.argumentCount) return DistinctWhy::Not;
  Operand argument = unit.arguments[model::ArgumentId(call.firstArgument.value() + index)].value;
  Places places = input.pointsTo.places(row.argument);
  std::vector<ObjectId> objects;
  if (places.complete)
    for (const Place &place : places.list) objects.push_back(place.object);
  Judge judge(input, row);
  if (judge.isAllocated(objects)) return DistinctWhy::Allocated;
  bool onlyLoop = often.function[site.caller.value()] == 1;
  if (!onlyLoop) return DistinctWhy::Not;
  if (judge.isIndexed(argument)) return DistinctWhy::Indexed;
  return objects.empty() && judge.isNumber(argument) ? DistinctWhy::Numbered : DistinctWhy::Not;
}

} // namespace

void judgeArguments(const ThreadInput &input, FoundThreads &found) {
  for (size_t i = 0; i < input.entered.size(); ++i)
    for (ThreadId id : found.startedAt[i]) {
      Thread &thread = found.threads.list[id];
      if (thread.createdAt == input.entered[i].site)
        thread.distinct = judge(input, input.entered[i], thread, found.often);
      else
        thread.distinct = DistinctWhy::Not; // armed at several places
    }
}

} // namespace deadheat::link
