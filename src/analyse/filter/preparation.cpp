#include "analyse/filter/preparation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::analyse {

namespace {

constexpr int kMaxLevels = 6;   // of callers
constexpr size_t kMaxWidth = 4; // targets of a call that counts
constexpr int kMaxLooks = 200;  // at functions, for one access

class Look {
public:
  Look(const World &world, link::ThreadId creator, link::ThreadId started)
      : program_(world.environment.program), creator_(creator), started_(started) {}

  bool at(link::FuncId function, model::StatementId statement, int levels) {
    if (++looks_ > kMaxLooks) return false;
    const link::LiveThreads &likely = program_.threads.likely;
    auto rows = likely.changes[function];
    auto after = std::ranges::upper_bound(rows, statement, {}, &link::LiveThreads::Change::statement);
    auto hasStarted = [&](const link::LiveThreads::Change &row) {
      return std::ranges::binary_search(likely.sets[row.started], started_);
    };
    if (after != rows.begin() && hasStarted(*std::prev(after))) return false;
    if (std::any_of(after, rows.end(), hasStarted)) return true;
    return levels > 0 && comesFromPreparation(function, levels);
  }

private:
  bool comesFromPreparation(link::FuncId function, int levels) {
    bool found = false;
    for (link::CallSiteId id : program_.calls.callers[function]) {
      const link::CallSite &site = program_.calls.sites[id];
      if (!site.caller.valid() || program_.calls.callees[id].size() > kMaxWidth) continue;
      if (!std::ranges::binary_search(program_.threads.executing[site.caller], creator_)) continue;
      if (!at(site.caller, site.statement, levels - 1)) return false;
      found = true;
    }
    return found;
  }

  const link::Program &program_;
  link::ThreadId creator_;
  link::ThreadId started_;
  int looks_ = 0;
};

} // namespace

namespace {

using model::Operand;

// The element of an array or container that the address lies in.
link::Element elementAt(const link::Code &code, link::FuncId function, const link::Definitions &definitions,
                        Operand address) {
  for (int steps = 0; steps < kMaxLooks; ++steps) {
    address = definitions.strip(address);
    const model::Statement *made = address.isValue() ? definitions.of(address.value()) : nullptr;
    if (!made) break;
    link::Element element = link::elementOf(code, code.function(function).unit, *made);
    if (element.index.isValue()) return {definitions.strip(element.array), definitions.strip(element.index)};
    if (made->kind != model::StatementKind::Field) break;
    address = made->a;
  }
  return {};
}

// Of a call: what its arguments are; of an access: what it is to.
std::vector<Operand> addressesOf(const model::Unit &unit, const model::Statement &statement) {
  if (statement.kind != model::StatementKind::Call) return {statement.a};
  std::vector<Operand> found;
  const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
  for (uint32_t i = 0; i < call.argumentCount; ++i)
    found.push_back(unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
  return found;
}

} // namespace

// What the call is given, in its arguments or in what they hold.
static std::vector<Operand> givenBy(const link::Code &code, const link::CallSite &start,
                                    const link::Definitions &definitions) {
  constexpr size_t kMaxGiven = 32;
  const model::Unit &unit = code.unitOf(start.caller);
  std::vector<Operand> given = addressesOf(unit, unit.statements[start.statement]);
  for (size_t next = 0; next < given.size() && next < kMaxGiven; ++next) {
    Operand holder = definitions.strip(given[next]);
    if (!holder.isValue()) continue;
    code.forEachStatement(start.caller, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind == model::StatementKind::Store && link::originOf(definitions, statement.a).base == holder)
        given.push_back(statement.b);
    });
  }
  return given;
}

static bool isBefore(const link::Program &program, const link::CallSite &start, const Leaf &leaf) {
  auto step = std::ranges::find(leaf.steps, start.caller, &Step::function);
  if (step == leaf.steps.end() || step->statement >= start.statement) return false;
  link::Code code{program.units, program.symbols};
  link::Definitions definitions(code, start.caller);
  const model::Unit &unit = program.unitOf(start.caller);
  std::vector<Operand> given = givenBy(code, start, definitions);
  auto elementIn = [&](Operand address) { return elementAt(code, start.caller, definitions, address); };
  return std::ranges::any_of(addressesOf(unit, unit.statements[step->statement]), [&](Operand address) {
    link::Element element = elementIn(address);
    return element.index.isValue() &&
           std::ranges::any_of(given, [&](Operand argument) { return elementIn(argument) == element; });
  });
}

bool isOwnArgument(const World &world, const Leaf &leaf, const WorldAccess &other) {
  const link::Program &program = world.environment.program;
  const Node &root = world.names.nodes[world.names.nodes.root(other.lvalue.node)];
  if (root.kind != NodeKind::Formal || root.owner == 0) return false;
  const link::Thread &thread = program.threads.list[link::ThreadId(root.owner - 1)];
  if (thread.ownPointers)
    return std::ranges::any_of(
        thread.usersStarts, [&](link::CallSiteId site) { return isBefore(program, program.calls.sites[site], leaf); });
  return thread.withinCall == link::DistinctWhy::Indexed && thread.createdAt.valid() &&
         isBefore(program, program.calls.sites[thread.createdAt], leaf);
}

bool isPreparation(const World &world, link::ThreadId creator, link::FuncId function, model::StatementId statement,
                   link::ThreadId started) {
  const link::Threads &threads = world.environment.program.threads;
  if (threads.likely.sets.empty() || !threads.startedBy(started, creator)) return false;
  return Look(world, creator, started).at(function, statement, kMaxLevels);
}

} // namespace deadheat::analyse
