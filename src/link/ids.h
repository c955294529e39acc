// The ids of a linked program: dense, 32 bits, given in the order of the inputs, so that the same inputs give the same ids.
#pragma once

#include "support/id.h"

namespace deadheat::link {

using UnitId = Id<struct UnitTag>;
using FuncId = Id<struct FuncTag>;         // a function, defined in some unit or only declared
using GlobalId = Id<struct GlobalTag>;     // a variable with static storage
using CallSiteId = Id<struct CallSiteTag>; // a call of a unit
using ObjectId = Id<struct ObjectTag>;     // an abstract object: all that one allocation site makes
using NodeId = Id<struct NodeTag>;         // of the points-to graph
using ClassId = Id<struct ClassTag>;       // a unification class of the points-to graph
using ThreadId = Id<struct ThreadTag>;

} // namespace deadheat::link
