#include "analyse/filter/done.h"

#include <algorithm>
#include <optional>

#include "analyse/filter/comes_to.h"

namespace deadheat::analyse {

using link::FuncId;
using model::StatementId;

static constexpr size_t kMaxWidth = 4;   // targets of a call that counts
static constexpr size_t kMaxWalk = 5000; // functions that may lead to who sets a flag; of more nothing is said

namespace {

// The functions from which a thread is started, by calls that are not wide.
class Starts {
public:
  Starts(const link::Program &program, const link::Thread &thread) : program_(program), site_(thread.createdAt) {
    std::vector<FuncId> open{program.calls.sites[site_].caller};
    while (!open.empty()) {
      FuncId function = open.back();
      open.pop_back();
      if (!leading_.insert(function).second) continue;
      for (link::CallSiteId id : program.calls.callers[function]) {
        const link::CallSite &call = program.calls.sites[id];
        if (!call.caller.valid() || program.calls.callees[id].size() > kMaxWidth) continue;
        calls_[call.caller][call.statement].push_back(function);
        open.push_back(call.caller);
      }
    }
  }

  bool isOnWay(FuncId function) const { return leading_.contains(function); }

  // The functions by which it may be started before any of the statements that set the flag.
  std::set<FuncId> before(const std::map<FuncId, std::set<StatementId>> &setting) const {
    std::set<FuncId> found;
    std::vector<FuncId> open{program_.calls.sites[site_].caller};
    while (!open.empty()) {
      FuncId function = open.back();
      open.pop_back();
      if (found.contains(function) || !comesToStart(function, setting, found)) continue;
      found.insert(function);
      for (link::CallSiteId id : program_.calls.callers[function])
        if (FuncId caller = program_.calls.sites[id].caller; caller.valid() && leading_.contains(caller))
          open.push_back(caller);
    }
    return found;
  }

private:
  bool comesToStart(FuncId function, const std::map<FuncId, std::set<StatementId>> &setting,
                    const std::set<FuncId> &found) const {
    auto sets = setting.find(function);
    return comesTo(program_, function, [&](uint32_t, StatementId statement) {
      if (leads(function, statement, found)) return Coming::Found;
      return sets != setting.end() && sets->second.contains(statement) ? Coming::Stop : Coming::On;
    });
  }

  bool leads(FuncId function, StatementId statement, const std::set<FuncId> &found) const {
    const link::CallSite &site = program_.calls.sites[site_];
    if (site.caller == function && site.statement == statement) return true;
    auto calls = calls_.find(function);
    if (calls == calls_.end()) return false;
    auto callees = calls->second.find(statement);
    return callees != calls->second.end() &&
           std::ranges::any_of(callees->second, [&](FuncId callee) { return found.contains(callee); });
  }

  const link::Program &program_;
  link::CallSiteId site_;
  std::set<FuncId> leading_;
  std::map<FuncId, std::map<StatementId, std::vector<FuncId>>> calls_; // that lead there
};

} // namespace

// Not where a parameter decides whether it is done.
bool Done::setsWhereUnset(FlagId flag, FuncId function, StatementId statement) const {
  std::optional<Facts> facts = conditions_.knownAt({}, function, statement);
  const Fact *before = facts ? facts->find(flag) : nullptr;
  return before && *before == kUnset &&
         std::ranges::none_of(facts->rows(), [&](const auto &row) { return conditions_.isParameter(row.first); });
}

bool Done::asksAlways(FlagId flag, FuncId function) const {
  FlagReader reader(program_, function);
  return !comesTo(program_, function, [&](uint32_t block, StatementId statement) {
    const model::Block &row = reader.block(block);
    if (statement.value() + 1 != row.firstStatement.value() + row.statementCount) return Coming::On;
    if (reader.at(statement).kind == model::StatementKind::Return) return Coming::Found;
    for (uint32_t edge = 0; edge < row.edgeCount; ++edge)
      if (auto test = reader.testAt(block, edge); test && test->seen.flag == conditions_.flag(flag))
        return Coming::Stop;
    return Coming::On;
  });
}

// Who sets the other flag has set this one before.
bool Done::isImpliedBy(const Flag &other, const Setting &setting) const {
  std::optional<FlagId> id = conditions_.find(other);
  if (!id || !conditions_.isOnce(*id)) return false;
  return std::ranges::all_of(conditions_.writers(*id), [&](const auto &row) {
    const auto &[function, write] = row;
    if (write.isPart || write.isReset()) return true;
    auto sets = setting.statements.find(function);
    return sets != setting.statements.end() && !comesTo(program_, function, [&](uint32_t, StatementId statement) {
             if (sets->second.contains(statement)) return Coming::Stop;
             return statement == write.statement ? Coming::Found : Coming::On;
           });
  });
}

// Nobody makes it otherwise when there are threads.
bool Done::staysSo(FlagId mode, const Fact &fact) const {
  const link::Threads &threads = program_.threads;
  return std::ranges::all_of(conditions_.writers(mode), [&](const auto &row) {
    const auto &[function, write] = row;
    if (write.fact && !write.isPart && !contradict(*write.fact, fact)) return true;
    auto is = [&](link::ThreadKind kind) {
      return [&threads, kind](link::ThreadId thread) { return threads.list[thread].kind == kind; };
    };
    return std::ranges::all_of(threads.executing[function], is(link::ThreadKind::Main)) &&
           std::ranges::all_of(threads.liveAt(function, write.statement), is(link::ThreadKind::Signal));
  });
}

// A way on which the flag is not asked for, as a variable has another value than where it is.
bool Done::isOtherMode(const FlagReader::Test &test, FuncId function, const Setting &setting) const {
  std::optional<FlagId> mode = conditions_.find(test.seen.flag);
  if (!mode || test.seen.isTold || conditions_.isParameter(*mode) || conditions_.isThreadLocal(*mode)) return false;
  auto excludes = [&](StatementId statement) {
    std::optional<Facts> facts = conditions_.knownAt({}, function, statement);
    const Fact *known = facts ? facts->find(*mode) : nullptr;
    return known && contradict(*known, test.fact);
  };
  return std::ranges::any_of(setting.statements.at(function), excludes) && staysSo(*mode, test.fact);
}

bool Done::returnsWithout(FuncId function, const Setting &setting, bool inModes) const {
  FlagReader reader(program_, function);
  const Statements &without = setting.statements.at(function);
  auto step = [&](uint32_t, StatementId statement) {
    if (without.contains(statement)) return Coming::Stop;
    return reader.at(statement).kind == model::StatementKind::Return ? Coming::Found : Coming::On;
  };
  return comesTo(program_, function, step, [&](uint32_t block, uint32_t edge) {
    std::optional<FlagReader::Test> test = reader.testAt(block, edge);
    if (!test) return true;
    if (contradict(test->fact, kUnset) && isImpliedBy(test->seen.flag, setting)) return false;
    return !inModes || !isOtherMode(*test, function, setting);
  });
}

void Done::addWriters(FlagId flag, Setting &setting) const {
  auto add = [&](FuncId function, StatementId statement) {
    if (setsWhereUnset(flag, function, statement) && asksAlways(flag, function)) setting.setters.insert(function);
  };
  for (const auto &[function, write] : conditions_.writers(flag)) {
    if (write.isPart || write.isReset()) continue;
    setting.statements[function].insert(write.statement);
    add(function, write.statement);
    for (link::CallSiteId id : program_.calls.callers[function]) { // `if (!ready) prepare();`
      const link::CallSite &site = program_.calls.sites[id];
      if (site.caller.valid() && program_.calls.callees[id].size() == 1) add(site.caller, site.statement);
    }
  }
}

// Who calls a setter on all ways is one.
void Done::addCallers(Setting &setting, bool inModes) const {
  std::vector<FuncId> open(setting.setters.begin(), setting.setters.end());
  auto isSetter = [&](FuncId caller) {
    if (!returnsWithout(caller, setting, false)) return true;
    const bool isModal = inModes && !returnsWithout(caller, setting, true);
    if (isModal) setting.modal.insert(caller);
    return isModal;
  };
  while (!open.empty()) {
    FuncId setter = open.back();
    open.pop_back();
    for (link::CallSiteId id : program_.calls.callers[setter]) {
      const link::CallSite &site = program_.calls.sites[id];
      if (!site.caller.valid() || program_.calls.callees[id].size() != 1) continue;
      setting.statements[site.caller].insert(site.statement);
      if (!setting.setters.contains(site.caller) && isSetter(site.caller)) {
        setting.setters.insert(site.caller);
        open.push_back(site.caller);
      }
    }
  }
}

const Done::Setting &Done::settingOf(FlagId flag, bool inModes) {
  auto [place, isNew] = settings_.try_emplace({flag, inModes});
  if (isNew) {
    addWriters(flag, place->second);
    addCallers(place->second, inModes);
  }
  return place->second;
}

// Only who has found a flag unset gets there: this one, which it then sets or leaves, or another one that is set by then.
bool Done::isOver(FlagId flag, link::ThreadId thread, FuncId function, StatementId statement) {
  return std::ranges::any_of(conditions_.spansAt(function, statement), [&](const Span &span) {
    return !span.isBusy && (span.flag == flag ? !span.isPast : isBefore(thread, span.flag));
  });
}

// While the thread may live.
bool Done::isReset(FlagId flag, link::ThreadId thread) {
  const link::Threads &threads = program_.threads;
  return std::ranges::any_of(conditions_.writers(flag), [&](const auto &row) {
    const auto &[function, write] = row;
    bool isSet = write.fact && !write.isReset();
    if (isSet || threads.executing[function].empty() || isOver(flag, thread, function, write.statement)) return false;
    bool isByOthers = std::ranges::any_of(threads.executing[function],
                                          [&](link::ThreadId other) { return !threads.startedBy(thread, other); });
    std::vector<link::ThreadId> live = threads.liveAt(function, write.statement);
    return isByOthers || std::ranges::binary_search(live, thread);
  });
}

bool Done::isSetAtStart(link::ThreadId thread, FlagId flag, const Setting &setting) {
  const link::Thread &row = program_.threads.list[thread];
  if (row.kind != link::ThreadKind::Spawned || !row.createdAt.valid() || row.creators.empty()) return false;
  if (!program_.calls.sites[row.createdAt].caller.valid()) return false;
  if (setting.setters.empty() && setting.statements.empty()) return false;
  const Starts starts(program_, row);
  const std::set<FuncId> before = starts.before(setting.statements);
  return std::ranges::all_of(row.creators, [&](link::ThreadId creator) {
    if (creator != thread && isBefore(creator, flag)) return true;
    const std::vector<FuncId> &entries = program_.threads.list[creator].entries;
    return std::ranges::any_of(entries, [&](FuncId entry) { return starts.isOnWay(entry); }) &&
           std::ranges::none_of(entries, [&](FuncId entry) { return before.contains(entry); });
  });
}

// It gets to who sets the flag only by functions that ask for the mode, or by wide calls.
bool Done::comesOnlyInModes(link::ThreadId thread, FlagId flag, const Setting &setting) const {
  std::vector<FuncId> open;
  std::set<FuncId> seen = setting.modal;
  auto add = [&](FuncId function) {
    if (seen.insert(function).second) open.push_back(function);
  };
  for (const auto &[function, write] : conditions_.writers(flag)) add(function);
  while (!open.empty() && seen.size() < kMaxWalk) {
    FuncId function = open.back();
    open.pop_back();
    if (std::ranges::find(program_.threads.list[thread].entries, function) !=
        program_.threads.list[thread].entries.end())
      return false;
    for (link::CallSiteId id : program_.calls.callers[function])
      if (FuncId caller = program_.calls.sites[id].caller;
          caller.valid() && program_.calls.callees[id].size() <= kMaxWidth)
        add(caller);
  }
  return open.empty();
}

bool Done::isSetInModes(link::ThreadId thread, FlagId flag) {
  const Setting &setting = settingOf(flag, true);
  return !setting.modal.empty() && isSetAtStart(thread, flag, setting) && comesOnlyInModes(thread, flag, setting);
}

bool Done::isBefore(link::ThreadId thread, FlagId flag) {
  auto [known, isNew] = known_.try_emplace({thread, flag}, false); // of threads that start each other
  if (isNew)
    known->second =
        (isSetAtStart(thread, flag, settingOf(flag, false)) || isSetInModes(thread, flag)) && !isReset(flag, thread);
  return known->second;
}

} // namespace deadheat::analyse
