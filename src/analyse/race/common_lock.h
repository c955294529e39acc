// Whether two accesses exclude each other, if they are to the same memory.
//
// A lock excludes if both hold it and not both as readers. It is the same lock if it has the same name and that name is
// one object's; or if it lies in the same place relative to what is accessed: `x->lock` held for `x->n` on both sides,
// whatever `x` is called, for then the same memory means the same `x`.
//
// Assumes what is reached through an object's pointer belongs to that object: `x->lock` guards `x->data->n` too.
#pragma once

#include "analyse/race/world.h"

namespace deadheat::analyse {

enum class Exclusion : uint8_t {
  None,
  Family, // both hold a lock of the same array; it is not known whether it is the same one
  Lock,
};

Exclusion exclusionOf(const NodeTable &nodes, Address lvalueA, const HeldLocks &locksA, Address lvalueB,
                      const HeldLocks &locksB);

} // namespace deadheat::analyse
