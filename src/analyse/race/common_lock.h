// Whether two accesses exclude each other, if they are to the same memory.
//
// A lock excludes if both hold it and not both as readers. It is the same lock if it has the same name and that name is
// one object's; or if it lies in the same place relative to what is accessed: `x->lock` held for `x->n` on both sides,
// whatever `x` is called, for then the same memory means the same `x`.
//
// Assumes what is reached through an object's pointer belongs to that object: `x->lock` guards `x->data->n` too. For a variable of the program's, that
//         threads which find a lock behind the same pointers in what they have find the same one: a likelihood (Kin).
#pragma once

#include "analyse/race/world.h"

namespace deadheat::analyse {

enum class Exclusion : uint8_t {
  None,
  Kin,    // both hold the same member of some object; it is not known whether it is the same object
  Family, // both hold a lock of the same array; it is not known whether it is the same one
  Lock,
};

// Also where only points-to says which lock it is: the same bytes of objects that it takes for one another. Of a variable that has a name, the
// lock should have one, too, unless all threads have found it behind the same pointers.
bool areKin(const World &world, const HeldLocks &locksA, const HeldLocks &locksB, bool isNamed);

// Each side holds a lock of the object that it accesses, but another member of it: no two objects explain that.
bool areOtherMembers(const NodeTable &nodes, Address lvalueA, const HeldLocks &locksA, Address lvalueB,
                     const HeldLocks &locksB);

Exclusion exclusionOf(const NodeTable &nodes, Address lvalueA, const HeldLocks &locksA, Address lvalueB,
                      const HeldLocks &locksB);

} // namespace deadheat::analyse
