// Code of the program that ends in a call of the library keeps its frame; what it calls of its own, and what must be a jump, stays.
//
// RUN: %cc -g -O2 -S -emit-llvm %s -o - | FileCheck %s

#include <pthread.h>

extern int shared;
int others(pthread_mutex_t *lock);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// CHECK-LABEL: define {{.*}}@take(
// CHECK: notail call i32 @pthread_mutex_lock(
int take(void) {
  shared++;
  return pthread_mutex_lock(&lock);
}

// CHECK-LABEL: define {{.*}}@goOn(
// CHECK: {{[ \t]}}tail call i32 @others(
int goOn(void) {
  shared++;
  return others(&lock);
}

// CHECK-LABEL: define {{.*}}@jump(
// CHECK: musttail call i32 @pthread_mutex_unlock(
int jump(pthread_mutex_t *held) {
  shared++;
  __attribute__((musttail)) return pthread_mutex_unlock(held);
}

// CHECK-LABEL: define {{.*}}@lookAtBoth(
// CHECK: {{[ \t]}}tail call i32 @pthread_mutex_trylock(
int lookAtBoth(void) { return pthread_mutex_trylock(&lock) + shared; }
