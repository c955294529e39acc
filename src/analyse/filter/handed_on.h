// What a function has made, handed on, and goes on with.
//
// Fresh objects that nobody else knows are no accesses at all (symbolic/memory.cpp): whoever made one and still accesses it has shown it to
// somebody. To whom, and whether it is this object that the other thread has, only points-to says.
//
// Claim   isDoubted: the function that made the object does one access, and nothing shows that the other is of an object that is made there.
//         It is shown where the other thread was started with that object, and no other; or where the object is among the few that the other
//         access may be of, and there is only one of it, or the function itself goes on with it, in words of its own.
// Assumes nothing that is proven: the object may be put where the other thread does not look any more. So it only demotes.
// Misses  what functions do that are called with the object after it was handed on, as to give up a reference: those stay in doubt.
// Cost    linear in the function that has made it, and kFewMakers places.
#pragma once

#include "analyse/race/chains.h"

namespace deadheat::analyse {

inline constexpr size_t kFewMakers =
    8; // objects that an access may be of, and is still believed to be of a certain one

bool isDoubted(const World &world, const WorldAccess &makers, const Leaf &leaf, const WorldAccess &other);

} // namespace deadheat::analyse
