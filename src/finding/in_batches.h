// Long lists of which every element costs: what can be done apart is done by all cores, what has an order in that order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "oneapi/tbb/parallel_for.h"

namespace deadheat::finding {

inline constexpr size_t kBatch = 4096; // as many results wait in memory

// make(i) of every i below `count`, by all cores.
template <typename Make> auto ofEach(size_t count, Make make) {
  std::vector<std::invoke_result_t<Make, size_t>> made(count);
  oneapi::tbb::parallel_for(size_t(0), count, [&](size_t i) { made[i] = make(i); });
  return made;
}

// take(i, make(i)) for every i below `count`, in order; make runs on all cores.
template <typename Make, typename Take> void inBatches(size_t count, Make make, Take take) {
  for (size_t begin = 0; begin < count; begin += kBatch) {
    auto made = ofEach(std::min(kBatch, count - begin), [&](size_t i) { return make(begin + i); });
    for (size_t i = 0; i < made.size(); ++i) take(begin + i, std::move(made[i]));
  }
}

} // namespace deadheat::finding
