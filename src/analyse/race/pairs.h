// Pairs of accesses that may race (RELAY, Fig. 7).
//
// Claim   Every pair is here of which one writes, not both are atomic, the locations may be equal, and two threads that
//         may run together do them without a lock that excludes them.
// Assumes see common_lock.h, fields.h; a thread that is started many times with another argument each time has to itself
//         what lies in that argument.
// Cost    Quadratic in the accesses of one points-to class; names and fields are compared first, points-to last.
#pragma once

#include <memory>
#include <vector>

#include "analyse/race/common_lock.h"
#include "analyse/race/world.h"

namespace deadheat::analyse {

inline constexpr uint32_t kLargeClass = 64; // objects that points-to cannot tell apart (the paper: 1)

// Two threads, or two instances of one, that do the accesses at the same time as far as locks go.
struct Meeting {
  Performer a;
  Performer b;
  Exclusion exclusion = Exclusion::None;
};

// The same, by places in WorldAccess::performers: a kernel has tens of millions.
struct Met {
  uint16_t a = 0;
  uint16_t b = 0;
  Exclusion exclusion = Exclusion::None;
};

struct RacePair {
  uint32_t a = 0;          // of World::accesses
  uint32_t b = 0;          // if one of them is a copy of a struct, this one
  bool isSameName = false; // equal without asking points-to
  std::vector<Met> meetings;
};

Meeting meetingOf(const World &world, const RacePair &pair, const Met &met);

std::vector<RacePair> racingPairs(const World &world);

// How two accesses stand to each other.
enum class Standing : uint8_t {
  Apart,  // not the same memory, or none writes, or nobody does them at the same time
  Locked, // whenever two threads could do them at the same time, they hold a lock that excludes
  Open,
};

// For many pairs of one world, by one thread.
class Standings {
public:
  explicit Standings(const World &world);
  ~Standings();
  Standing of(const WorldAccess &a, const WorldAccess &b) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Why one pair is no race; empty: it is one. For --explain.
std::string_view whyNoRace(const World &world, const WorldAccess &a, const WorldAccess &b);

} // namespace deadheat::analyse
