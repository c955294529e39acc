#include "analyse/filter/numbers.h"

#include <algorithm>

namespace deadheat::analyse {

using link::FuncId;
using link::ThreadId;

static constexpr size_t kMaxLevels = 8; // of callers

// A function object that the library calls is the argument of its thread.
static bool isCalledByLibrary(const link::Program &program, FuncId function) {
  auto callers = program.calls.callers[function];
  return !callers.empty() && std::ranges::all_of(callers, [&](link::CallSiteId id) {
    FuncId caller = program.calls.sites[id].caller;
    return caller.valid() && (program.function(caller).flags & model::kLibrary) != 0;
  });
}

bool Numbers::isOwn(ThreadId id, const Flag &flag) const {
  const link::Program &program = world_.environment.program;
  const link::Thread &thread = program.threads.list[id];
  auto parameter = static_cast<uint32_t>(flag.offset);
  if (flag.inside == Flag::kItself)
    return thread.distinct == link::DistinctWhy::Numbered && own_.isOwn(id, flag.function, parameter);
  if (!containsSorted(thread.numbers, flag.inside)) return false;
  bool isFunctionObject = parameter == 0 && !thread.usersStarts.empty() && isCalledByLibrary(program, flag.function);
  return isFunctionObject || own_.isOwn(id, flag.function, parameter);
}

void Numbers::addAt(const Conditions &conditions, ThreadId thread, const Step &step, Found &found) const {
  std::optional<Facts> facts = conditions.knownAt({}, step.function, step.statement);
  if (!facts) return;
  for (const auto &[id, fact] : facts->rows()) {
    const Flag &flag = conditions.flag(id);
    if (flag.function == step.function && flag.seenBy == 0 && fact.equal && isOwn(thread, flag))
      insertSorted(found, {flag.inside, fact.number});
  }
}

Numbers::Found Numbers::foundOn(const Conditions &conditions, const Side &side) const {
  const link::CallGraph &calls = world_.environment.program.calls;
  Found found;
  for (const Step &step : side.steps) addAt(conditions, side.thread, step, found);
  FuncId function = side.steps[0].function;
  for (size_t level = 0; level < kMaxLevels && calls.callers[function].size() == 1; ++level) {
    const link::CallSite &site = calls.sites[calls.callers[function].front()];
    if (!site.caller.valid()) break;
    addAt(conditions, side.thread, {site.caller, site.statement}, found);
    function = site.caller;
  }
  return found;
}

// The same start, or another one in the same loop: the library has two for `emplace_back`, one of which makes room.
bool Numbers::areNumberedTogether(ThreadId a, ThreadId b) const {
  const link::Program &program = world_.environment.program;
  const link::Thread &first = program.threads.list[a];
  const link::Thread &second = program.threads.list[b];
  if (first.distinct != link::DistinctWhy::Numbered && first.numbers.empty()) return false;
  if (a == b) return true;
  auto caller = [&](const link::Thread &thread) { return program.calls.sites[thread.createdAt].caller; };
  return first.entries == second.entries && first.numbers == second.numbers && first.createdAt.valid() &&
         second.createdAt.valid() && caller(first) == caller(second) && !first.usersStarts.empty() &&
         first.usersStarts.size() == second.usersStarts.size();
}

bool Numbers::isSame(const Conditions &conditions, const Side &a, const Side &b) const {
  if (!areNumberedTogether(a.thread, b.thread)) return false;
  Found first = foundOn(conditions, a);
  if (first.empty()) return false;
  Found second = foundOn(conditions, b);
  return std::ranges::any_of(first, [&](const auto &one) { return containsSorted(second, one); });
}

} // namespace deadheat::analyse
