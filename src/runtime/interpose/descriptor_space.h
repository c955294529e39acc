// Objects of the kernel as objects of synchronisation: at addresses where nothing of the program is ever loaded.
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime {

constexpr U64 kDescriptorSpace = U64(1) << 46;

inline const void *objectAt(U64 number) { return reinterpret_cast<const void *>(kDescriptorSpace | number << 6); }

} // namespace deadheat::runtime
