// Locks and their like that a call made or destroyed, against those who use them: where the program remembers its accesses
// itself, nothing else is told of their memory.
//
// Claim   A use that is not after the last making, and a making that is not after the last use of each thread, is handed to
//         `report`. What no call made is not looked at.
// Misses  Uses by more threads than kMaxUses since the object was made.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "detect/address_map.h"
#include "detect/clock.h"
#include "detect/locks.h"

namespace deadheat::detect {

class MadeObjects {
public:
  static constexpr size_t kMaxUses = 16;

  struct Deed {
    uint64_t place = 0; // return address of the call
    StackId stack;
    LockSetId locks;
    Tick tick = 0;
    Slot slot = 0;
    bool makes = false;
    bool frees = false; // what it lies in
  };

  // report(earlier, later).
  template <typename Report> void make(uint64_t address, const Deed &now, const Clock &clock, Report report) {
    Object &object = objects_[address];
    for (const Deed &deed : object.deeds)
      if (isUnordered(deed, now, clock)) report(deed, now);
    object.deeds.assign(1, now);
  }

  template <typename Report> void use(uint64_t address, const Deed &now, const Clock &clock, Report report) {
    Object *object = objects_.find(address);
    if (!object) return;
    const Deed &made = object->deeds.front();
    if (isUnordered(made, now, clock)) report(made, now);
    for (Deed &deed : llvm::drop_begin(object->deeds))
      if (deed.slot == now.slot) {
        deed = now;
        return;
      }
    if (object->deeds.size() <= kMaxUses) object->deeds.push_back(now);
  }

  // report(address, earlier, later). The memory that they lie in is freed.
  template <typename Report>
  void free(uint64_t address, uint64_t bytes, const Deed &now, const Clock &clock, Report report) {
    objects_.takeRange(address, bytes, [&](uint64_t object, const Object &gone) {
      for (const Deed &deed : gone.deeds)
        if (isUnordered(deed, now, clock)) report(object, deed, now);
    });
  }

  // The memory is another's now, as the stack of a thread that has ended is.
  void forget(uint64_t address, uint64_t bytes) { objects_.eraseRange(address, bytes); }

private:
  struct Object {
    llvm::SmallVector<Deed, 2> deeds; // the making, then the last use of each thread
  };

  static bool isUnordered(const Deed &earlier, const Deed &now, const Clock &clock) {
    return earlier.slot != now.slot && earlier.tick > clock[earlier.slot];
  }

  AddressMap<Object> objects_;
};

} // namespace deadheat::detect
