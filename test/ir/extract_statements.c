// Each kind of statement, from C.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cc -O1 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

struct item {
  struct item *next;
  int value;
  char name[16];
};
struct queue {
  struct item *head;
  int count;
  pthread_mutex_t lock;
  atomic_int refs;
  int (*compare)(int, int);
  unsigned kind : 3, state : 5;
  volatile int flag;
} q;

// CHECK:      {{^}}  function fields
// CHECK-NEXT:   code: 2 parameters
// CHECK-NEXT:   block 0
// CHECK-NEXT:   [[HEAD:%[0-9]+]] = load %0  site {{[0-9]+}} x->head
// CHECK-NEXT:   store %1 = [[HEAD]]  site {{[0-9]+}} i->next
// CHECK-NEXT:   [[COUNT:%[0-9]+]] = field %0 + 8
// CHECK-NEXT:   [[OLD:%[0-9]+]] = load [[COUNT]]  site {{[0-9]+}} x->count
// CHECK-NEXT:   [[NEW:%[0-9]+]] = compute [[OLD]], 1
// CHECK-NEXT:   store [[COUNT]] = [[NEW]]  site {{[0-9]+}} x->count
// CHECK-NEXT:   return
void fields(struct queue *x, struct item *i) {
  i->next = x->head;
  x->count++;
}

// CHECK:      {{^}}  function elements
// CHECK:        phi
// CHECK:        branch [[I:%[0-9]+]] < %1 ?
// CHECK:        [[ELEMENT:%[0-9]+]] = index %0 + [[I]] * 32
// CHECK-NEXT:   [[VALUE:%[0-9]+]] = field [[ELEMENT]] + 8
// CHECK-NEXT:   load [[VALUE]]  site {{[0-9]+}} all[i].value
int elements(struct item *all, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += all[i].value;
  return sum;
}

// CHECK:      {{^}}  function tries
// CHECK:        [[LOCK:%[0-9]+]] = field %0 + 16
// CHECK-NEXT:   [[BUSY:%[0-9]+]] = call @pthread_mutex_trylock([[LOCK]] 'x->lock')  [[#@LINE+6]]:8
// CHECK-NEXT:   branch [[BUSY]] {{== 0 \? ->1 ->|!= 0 \? ->[0-9]+ ->1}}
// CHECK:        block 1
// CHECK:        call @pthread_mutex_unlock({{%[0-9]+}} 'x->lock')
// CHECK:        return
int tries(struct queue *x) {
  if (!pthread_mutex_trylock(&x->lock)) {
    pthread_mutex_unlock(&x->lock);
    return 1;
  }
  return 0;
}

// CHECK:      {{^}}  function pointers
// CHECK:        [[SLOT:%[0-9]+]] = field %0 + 64
// CHECK-NEXT:   [[CALLEE:%[0-9]+]] = load [[SLOT]]  site {{[0-9]+}} x->compare
// CHECK-NEXT:   [[RESULT:%[0-9]+]] = call [[CALLEE]](1, -2) as i32(i32,i32), may unwind
// CHECK-NEXT:   return [[RESULT]]
int pointers(struct queue *x) { return x->compare(1, -2); }

// CHECK:      {{^}}  function atomics
// CHECK:        [[REFS:%[0-9]+]] = field @q + 56
// CHECK-NEXT:   atomic store [[REFS]] = _, acq_rel, up  site {{[0-9]+}} q.refs
// CHECK:        [[FOUND:%[0-9]+]] = atomic update {{%[0-9]+}} with 4, seq_cst
// CHECK:        branch {{.*}} == {{.*}} ?
// CHECK:        fence, release
// CHECK:        atomic store {{%[0-9]+}} = 5, release
// CHECK:        atomic load {{%[0-9]+}}, relaxed
int atomics(void) {
  atomic_fetch_add_explicit(&q.refs, 1, memory_order_acq_rel);
  int expected = 3;
  if (atomic_compare_exchange_strong(&q.refs, &expected, 4)) q.count = 4;
  atomic_thread_fence(memory_order_release);
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&q.refs, 5, memory_order_release);
  return atomic_load_explicit(&q.refs, memory_order_relaxed);
}

// CHECK:      {{^}}  function ranges
// CHECK-NEXT:   code
// CHECK-NEXT:   block 0
// CHECK-NEXT:   transfer %0 = %1, 32 bytes  site {{[0-9]+}} *a <- site {{[0-9]+}} *b
// CHECK-NEXT:   [[NAME:%[0-9]+]] = field %0 + 12
// CHECK-NEXT:   fill [[NAME]] = 0, ? bytes  site {{[0-9]+}} a->name
void ranges(struct item *a, struct item *b, int n) {
  *a = *b;
  memset(a->name, 0, n);
}

// CHECK:      {{^}}  function others
// CHECK:        store {{%[0-9]+}} = 1, volatile  site {{[0-9]+}} q.flag
// CHECK-NEXT:   call assembly()
// CHECK-NOT:    assembly
// CHECK:        load {{%[0-9]+}}  site {{[0-9]+}} q.state
// CHECK:        switch %0 else ->{{[0-9]+}} 1 ->{{[0-9]+}} -5 ->{{[0-9]+}}
void others(int n) {
  q.flag = 1;
  __asm__ volatile("nop" ::: "memory");
  __asm__ volatile("" ::: "memory");
  q.state = 3;
  switch (n) {
  case 1: q.count = 2; break;
  case -5: q.count = 3; break;
  }
}

// A value that is passed in a register is told where it is an address, and a comparison where it is used as a number.
// CHECK:      {{^}}  function truths
// CHECK:        [[LESS:%[0-9]+]] = compare %0 < %1
// CHECK-NEXT:   return [[LESS]]
int truths(int a, int b) { return a < b; }

// CHECK:      {{^}}  function endless
// CHECK:        call @abort(), does not return
// CHECK-NEXT:   stop
void abort(void) __attribute__((noreturn));
void endless(void) { abort(); }

// CHECK:      {{^}}  function count
// CHECK-NEXT:   variadic
int count(int n, ...) { return n; }
