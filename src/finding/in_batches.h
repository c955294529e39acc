// Long lists of which every element costs: what can be done apart is done by all cores, what has an order in that order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "oneapi/tbb/parallel_for.h"

namespace deadheat::finding {

inline constexpr size_t kBatch = 4096; // as many results wait in memory

// take(i, make(i)) for every i below `count`, in order; make runs on all cores.
template <typename Make, typename Take> void inBatches(size_t count, Make make, Take take) {
  std::vector<std::invoke_result_t<Make, size_t>> made;
  for (size_t begin = 0; begin < count; begin += kBatch) {
    size_t size = std::min(kBatch, count - begin);
    made.clear();
    made.resize(size);
    oneapi::tbb::parallel_for(size_t(0), size, [&](size_t i) { made[i] = make(begin + i); });
    for (size_t i = 0; i < size; ++i) take(begin + i, std::move(made[i]));
  }
}

} // namespace deadheat::finding
