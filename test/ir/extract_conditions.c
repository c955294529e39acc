// What a branch asks is told by the values compared, also where the optimiser made one branch of several.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: env DEADHEAT_MODE=extract %cc -O2 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s --check-prefixes=CHECK,MERGED
#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t m;
int x;

// CHECK:      {{^}}  function all
// CHECK:        [[BUSY:%[0-9]+]] = call @pthread_mutex_trylock(@m 'm')
// CHECK-NEXT:   branch [[BUSY]] {{==|!=}} 0 ?
// CHECK-NOT:    choose
// CHECK-NOT:    compare
// CHECK:      {{^}}  function any
void all(int a, int b) {
  if (pthread_mutex_trylock(&m) == 0 && a < b && b != 7) x = 1;
}

// CHECK-NOT:    choose
// CHECK-NOT:    compare
// CHECK-DAG:    branch %0 {{<|>=}} %1 ?
// CHECK-DAG:    branch %1 {{==|!=}} 7 ?
// CHECK-NOT:    choose
// CHECK-NOT:    compare
// CHECK:      {{^}}  function merged
void any(int a, int b) {
  if (a < b || b == 7) x = 1;
}

// The value that is returned comes by the branches that were one.
// MERGED:       block 0
// MERGED-NEXT:    branch %0 > 3 ? ->3 ->2
// MERGED:       block 2
// MERGED-NEXT:    [[RESULT:%[0-9]+]] = phi {{1 from 0|1 from 3|2 from 1}}
// MERGED-NEXT:    [[RESULT]] = phi {{1 from 0|1 from 3|2 from 1}}
// MERGED-NEXT:    [[RESULT]] = phi {{1 from 0|1 from 3|2 from 1}}
// MERGED-NEXT:    return [[RESULT]]
// MERGED:       block 3
// MERGED-NEXT:    branch %1 > 4 ? ->1 ->2
// CHECK:      {{^}}  function masked
int merged(int a, int b) {
  int result = 1;
  if (a > 3 && b > 4) { x = 1; result = 2; }
  return result;
}

// CHECK:        [[BITS:%[0-9]+]] = fold {{%[0-9]+}}, 16
// CHECK-NEXT:   branch [[BITS]] {{==|!=}} 0 ?
// CHECK:      {{^}}  function negated
void masked(int a) {
  if (x & 16) x = a;
}

// CHECK:        [[BUSY:%[0-9]+]] = call @pthread_mutex_trylock(@m 'm')
// CHECK:        branch [[BUSY]] {{==|!=}} 0 ?
bool negated(void) {
  bool held = !pthread_mutex_trylock(&m);
  if (!held) return false;
  x = 1;
  pthread_mutex_unlock(&m);
  return true;
}

// CHECK:      {{^}}  function exchanged
// CHECK:        [[FOUND:%[0-9]+]] = atomic update @x with 1, acquire
// CHECK:        branch [[FOUND]] {{==|!=}} 0 ?
void exchanged(void) {
  int zero = 0;
  while (!__atomic_compare_exchange_n(&x, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) zero = 0;
}
