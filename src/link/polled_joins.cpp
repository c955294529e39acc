#include "link/polled_joins.h"

#include <algorithm>

#include "link/definitions.h"

namespace deadheat::link {

using model::StatementKind;

namespace {

bool isRead(const model::Statement *made) {
  return made && (made->kind == StatementKind::Load || made->kind == StatementKind::AtomicLoad) && made->site.valid();
}

bool isWrite(StatementKind kind) {
  return kind == StatementKind::Store || kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate;
}

} // namespace

PolledJoins::Member PolledJoins::memberOf(const model::Unit &unit, model::SiteId site) const {
  const model::Site &row = unit.sites[site];
  if (row.field == model::StringId(0)) return {{}, unit.strings[row.path]}; // a variable
  return {unit.strings[row.type], unit.strings[row.field]};
}

std::optional<PolledJoins::Test> PolledJoins::testOf(FuncId function, const model::Statement &branch) const {
  auto predicate = static_cast<model::Predicate>(branch.number);
  const bool isEquality = predicate == model::Predicate::Equal || predicate == model::Predicate::NotEqual;
  if (branch.kind != StatementKind::Branch || !isEquality || !branch.b.isNumber()) return {};
  Definitions definitions(input_.code, function);
  model::Operand value = definitions.strip(branch.a);
  const model::Statement *read = value.isValue() ? definitions.of(value.value()) : nullptr;
  if (!isRead(read)) return {};
  return Test{memberOf(input_.code.unitOf(function), read->site), input_.pointsTo.of(function, read->a), predicate,
              branch.b.index};
}

// Tests of which one edge leads to the join, and the other to the next round or a return without it.
std::vector<PolledJoins::Test> PolledJoins::testsAround(const CallSite &join) const {
  const model::Unit &unit = input_.code.unitOf(join.caller);
  const model::Function &body = input_.code.bodyOf(join.caller);
  const Loops loops = findLoops(input_.code, join.caller);
  const uint32_t at = join.block.value() - body.firstBlock.value();
  const uint32_t loop = loops.innermost[at];
  const uint32_t nextRound = loop == Loops::kNone ? body.blockCount : loops.header(loop);
  const std::vector<bool> leads = leadsTo(input_.code, join.caller, loops, loops.innermost[at], at);
  std::vector<Test> found;
  for (uint32_t b = 0; b < body.blockCount; ++b) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    if (!leads[b] || b == at || block.edgeCount != 2 || block.statementCount == 0) continue;
    auto target = [&](uint32_t e) { return unit.edges[model::EdgeId(block.firstEdge.value() + e)].target; };
    auto doesJoin = [&](uint32_t e) { return leads[target(e)] && target(e) != nextRound; };
    if (doesJoin(0) == doesJoin(1)) continue;
    const uint32_t past = doesJoin(0) ? target(1) : target(0);
    if (!loops.isIn(past, loop)) continue; // the loop ends
    model::StatementId last(block.firstStatement.value() + block.statementCount - 1);
    if (std::optional<Test> test = testOf(join.caller, unit.statements[last])) {
      test->joinsIfHolds = doesJoin(0);
      found.push_back(*test);
    }
  }
  return found;
}

void PolledJoins::gatherStores() {
  if (isGathered_) return;
  isGathered_ = true;
  input_.code.forEachFunction([&](FuncId id) {
    input_.code.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (!isWrite(statement.kind) || !statement.site.valid()) return;
      Stored stored{id, input_.pointsTo.of(id, statement.a), {}};
      if (statement.kind != StatementKind::AtomicUpdate && statement.b.isNumber()) stored.number = statement.b.index;
      stores_[memberOf(input_.code.unitOf(id), statement.site)].push_back(stored);
    });
  });
}

// Not by who starts such threads.
bool PolledJoins::isByThread(FuncId function, const ThreadBits &joined) const {
  auto isOf = [&](ThreadId id) { return joined.test(id.value()); };
  for (uint32_t t : joined) {
    CallSiteId createdAt = threads_.list[ThreadId(t)].createdAt;
    if (createdAt.valid() && input_.calls.sites[createdAt].caller == function) return false;
  }
  return std::ranges::any_of(threads_.executing[function], isOf);
}

bool PolledJoins::saysEnded(const Test &test, const ThreadBits &joined) const {
  auto known = stores_.find(test.member);
  if (known == stores_.end()) return false;
  bool isWritten = false;
  for (const Stored &stored : known->second) {
    if (!isByThread(stored.function, joined) || !input_.pointsTo.mayAlias(stored.place, test.place)) continue;
    isWritten = true;
    const bool isEqual = stored.number == test.number;
    const bool holds = isEqual == (test.predicate == model::Predicate::Equal);
    if (stored.number && holds != test.joinsIfHolds) return false;
  }
  return isWritten;
}

bool PolledJoins::isPolled(CallSiteId join, const ThreadBits &joined) {
  std::vector<Test> tests = testsAround(input_.calls.sites[join]);
  if (tests.empty()) return false;
  gatherStores();
  return std::ranges::any_of(tests, [&](const Test &test) { return saysEnded(test, joined); });
}

} // namespace deadheat::link
