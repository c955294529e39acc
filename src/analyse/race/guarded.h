// The statements whose memory a lock always guards.
//
// Claim   Whenever another thread could access the same memory at the same time, it and the statement hold a lock that excludes them, and there is
//         such a thread: what is never done at the same time is no reason. All that the statement may be is looked at, under all names.
// Assumes what race/pairs.h and race/common_lock.h do.
// Cost    quadratic in the accesses of one points-to class.
// Misses  classes with more than kMaxMembers accesses; all, where a summary was too large to be whole.
#pragma once

#include <set>
#include <utility>

#include "analyse/race/world.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxMembers = 4000;

std::set<std::pair<link::UnitId, model::SiteId>> guardedSites(const World &world);

} // namespace deadheat::analyse
