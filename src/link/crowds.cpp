#include "link/crowds.h"

#include <algorithm>
#include <array>

#include "link/components.h"

namespace deadheat::link {

namespace {

constexpr size_t kKept = 16;
constexpr uint32_t kCrowded = static_cast<uint32_t>((uint64_t(kKept) << 32) / (4 * kMaxPlaces));

using Sketch = std::array<uint32_t, kKept>; // ascending

// The finaliser of a well-known hash: every bit of the number changes half of the bits of the result.
uint32_t hashOf(ObjectId object) {
  uint64_t x = (object.value() + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  return static_cast<uint32_t>(x >> 32);
}

bool merge(Sketch &into, const Sketch &more) {
  if (more.front() >= into.back()) return false;
  std::array<uint32_t, 2 * kKept> both;
  auto end = std::ranges::set_union(into, more, both.begin()).out;
  std::fill(end, both.end(), UINT32_MAX);
  if (std::equal(into.begin(), into.end(), both.begin())) return false;
  std::copy_n(both.begin(), kKept, into.begin());
  return true;
}

} // namespace

// Sources come in lower components. What one node of a component stands for, all of it do.
std::vector<bool> findCrowds(const FlowGraph &graph) {
  Lists<NodeId, uint32_t> sources = graph.sources();
  Components components = findComponents(graph.nodeCount(), [&](uint32_t node) { return sources[NodeId(node)]; });
  ListsBuilder<NodeId, uint32_t> builder(components.count);
  for (uint32_t node = 0; node < graph.nodeCount(); ++node) builder.add(NodeId(components.of[node]), node);
  Lists<NodeId, uint32_t> members = builder.finish();
  Sketch none;
  none.fill(UINT32_MAX);
  std::vector<Sketch> sketches(components.count, none);
  for (uint32_t component = 0; component < components.count; ++component)
    for (uint32_t node : members[NodeId(component)]) {
      Sketch own = none;
      if (graph.isObject(NodeId(node))) own.front() = hashOf(graph.objectOf(NodeId(node)));
      merge(sketches[component], own);
      for (uint32_t source : sources[NodeId(node)]) merge(sketches[component], sketches[components.of[source]]);
    }
  std::vector<bool> crowded(graph.nodeCount());
  for (uint32_t node = 0; node < graph.nodeCount(); ++node)
    crowded[node] = sketches[components.of[node]].back() < kCrowded;
  return crowded;
}

} // namespace deadheat::link
