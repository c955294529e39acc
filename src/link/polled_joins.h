// Joins of whoever has ended: `for (each child) if (child->done) join(child->thread);`.
//
// Claim   isPolled is true of a join that is passed by while a variable, or a member, does not have the value that the joined thread itself gives
//         it. Whoever is passed by still runs.
// Assumes two members of one name and type that may be one are one. A thread that gives it a value with which the join is passed by says
//         so that there is nothing to join (`if (running) join(...)`): that is no such test.
// Cost    linear in the blocks around the join; once for the program, linear in its stores.
// Misses  tests of what a function returns; tests of more than one variable at once.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "link/joins.h"

namespace deadheat::link {

class PolledJoins {
public:
  PolledJoins(const ThreadInput &input, const Threads &threads) : input_(input), threads_(threads) {}

  bool isPolled(CallSiteId join, const ThreadBits &joined);

private:
  struct Member {
    std::string_view type, field;
    auto operator<=>(const Member &) const = default;
  };
  struct Stored {
    FuncId function;
    Location place;
    std::optional<int64_t> number; // none: not known
  };
  // A test that decides whether the join is done in this round, and on which of its edges.
  struct Test {
    Member member;
    Location place;
    model::Predicate predicate = model::Predicate::Unknown;
    int64_t number = 0;
    bool joinsIfHolds = false;
  };

  std::vector<Test> testsAround(const CallSite &join) const;
  std::optional<Test> testOf(FuncId function, const model::Statement &branch) const;
  Member memberOf(const model::Unit &unit, model::SiteId site) const;
  void gatherStores();
  bool saysEnded(const Test &test, const ThreadBits &joined) const;
  bool isByThread(FuncId function, const ThreadBits &joined) const;

  const ThreadInput &input_;
  const Threads &threads_;
  bool isGathered_ = false;
  std::map<Member, std::vector<Stored>> stores_;
};

} // namespace deadheat::link
