// What was initialised before a thread was started: flags that say that something was done, and that are set by then.
//
// `if (inited) return; ...; inited = 1;` is executed by the first who comes. If whoever starts a thread has called that function on all
// ways before, nobody comes first any more while the thread lives, and what is done until the flag is set does not happen beside it.
//
// Assumes a function that asks for the flag on all its ways, and sets it where it has found it unset, leaves it set: what
//         goes wrong in between is left aside, unless a parameter decides. Calls of more than a few targets do not lead to
//         where threads are started, unless nothing else does: then nothing is said. A likelihood.
//         A mode that says whether it is asked for at all (`if (to_file) log_open();`) is the same for all who ask for the mode, unless
//         somebody changes it when there are threads.
// Cost    per flag that is asked for, the functions that call who sets it; per thread, those on the way to its start, and, where
//         modes decide, at most kMaxWalk of those that call who sets it.
// Misses  flags that are reached through pointers; flags that anybody resets while the thread may live.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analyse/flag/conditions.h"
#include "analyse/flag/reader.h"
#include "link/program.h"

namespace deadheat::analyse {

class Done {
public:
  Done(const link::Program &program, const Conditions &conditions) : program_(program), conditions_(conditions) {}

  // The flag is set, likely, whenever the thread lives.
  bool isBefore(link::ThreadId thread, FlagId flag);

private:
  using Statements = std::set<model::StatementId>;
  // Who sets one flag.
  struct Setting {
    std::set<link::FuncId> setters;                // it is set when they return
    std::map<link::FuncId, Statements> statements; // after which it is set: stores, and calls of setters
    std::set<link::FuncId> modal;                  // setters only in a mode that stays what it is
  };

  const Setting &settingOf(FlagId flag, bool inModes);
  void addWriters(FlagId flag, Setting &setting) const;
  void addCallers(Setting &setting, bool inModes) const;
  bool setsWhereUnset(FlagId flag, link::FuncId function, model::StatementId statement) const;
  bool asksAlways(FlagId flag, link::FuncId function) const;
  bool returnsWithout(link::FuncId function, const Setting &setting, bool inModes) const;
  bool isOtherMode(const FlagReader::Test &test, link::FuncId function, const Setting &setting) const;
  bool staysSo(FlagId mode, const Fact &fact) const;
  bool comesOnlyInModes(link::ThreadId thread, FlagId flag, const Setting &setting) const;
  bool isImpliedBy(const Flag &other, const Setting &setting) const;
  bool isOver(FlagId flag, link::ThreadId thread, link::FuncId function, model::StatementId statement);
  bool isReset(FlagId flag, link::ThreadId thread);
  bool isSetAtStart(link::ThreadId thread, FlagId flag, const Setting &setting);
  bool isSetInModes(link::ThreadId thread, FlagId flag);

  const link::Program &program_;
  const Conditions &conditions_;
  std::map<std::pair<FlagId, bool>, Setting> settings_; // and whether in modes
  std::map<std::pair<link::ThreadId, FlagId>, bool> known_;
};

} // namespace deadheat::analyse
