// What the constructor or destructor of an object does to the object itself: others do not know it yet, or not any more.
//
// Claim   isMaking: on the way to the access is a constructor or destructor, and the bytes lie in its object, not behind a
//         pointer of it. A constructor that starts the other thread, and a destructor that joins it, are none here: what comes before and
//         after is decided by the threads that are live.
// Assumes nothing that is proven: objects are published by constructors, and looked at by threads that outlive them. So it
//         only demotes.
#pragma once

#include "analyse/race/chains.h"

namespace deadheat::analyse {

bool isMaking(const World &world, const Leaf &leaf, link::ThreadId other);

} // namespace deadheat::analyse
