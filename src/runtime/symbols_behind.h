// What a call would have reached had a preloaded library of ours not been there.
//
// Claim   Found without dlsym, which may allocate or fail aloud, and is not to be called from inside an allocator that reads the
//         clock: in the order in which the loader searches, from our library on. The default version of a symbol is taken.
// Assumes libraries have DT_GNU_HASH, as all that glibc's systems build today.
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime {

// Looks for the names whose `found` is null, in what was loaded behind the library that has the address `ours`.
void findBehind(const void *ours, const char *const *names, void **found, U32 count);

// Whether both addresses lie in the same library.
bool isOneObject(const void *one, const void *other);

} // namespace deadheat::runtime
