// Atomic accesses are told from plain ones, volatile ones are not; a fence has no address, and a compiler's barrier is none.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
#include <stdatomic.h>

struct state {
  atomic_int refs;
  int old;
  volatile int flag;
} s;

// CHECK: function all
// CHECK: site {{[0-9]+}} [[#@LINE+3]]:{{.*}} atomic write 4 s.refs
// CHECK: site {{[0-9]+}} [[#@LINE+3]]:{{.*}} atomic update 4 s.refs
int all(int expected) {
  atomic_store(&s.refs, 1);
  atomic_fetch_add(&s.refs, 1);
  // CHECK: site {{[0-9]+}} [[#@LINE+1]]:{{.*}} atomic update 4 s.refs
  atomic_compare_exchange_strong(&s.refs, &expected, 2);
  // CHECK: site {{[0-9]+}} [[#@LINE+1]]:{{.*}} fence -
  atomic_thread_fence(memory_order_acquire);
  atomic_signal_fence(memory_order_acquire);
  // CHECK-NOT: fence
  // CHECK: site {{[0-9]+}} [[#@LINE+1]]:{{.*}} atomic update 4 s.old
  __sync_fetch_and_add(&s.old, 1);
  // CHECK: site {{[0-9]+}} [[#@LINE+1]]:{{.*}} write 4 s.flag
  s.flag = 1;
  // CHECK: site {{[0-9]+}} [[#@LINE+1]]:{{.*}} atomic read 4 s.refs
  return atomic_load_explicit(&s.refs, memory_order_relaxed);
}
