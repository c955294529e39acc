// What is said of a function by attributes, and does not hold of its second body, is not said there.
//
// RUN: %cc -O1 -pg -Wframe-larger-than=512 -S -emit-llvm %s -o %t.ll && FileCheck %s < %t.ll
// RUN: grep '^attributes .* optnone ' %t.ll | FileCheck %s --check-prefix=TOLD --implicit-check-not=noreturn \
// RUN:   --implicit-check-not=allocsize --implicit-check-not=memory --implicit-check-not=instrument-function --implicit-check-not=warn-stack-size

#include <stddef.h>

extern int cells[4096];
void *more(size_t);
void leave(int);

// It returns to the plain body, where it goes on.
// CHECK: define {{.*}}@endless({{.*}} #[[ENDLESS:[0-9]+]]
_Noreturn void endless(int n) {
  for (int i = 0;; i++) cells[i & n]++, leave(i);
}

// Its arguments are not the function's.
// CHECK: define {{.*}}@allocate({{.*}} #[[ALLOCATE:[0-9]+]]
__attribute__((alloc_size(1))) char *allocate(size_t n) {
  char *memory = more(n);
  for (size_t i = 0; i < n; i++) memory[i] = 1, leave(cells[0]);
  return memory;
}

// A call enters once, and the stack frame that the user asked about is the plain one, unless our record is in it. It is
// not pure any more.
// CHECK: define {{.*}}@answer({{.*}} #[[ANSWER:[0-9]+]]
int answer(int n) { return cells[n] + 42; }

// CHECK: define internal i32 @endless.told(ptr
// CHECK: define internal i32 @allocate.told(ptr
// CHECK: define internal {{.*}}i32 @answer.told(i32
// CHECK-DAG: attributes #[[ENDLESS]] = { {{.*}}noreturn
// CHECK-DAG: attributes #[[ALLOCATE]] = { {{.*}}allocsize(0){{.*}}"tune-cpu"="generic" }
// CHECK-DAG: attributes #[[ANSWER]] = { {{.*}}"instrument-function-entry-inlined"="mcount"{{.*}}"warn-stack-size"="512"
// TOLD: attributes {{.*}} cold
