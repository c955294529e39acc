// What locations may be, asked once for each: points-to walks its graph for every answer, and many accesses are at few
// places.
#pragma once

#include <map>

#include "link/points_to.h"

namespace deadheat::analyse {

class PlacesCache {
public:
  explicit PlacesCache(const link::PointsTo &pointsTo) : pointsTo_(pointsTo) {}

  // As PointsTo::mayAlias. Size 0: not known.
  bool mayAlias(link::Location a, uint32_t sizeA, link::Location b, uint32_t sizeB);

private:
  const link::Places &of(link::Location location);

  const link::PointsTo &pointsTo_;
  std::map<link::Location, link::Places> known_;
};

} // namespace deadheat::analyse
