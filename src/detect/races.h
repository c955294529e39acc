// The races that an engine met, counted by pair of accesses, each with the example that came first.
#pragma once

#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "detect/access.h"

namespace deadheat::detect {

struct RaceSide {
  uint32_t access = 0;
  WhereId where;
  uint8_t touch = kRead;
};

struct Race {
  RaceSide earlier;
  RaceSide later;
  uint64_t address = 0;
  uint64_t sequence = 0;   // of the later access
  uint64_t count = 0;      // how often the pair raced
  bool handedOver = false; // of predicted ones: each time data that a lock guards went from the one to the other
};

class RaceTable {
public:
  void add(const Entry &earlier, const MemoryAccess &later, uint64_t address, bool handedOver = false);
  void add(const Race &race);
  bool empty() const { return races_.empty(); }

  std::vector<Race> sorted() const;                                                     // by sequence and address
  std::vector<uint64_t> takeNewAddresses() { return std::exchange(newAddresses_, {}); } // of pairs that are new

private:
  using Key = std::pair<uint32_t, uint32_t>; // access ids, the smaller one first
  llvm::DenseMap<Key, Race> races_;
  std::vector<uint64_t> newAddresses_;
};

} // namespace deadheat::detect
