#include "analyse/race/places.h"

namespace deadheat::analyse {

const link::Places &PlacesCache::of(link::Location location) {
  auto [place, isNew] = known_.try_emplace(location);
  if (isNew) place->second = pointsTo_.places(location);
  return place->second;
}

// A range that begins at the object is all of it; one that begins inside is one of an array there, and stays in it.
static uint32_t bytesAt(int32_t offset, uint32_t size) {
  if (size != 0) return size;
  return offset == 0 ? UINT32_MAX / 2 : 1;
}

static bool overlap(int32_t a, uint32_t sizeA, int32_t b, uint32_t sizeB) {
  if (a == link::kAnyOffset || b == link::kAnyOffset) return true;
  sizeA = bytesAt(a, sizeA);
  sizeB = bytesAt(b, sizeB);
  return int64_t(a) < int64_t(b) + sizeB && int64_t(b) < int64_t(a) + sizeA;
}

bool PlacesCache::mayAlias(link::Location a, uint32_t sizeA, link::Location b, uint32_t sizeB) {
  if (!a.valid() || !b.valid() || pointsTo_.classOf(a.node) != pointsTo_.classOf(b.node)) return false;
  const link::Places &placesA = of(a);
  const link::Places &placesB = of(b);
  if (!placesA.complete || !placesB.complete) return true;
  auto one = placesA.list.begin(); // both are sorted by object
  for (const link::Place &other : placesB.list) {
    while (one != placesA.list.end() && one->object < other.object) ++one;
    for (auto each = one; each != placesA.list.end() && each->object == other.object; ++each)
      if (overlap(each->offset, sizeA, other.offset, sizeB)) return true;
  }
  return false;
}

} // namespace deadheat::analyse
