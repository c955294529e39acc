// A read that a write of the same bytes follows in its block has no hook: the write has its sites, too, and is told for both. Not
// where something may synchronise in between, where the bytes are others, and not a read that comes after.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O2 -g -S -emit-llvm %s -o - | FileCheck %s --check-prefix=TOLD
struct counts {
  int n;
  char low, high;
};

// CHECK: function step
// CHECK: site [[#READ:]] {{.*}} read 4 x->n
// CHECK: site [[#WRITE:]] {{.*}} write 4 x->n
// CHECK-NEXT: late {{[0-9]+}} write 4 {{.*}} [[#READ]] [[#WRITE]]{{$}}
// CHECK-NOT: late
// TOLD-LABEL: define internal void @step.told
// TOLD-NOT: call void @__deadheat_tell_read
// TOLD: load i32
// TOLD: call void @__deadheat_tell_write
// TOLD: store i32
// TOLD: ret void
void step(struct counts *x) { x->n++; }

// CHECK: function stepAround
// CHECK: site [[#READ:]] {{.*}} read 4 x->n
// CHECK: site [[#WRITE:]] {{.*}} write 4 x->n
// CHECK: late {{[0-9]+}} read 4 {{.*}} [[#READ]]{{$}}
// CHECK: late {{[0-9]+}} write 4 {{.*}} [[#WRITE]]{{$}}
void others(void);
void stepAround(struct counts *x) {
  int old = x->n;
  others();
  x->n = old + 1;
}

// CHECK: function stepAfterLoad
// CHECK: site [[#READ:]] {{.*}} read 4 x->n
// CHECK: site [[#ATOMIC:]] {{.*}} atomic read
// CHECK: site [[#WRITE:]] {{.*}} write 4 x->n
// CHECK: late {{[0-9]+}} read 4 {{.*}} [[#READ]]{{$}}
// CHECK: late {{[0-9]+}} atomic read 4 {{.*}} [[#ATOMIC]]{{$}}
// CHECK: late {{[0-9]+}} write 4 {{.*}} [[#WRITE]]{{$}}
void stepAfterLoad(struct counts *x, int *by) {
  int old = *(volatile int *)&x->n;
  x->n = old + __atomic_load_n(by, __ATOMIC_RELAXED);
}

// CHECK: function widen
// CHECK: site [[#READ:]] {{.*}} read 4 x->n
// CHECK: site [[#WRITE:]] {{.*}} write 1
// CHECK: late {{[0-9]+}} read 4 {{.*}} [[#READ]]{{$}}
// CHECK: late {{[0-9]+}} write 1 {{.*}} [[#WRITE]]{{$}}
int widen(struct counts *x) {
  int all = x->n;
  *(char *)x = 1;
  return all;
}

// CHECK: function readAfter
// CHECK: site [[#WRITE:]] {{.*}} write 4 x->n
// CHECK: site [[#READ:]] {{.*}} read 4 x->n
// CHECK: late {{[0-9]+}} write 4 {{.*}} [[#WRITE]]{{$}}
// CHECK: late {{[0-9]+}} read 4 {{.*}} [[#READ]]{{$}}
int readAfter(volatile struct counts *x) {
  x->n = 1;
  return x->n;
}
