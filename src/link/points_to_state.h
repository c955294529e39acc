// What PointsTo keeps, shared by its builder and its queries.
#pragma once

#include "link/flow_graph.h"
#include "link/points_to.h"
#include "link/single_places.h"

namespace deadheat::link {

struct PointsTo::State {
  FlowGraph graph;
  std::vector<Location> values;             // [value of the program]
  std::vector<uint32_t> firstValue;         // [function]
  std::vector<UnitId> unitOf;               // [function]
  std::vector<NodeId> returned;             // [function]: invalid: no body
  std::vector<NodeId> functions;            // [function]: itself
  std::vector<NodeId> variables;            // [variable]
  std::vector<std::vector<NodeId>> symbols; // [unit][symbol]
  std::vector<uint32_t> classOf;            // [node]
  std::vector<uint32_t> classSize;          // [class]
  SinglePlaces single;
  std::vector<bool> crowded; // [node]: stands for more objects than are ever listed
};

} // namespace deadheat::link
