#include "runtime/system.h"

// The compiler calls these for copies of structures, whatever it is told; the C library's are not ours to call.
extern "C" {

void *memcpy(void *to, const void *from, unsigned long bytes) {
  void *const result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  return result;
}

void *memset(void *to, int value, unsigned long bytes) {
  void *const result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(value) : "memory");
  return result;
}

} // extern "C"
