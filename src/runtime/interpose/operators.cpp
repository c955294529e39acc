// operator new and delete of an allocator that has its own (jemalloc, tcmalloc, mimalloc): they do not come down to malloc and free. Those of the
// C++ library do, and are told there.
//
// Misses  Operators of a library that has no malloc: what they give out may be parts of blocks, of which nobody knows the size.

#include "runtime/interpose/memory.h"

// As the compiler names them; std::nothrow_t comes as an address, std::align_val_t as a number. Where nothing is told they go on by a jump:
// whoever asks where malloc or free was called from finds the caller.
#define NEW(name, parameters, arguments)                                                                               \
  extern "C" void *name parameters;                                                                                    \
  namespace deadheat::runtime {                                                                                        \
  INTERPOSE(void *, name, parameters) {                                                                                \
    if (!tellsOperators()) [[clang::musttail]]                                                                         \
      return NEXT(name) arguments;                                                                                     \
    return allocated(NEXT(name) arguments, bytes, CALLER);                                                             \
  }                                                                                                                    \
  }

#define DELETE(name, parameters, arguments)                                                                            \
  extern "C" void name parameters;                                                                                     \
  namespace deadheat::runtime {                                                                                        \
  INTERPOSE(void, name, parameters) {                                                                                  \
    if (memory && tellsOperators() && !thread.inLibrary) tellGivenBack(memory, CALLER);                                \
    [[clang::musttail]] return NEXT(name) arguments;                                                                   \
  }                                                                                                                    \
  }

namespace deadheat::runtime {
namespace {

bool tellsOperators() { return isAttached() && __atomic_load_n(&hasOwnOperators, __ATOMIC_RELAXED); }

} // namespace
} // namespace deadheat::runtime

using deadheat::abi::U64;

NEW(_Znwm, (U64 bytes), (bytes))
NEW(_Znam, (U64 bytes), (bytes))
NEW(_ZnwmRKSt9nothrow_t, (U64 bytes, const void *nothrow), (bytes, nothrow))
NEW(_ZnamRKSt9nothrow_t, (U64 bytes, const void *nothrow), (bytes, nothrow))
NEW(_ZnwmSt11align_val_t, (U64 bytes, U64 alignment), (bytes, alignment))
NEW(_ZnamSt11align_val_t, (U64 bytes, U64 alignment), (bytes, alignment))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (U64 bytes, U64 alignment, const void *nothrow), (bytes, alignment, nothrow))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (U64 bytes, U64 alignment, const void *nothrow), (bytes, alignment, nothrow))

DELETE(_ZdlPv, (void *memory), (memory))
DELETE(_ZdaPv, (void *memory), (memory))
DELETE(_ZdlPvm, (void *memory, U64 bytes), (memory, bytes))
DELETE(_ZdaPvm, (void *memory, U64 bytes), (memory, bytes))
DELETE(_ZdlPvRKSt9nothrow_t, (void *memory, const void *nothrow), (memory, nothrow))
DELETE(_ZdaPvRKSt9nothrow_t, (void *memory, const void *nothrow), (memory, nothrow))
DELETE(_ZdlPvSt11align_val_t, (void *memory, U64 alignment), (memory, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *memory, U64 alignment), (memory, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *memory, U64 bytes, U64 alignment), (memory, bytes, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *memory, U64 bytes, U64 alignment), (memory, bytes, alignment))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *memory, U64 alignment, const void *nothrow),
       (memory, alignment, nothrow))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *memory, U64 alignment, const void *nothrow),
       (memory, alignment, nothrow))
