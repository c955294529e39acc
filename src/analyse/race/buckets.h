// Which accesses are compared with which, so that the search for pairs stays near-linear.
//
// Claim   Accesses that no filter and no engine can tell apart are one (the first stands for its twins). Two accesses that
//         may race are compared, except where `left` counts: across the fields of one type, and between fields and what
//         has no field, in classes that are too large for it.
// Assumes fields.h; members of one type meet only in unions and bit fields.
// Cost    sorting; the bounds below.
#pragma once

#include <vector>

#include "analyse/race/world.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxAcross = 512;              // accesses of one type between whose fields is compared, too
inline constexpr uint64_t kMaxMixed = 4'000'000;       // comparisons between what has a field and what has none
inline constexpr uint64_t kMaxComparisons = 6'000'000; // in one bucket

struct Bucket {
  std::vector<uint32_t> first;  // of World::accesses; those that write come first
  std::vector<uint32_t> second; // to be compared with all of `first`; empty: they are compared among each other
};

struct Buckets {
  std::vector<Bucket> list;
  uint64_t left = 0; // comparisons that were not made
};

// Fills World::twins.
void findTwins(World &world);

Buckets bucketsOf(const World &world);

} // namespace deadheat::analyse
