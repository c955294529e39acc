// Whoever gives work to others, counts it, and waits under a condition variable until none of it is left.
//
// `for (;;) { prepare(&it); for (...) { ++live; add(job, &it); } while (live != 0) wait(&done, &lock); }`: no wait comes before the first
// `prepare`, so that on the whole none comes before any. But between a job that was counted and the next `prepare` there is one.
//
// Claim   isOff: there is a count with which a function on the one way has counted, itself or by a function that it calls by name, such that
//         nothing leads from there to the end of that way without a wait until the same count is 0; and on the other way it is counted
//         with afterwards, and before only if there was some wait under a condition in between.
// Assumes who is given work is counted before. A function of a few blocks that waits does so whenever it is called. A likelihood.
// Cost    linear in stores and in functions that wait; per way one walk over each function of it that counts.
// Misses  counts that are waited for by a predicate that is a call; counts that go up to a number.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "analyse/race/chains.h"

namespace deadheat::analyse {

class Counted {
public:
  explicit Counted(const World &world);

  bool isOff(const std::vector<Step> &later, const std::vector<Step> &earlier);

private:
  using Statements = std::set<model::StatementId>;
  using Exits = std::set<std::pair<uint32_t, uint32_t>>; // of loops that wait, by block and next block

  // What one function does with one count.
  struct Use {
    Statements counting = {}; // calls, too
    Statements waiting = {};  // calls
    Exits exits = {};
  };
  using Count = std::map<link::FuncId, Use>;
  // Of a statement of a function.
  struct Place {
    bool counts = false;  // the function does
    bool waits = false;   // and waits for it
    bool isOpen = false;  // the statement comes after it was counted, with no wait for it in between
    bool isAwake = false; // or with no wait at all
    bool follows = false; // it is counted afterwards
  };

  void addWaits();
  void addCounting();
  void spreadWaits(Count &count) const;
  void spreadCounting(Count &count) const;
  Count *find(link::FuncId function, model::SiteId site, model::Operand address, bool adds);
  bool isUntilNone(link::FuncId function, uint32_t block) const;
  template <typename Visit> void forEachCaller(link::FuncId function, Visit visit) const;
  bool leads(link::FuncId function, const Statements &from, const Statements &to, const Use &over) const;
  Place placeOf(size_t number, const Step &step);
  bool isSettled(size_t number, const std::vector<Step> &way);
  bool isCountedLast(size_t number, const std::vector<Step> &way);

  const World &world_;
  link::Code code_;
  std::vector<Count> counts_;
  std::map<std::pair<uint32_t, link::Location>, size_t> numbers_; // of counts, by field or variable
  std::map<link::FuncId, Exits> exits_;                           // whatever is waited for
  std::map<std::tuple<size_t, link::FuncId, model::StatementId>, Place> places_;
};

} // namespace deadheat::analyse
