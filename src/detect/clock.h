// Vector clocks. A thread has a slot; its own component counts the pieces into which its releases cut its execution.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace deadheat::detect {

using Slot = uint16_t; // of a thread, used again when its first owner is before whoever takes it (threads.h)
using Tick = uint32_t; // 0: before anything the slot did

class Clock {
public:
  Tick operator[](Slot slot) const { return slot < ticks_.size() ? ticks_[slot] : 0; }

  void set(Slot slot, Tick tick) {
    if (slot >= ticks_.size()) ticks_.resize(slot + 1);
    ticks_[slot] = tick;
  }

  // True: something changed.
  bool join(const Clock &other) {
    if (other.ticks_.size() > ticks_.size()) ticks_.resize(other.ticks_.size());
    bool changed = false;
    for (size_t slot = 0; slot != other.ticks_.size(); ++slot) {
      changed |= other.ticks_[slot] > ticks_[slot];
      ticks_[slot] = std::max(ticks_[slot], other.ticks_[slot]);
    }
    return changed;
  }

  bool empty() const { return ticks_.empty(); }
  void clear() { ticks_.clear(); }

private:
  std::vector<Tick> ticks_;
};

} // namespace deadheat::detect
