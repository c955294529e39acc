// What ThreadSanitizer's own tests need of its runtime and what no program of users calls: a barrier that orders threads without being
// seen, and the size of a shadow stack. Compiled by plain clang: nothing here may be told.
#include <linux/futex.h>
#include <stddef.h>

// The low half counts who takes part, the high half who has come. Raw system calls, as those of libc are interposed.
static const unsigned kArrival = 1u << 16;

static void futex(unsigned *word, int operation, unsigned value) {
  register void *timeout __asm__("r10") = NULL;
  long result = 202;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(word), "S"(operation), "d"((unsigned long)value), "r"(timeout)
                   : "rcx", "r11", "memory");
}

static unsigned round(unsigned state) { return (state >> 16) / (state & 0xffff); }

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count) {
  __atomic_store_n(barrier, count, __ATOMIC_SEQ_CST);
}

void __tsan_testonly_barrier_wait(unsigned *barrier) {
  unsigned before = __atomic_fetch_add(barrier, kArrival, __ATOMIC_SEQ_CST);
  unsigned now = before + kArrival;
  if (round(now) != round(before)) return futex(barrier, FUTEX_WAKE, 0x7fffffff);
  while (round(now) == round(before)) {
    futex(barrier, FUTEX_WAIT, now);
    now = __atomic_load_n(barrier, __ATOMIC_SEQ_CST);
  }
}

unsigned long __tsan_testonly_shadow_stack_current_size(void) { return 0; }
