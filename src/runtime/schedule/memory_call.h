// A call of a library that reads or writes memory of the program, at a place where somebody looks for it, by a thread that is led.
#pragma once

#include "runtime/schedule/director.h"
#include "runtime/schedule/director_hooks.h"

namespace deadheat::runtime::schedule {

class MemoryCall {
public:
  // `place`: where it returns to.
  explicit MemoryCall(const void *place) : place_(reinterpret_cast<U64>(place)) {
    if (looksForMemoryCalls() && looksForMemoryCalls(place_)) task_ = directed();
  }
  explicit operator bool() const { return task_ != nullptr; }

  void reads(const void *address, U64 bytes) const { tell(false, address, bytes); }
  void writes(const void *address, U64 bytes) const { tell(true, address, bytes); }

protected:
  void tell(bool isWrite, const void *address, U64 bytes) const {
    if (bytes == 0) return;
    Inside inside;
    const abi::U8 side = sideOfMemoryCall(place_, isWrite);
    if (side == 0) return;
    scheduler.reach(*task_, {.action = Action::Access,
                             .isWrite = isWrite,
                             .side = side,
                             .size = static_cast<U32>(bytes < ~U32(0) ? bytes : ~U32(0)),
                             .object = reinterpret_cast<U64>(address),
                             .place = place_});
  }

private:
  U64 place_;
  Task *task_ = nullptr;
};

} // namespace deadheat::runtime::schedule
