// The one place that a location is, where points-to knows of no other: asked for every lock and every access, and therefore
// known for all nodes from the start.
//
// Claim   As placesOf, where that finds exactly one place, but without its bounds.
// Cost    linear in edges, once; a question is one lookup.
#pragma once

#include <optional>
#include <vector>

#include "link/flow_graph.h"

namespace deadheat::link {

class SinglePlaces {
public:
  SinglePlaces() = default;
  explicit SinglePlaces(const FlowGraph &graph);

  std::optional<Place> of(const FlowGraph &graph, Location location) const;

private:
  struct Row {
    uint32_t object; // kNobody, kSeveral
    int32_t shift;
    bool operator==(const Row &) const = default;
  };
  static constexpr uint32_t kNobody = UINT32_MAX;
  static constexpr uint32_t kSeveral = UINT32_MAX - 1;

  static Row join(Row a, Row b);
  static Row shifted(Row row, int32_t offset);

  std::vector<Row> rows_; // [node]
};

} // namespace deadheat::link
