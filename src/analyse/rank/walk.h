// Where one thread gets to, by ways that are not too wide and on which it does not contradict itself (reach.h).
#pragma once

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include "analyse/flag/conditions.h"
#include "analyse/race/chains.h"
#include "analyse/race/world.h"
#include "analyse/rank/callbacks.h"

namespace deadheat::analyse {

inline constexpr float kFarBits = 10;     // a thousand functions that the calls on a way may lead to: nobody goes there
inline constexpr float kWiderBits = 4.5F; // a way that is so much wider than another one does not count beside it

// Where calls go deep, there are more conditions on the way.
inline bool isFarAway(float bits, size_t depth) {
  return bits + std::min(3.0F, 0.1F * static_cast<float>(depth)) > kFarBits;
}

// What the library calls is no decision of the program's.
inline bool isLibrarys(const World &world, link::FuncId function) {
  return (world.environment.program.function(function).flags & model::kLibrary) != 0;
}

class Walk {
public:
  Walk(const World &world, const Conditions &conditions, const Callbacks &callbacks, link::ThreadId thread);

  // With flags that the thread writes on its way, as far as it is known yet, left out.
  void run();

  struct Arrival {
    bool isReached = false;
    bool isWaiting = false;
    float bits = 0;     // of the likeliest way
    uint32_t depth = 0; // calls on it
    Step from = {};     // the last of them
    Facts facts;        // on all ways
    Spans spans;
  };
  const std::vector<Arrival> &arrivals() const { return arrivals_; } // [function]
  const llvm::BitVector &flows() const { return flows_; }            // [flag]: facts about it hold in callees
  // Where a call of a function that is reached may go to; empty: the call is not made.
  std::vector<link::FuncId> targetsOf(link::FuncId caller, const CallRecord &call) const;

private:
  // Functions that a parameter may be.
  struct Handed {
    bool isAnything = false;
    std::vector<link::FuncId> functions; // sorted
    bool operator==(const Handed &) const = default;
  };
  using Parameter = std::pair<uint32_t, uint32_t>; // function, number

  void walkAll();
  void follow(link::FuncId caller);
  void enter(link::FuncId callee, const CallRecord *call, const Arrival &next);
  bool hand(link::FuncId callee, const CallRecord *call, link::FuncId caller);
  Facts flowing(const Facts &facts) const;
  bool dropWritten();

  const World &world_;
  const Conditions &conditions_;
  const Callbacks &callbacks_;
  link::ThreadId thread_;
  llvm::BitVector flows_;
  Facts begun_;               // what holds when the thread begins
  std::vector<float> learnt_; // [flag]: how wide the way is to where the thread first tests it
  std::vector<Arrival> arrivals_;
  std::priority_queue<std::tuple<float, link::FuncId>, std::vector<std::tuple<float, link::FuncId>>, std::greater<>>
      work_; // the nearest first
  llvm::DenseMap<Parameter, Handed> handed_;
};

} // namespace deadheat::analyse
