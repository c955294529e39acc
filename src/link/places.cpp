#include "link/places.h"

#include <algorithm>
#include <set>

namespace deadheat::link {

namespace {

constexpr size_t kMaxPlaces = 256; // more say no more than the class does
constexpr size_t kMaxSteps = 4096;

int32_t sum(int32_t first, int32_t second) {
  if (first == kAnyOffset || second == kAnyOffset) return kAnyOffset;
  int64_t total = int64_t(first) + second;
  return total < INT32_MIN / 2 || total > INT32_MAX / 2 ? kAnyOffset : static_cast<int32_t>(total);
}

} // namespace

Places placesOf(const FlowGraph &graph, Location location) {
  Places result;
  if (!location.valid()) return result;
  Location start{graph.find(location.node), location.offset};
  std::set<Location> seen{start};
  std::vector<Location> pending{start};
  while (!pending.empty()) {
    Location at = pending.back();
    pending.pop_back();
    if (graph.isObject(at.node)) result.list.push_back({graph.objectOf(at.node), graph.inElement(at.node, at.offset)});
    if (result.list.size() > kMaxPlaces || seen.size() > kMaxSteps) {
      result.complete = false;
      break;
    }
    graph.forEachEdge(at.node, [&](NodeId from, int32_t offset) {
      Location next{from, sum(at.offset, offset)};
      if (seen.insert(next).second) pending.push_back(next);
    });
  }
  std::ranges::sort(result.list);
  auto [first, last] = std::ranges::unique(result.list);
  result.list.erase(first, last);
  return result;
}

} // namespace deadheat::link
