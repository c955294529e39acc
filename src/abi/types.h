// The types that hooks.def speaks of. Freestanding: the runtime has no standard library.
#pragma once

namespace deadheat::abi {

using U8 = unsigned char;
using U16 = unsigned short;
using U32 = unsigned int;
using U64 = unsigned long;
using I32 = int;
using Bool = bool;
using Void = void;
using Ptr = void *;

static_assert(sizeof(U32) == 4 && sizeof(U64) == 8);

} // namespace deadheat::abi
