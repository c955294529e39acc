// The objects that flow into a location, with their offsets: what PointsTo::places returns.
#pragma once

#include "link/flow_graph.h"

namespace deadheat::link {

Places placesOf(const FlowGraph &graph, Location location, size_t most = kMaxPlaces);

} // namespace deadheat::link
