// Which functions, and what else, the pointers of a flow graph may hold.
//
// Claim   After solve(), and after grow() for the edges that came since: whatever flows into a node along edges is in its set. What
//         those edges change of what is stored where, the graph's own solve() has to find out first.
// Cost    solve(): linear in nodes and edges, plus unions that were never made before. grow(): what it changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "link/flow_graph.h"
#include "link/set_pool.h"

namespace deadheat::link {

class ReachingFunctions {
public:
  // Facts of a node.
  static constexpr uint8_t kHasFunction = 1;
  static constexpr uint8_t kHasData = 2;
  static constexpr uint8_t kHasExternal = 4; // something that code without a body returned

  explicit ReachingFunctions(const FlowGraph &graph) : graph_(graph), sets_(kMaxFunctions) {}

  void solve();
  void grow();
  SetPool::Set at(Location location) const;
  uint8_t factsAt(Location location) const;
  std::span<const uint32_t> members(SetPool::Set set) const { return sets_[set]; }

private:
  static constexpr size_t kMaxFunctions = 2048; // a pointer that more functions reach is judged by its signature alone

  using Component = Id<struct ComponentTag>;

  uint32_t componentOf(Location location) const; // or none
  void addNode(uint32_t node);
  void noteObject(uint32_t component, const Object &object, std::vector<SetPool::Set> &flowing);
  bool flow(uint32_t from, uint32_t to);
  void connect();
  void flowOn(std::vector<uint32_t> changed);

  const FlowGraph &graph_;
  SetPool sets_;
  std::vector<uint32_t> componentOf_; // [node]
  // [component]
  std::vector<SetPool::Set> functions_;
  std::vector<uint8_t> facts_;
  Lists<Component, uint32_t> targets_;                             // empty until grow() asks; of the edges before it
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> added_; // likewise, of those since
  uint32_t edges_ = 0;                                             // so many are known
};

} // namespace deadheat::link
