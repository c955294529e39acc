#include "link/reaching_functions.h"

#include <random>

#include "gtest/gtest.h"

namespace deadheat::link {
namespace {

using Found = std::vector<std::pair<std::vector<uint32_t>, uint8_t>>; // [node]: functions, facts

Found read(const FlowGraph &graph, const ReachingFunctions &reaching) {
  Found found;
  for (uint32_t node = 0; node < graph.nodeCount(); ++node) {
    auto members = reaching.members(reaching.at({NodeId(node), 0}));
    found.push_back({{members.begin(), members.end()}, reaching.factsAt({NodeId(node), 0})});
  }
  return found;
}

// A graph that gets nodes and edges at random, cycles among them.
class RandomGraph {
public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {}

  void addNodes(int count) {
    for (int i = 0; i < count; ++i) {
      const bool isFunction = random_() % 4 == 0;
      if (random_() % 3 != 0)
        graph.addHub();
      else
        graph.addObject(
            {.kind = isFunction ? ObjectKind::Function : ObjectKind::Heap, .function = FuncId(random_() % 9)});
    }
  }
  void addEdges(int count) {
    for (int i = 0; i < count; ++i) graph.flow({any(), 0}, any());
  }

  FlowGraph graph;

private:
  NodeId any() { return NodeId(random_() % graph.nodeCount()); }
  std::mt19937 random_;
};

TEST(ReachingFunctions, GrownIsWhatIsSolvedAnew) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    RandomGraph random(seed);
    random.addNodes(20);
    random.addEdges(12);
    ReachingFunctions grown(random.graph);
    grown.solve();
    for (int step = 0; step < 4; ++step) {
      random.addNodes(step);
      random.addEdges(3);
      grown.grow();
      ReachingFunctions anew(random.graph);
      anew.solve();
      ASSERT_EQ(read(random.graph, grown), read(random.graph, anew)) << "seed " << seed << " step " << step;
    }
  }
}

TEST(ReachingFunctions, WhatIsNewerThanTheSolutionHasNothing) {
  RandomGraph random(1);
  random.addNodes(3);
  ReachingFunctions reaching(random.graph);
  reaching.solve();
  NodeId late = random.graph.addObject({.kind = ObjectKind::Function, .function = FuncId(7)});
  EXPECT_EQ(reaching.at({late, 0}), SetPool::kEmpty);
  EXPECT_EQ(reaching.factsAt({late, 0}), 0);
  EXPECT_EQ(reaching.at({}), SetPool::kEmpty);
}

} // namespace
} // namespace deadheat::link
