// The hooks of accesses where the process remembers them itself (shadow.h).
//
// Claim   As hooks.h. An access that near cells of the thread stand for changes nothing.
// Cost    Some twenty instructions for one that the first cell stands for; some sixty for one that is the thread's own memory or
//         meets no more than it did, as after each release.
#pragma once

#include "abi/table.h"

namespace deadheat::runtime {

// Puts them in the place of those that tell each access. Slots of the object's accesses have bytes (abi/note.h).
void fillRemembering(abi::HookTable &table);

} // namespace deadheat::runtime
