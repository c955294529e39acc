// Under which conditions on variables of the program a function gets to each of its statements.
//
// Claim   If at(f, s) has a fact, every way through f to s has passed a test that gave it, or a store of that number, and f
//         itself has not written that variable since.
// Assumes what a callee or another thread writes in between is somebody else's affair: facts are for judging how likely
//         a finding is, never for leaving one out. `x & 4` and `x + 4` are taken for the same view of x, as models do not
//         tell what is computed.
// Cost    linear in statements; for functions that test or write flags, a few passes over their blocks.
// Misses  flags that are reached through pointers, but for numbers of threads; tests whose results are stored first.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analyse/flag/facts.h"
#include "link/program.h"

namespace deadheat::analyse {

class Conditions {
public:
  explicit Conditions(const link::Program &program);

  // All that is known at a statement of a function that is entered with `onEntry`; nothing: one contradicts the other.
  std::optional<Facts> knownAt(const Facts &onEntry, link::FuncId function, model::StatementId statement) const;
  // Flags that say whether something was done already, and that the function has found unset on the way to the statement:
  // not in a loop that asks for the flag in each round, where it tells when to stop. And flags that the function has found
  // unset and keeps set meanwhile, and those that it had to find unset to get there, whatever became of them.
  Spans spansAt(link::FuncId function, model::StatementId statement) const;

  // The flag is asked for where the block of the statement ends.
  bool isAskedAt(FlagId flag, link::FuncId function, model::StatementId statement) const;

  // What a callee finds in its parameters, given what its caller knows.
  Facts handedTo(link::FuncId callee, link::CallSiteId site, const Facts &known) const;

  struct Write {
    FlagId flag = {};
    model::StatementId statement = {};
    std::optional<Fact> fact = {}; // what is known of it then; nothing: not known
    bool isPart = false;           // of a copy or a fill, or an update
    bool isReset() const { return fact == kUnset; }
  };
  std::span<const Write> writes(link::FuncId function) const; // by statement

  // All writes of a flag.
  const std::vector<std::pair<link::FuncId, Write>> &writers(FlagId flag) const { return writers_[flag.value()]; }

  size_t count() const { return flags_.size(); }
  const Flag &flag(FlagId id) const { return flags_[id]; }
  std::optional<FlagId> find(const Flag &flag) const; // if anybody tests it
  bool isParameter(FlagId id) const { return flags_[id].function.valid(); }
  bool isThreadLocal(FlagId id) const { return traits_[id].isThreadLocal; }
  // Read as an atomic or a volatile: meant to change at any time.
  bool isTold(FlagId id) const { return traits_[id].isTold; }
  // Set by who has found it unset, by nobody else, and not to keep others out for a while: it tells whether something was
  // done already.
  bool isOnce(FlagId id) const { return traits_[id].isSetWhereUnset && !traits_[id].isSetOtherwise; }

  // Set by who has found it unset, and reset by the same function: it keeps others out meanwhile.
  bool isBusy(FlagId id) const { return traits_[id].isSetWhereUnset && traits_[id].isReset; }

private:
  friend class ConditionFlow;

  struct Traits {
    bool isThreadLocal = false;
    bool isTold = false;
    bool isSetWhereUnset = false;
    bool isSetOtherwise = false;
    bool isReset = false; // by who sets it
  };
  struct Point {
    Facts facts;
    std::vector<FlagId> written; // perhaps, since the function was entered; sorted
    std::vector<FlagId> unset;   // were found so, on all ways; sorted
  };
  struct Asked {
    FlagId flag;
    uint32_t block = 0;
    auto operator<=>(const Asked &) const = default;
  };
  struct Rows {
    std::vector<std::optional<Point>> blocks; // at their beginnings; nothing: not reached
    std::vector<Write> writes;                // by statement
    std::vector<Asked> asked;                 // sorted
    std::vector<uint32_t> loopOf;             // [block]; blocks of one loop have the same number
  };

  FlagId intern(const Flag &flag, bool isTold);
  bool isUseful(const Flag &flag) const;
  void collectTests(link::FuncId function);
  void judgeWrites(link::FuncId function, const Rows &rows);
  bool isFoundUnset(FlagId flag, link::FuncId function, model::StatementId statement) const;
  void judgeCallees(link::FuncId function);
  uint32_t blockOf(link::FuncId function, model::StatementId statement) const;
  Point at(link::FuncId function, model::StatementId statement) const;
  void judgeWishes();
  static bool isAsked(const Rows &rows, FlagId flag);
  static bool isAskedInLoop(const Rows &rows, FlagId flag, uint32_t block);
  const Rows *rowsOf(link::FuncId function) const;

  const link::Program &program_;
  IdTable<FlagId, Flag> flags_;
  IdTable<FlagId, Traits> traits_;
  std::map<Flag, FlagId> ids_;                                              // by place, then by the view of it
  std::map<std::pair<link::GlobalId, int64_t>, std::vector<FlagId>> likes_; // [what a variable is compared with]
  std::vector<uint32_t> rowOf_; // [function]; 0: neither tests nor writes flags
  std::vector<Rows> rows_;
  std::vector<std::vector<std::pair<link::FuncId, Write>>> writers_; // [flag]
};

} // namespace deadheat::analyse
