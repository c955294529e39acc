#include "link/places.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"

namespace deadheat::link {

namespace {

constexpr size_t kStepsEach = 16; // to walk for each place that is wanted

int32_t sum(int32_t first, int32_t second) {
  if (first == kAnyOffset || second == kAnyOffset) return kAnyOffset;
  int64_t total = int64_t(first) + second;
  return total < INT32_MIN / 2 || total > INT32_MAX / 2 ? kAnyOffset : static_cast<int32_t>(total);
}

uint64_t keyOf(Location location) {
  return uint64_t(location.node.value()) << 32 | static_cast<uint32_t>(location.offset);
}

} // namespace

Places placesOf(const FlowGraph &graph, Location location, size_t most) {
  Places result;
  if (!location.valid()) return result;
  Location start{graph.find(location.node), location.offset};
  llvm::SmallDenseSet<uint64_t, 64> seen{keyOf(start)};
  std::vector<Location> pending{start};
  while (!pending.empty()) {
    Location at = pending.back();
    pending.pop_back();
    if (graph.isObject(at.node)) result.list.push_back({graph.objectOf(at.node), graph.inElement(at.node, at.offset)});
    if (result.list.size() > most || seen.size() > std::max<size_t>(most, kStepsEach) * kStepsEach) {
      result.complete = false;
      break;
    }
    graph.forEachEdge(at.node, [&](NodeId from, int32_t offset) {
      Location next{from, sum(at.offset, offset)};
      if (seen.insert(keyOf(next)).second) pending.push_back(next);
    });
  }
  std::ranges::sort(result.list);
  auto [first, last] = std::ranges::unique(result.list);
  result.list.erase(first, last);
  return result;
}

} // namespace deadheat::link
