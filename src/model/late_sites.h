// Which of a late access's sites are its own, and which are reads that it carries: such a write has the sites of reads of the same bytes
// that came before it in its block, and is told for both (docs/design/0066).
#pragma once

#include <algorithm>
#include <span>

#include "model/unit.h"

namespace deadheat::model {

constexpr bool isWrite(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::RangeWrite || kind == AccessKind::AtomicWrite ||
         kind == AccessKind::AtomicUpdate;
}

inline std::span<const SiteId> sitesOf(const Unit &unit, const LateAccess &late) {
  return {unit.lateSites.data() + late.first, late.count};
}

inline bool isCarried(const Unit &unit, const LateAccess &late, SiteId site) {
  return late.kind == AccessKind::Write && unit.sites[site].kind == AccessKind::Read;
}

inline bool readsToo(const Unit &unit, const LateAccess &late) {
  return std::ranges::any_of(sitesOf(unit, late), [&](SiteId site) { return isCarried(unit, late, site); });
}

// The first that is its own. Requires one.
inline SiteId ownSite(const Unit &unit, const LateAccess &late) {
  return *std::ranges::find_if_not(sitesOf(unit, late), [&](SiteId site) { return isCarried(unit, late, site); });
}

} // namespace deadheat::model
