// A function whose state cannot travel has two bodies that never change in the midst: it passes its arguments on by a
// guaranteed tail call, which keeps variadic arguments, the return address and the depth of the stack.
//
// RUN: %cc -O1 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not='alloca { '
// RUN: %cc -O1 -DSANITIZED -fsanitize=address -S -emit-llvm %s -o - | FileCheck %s --check-prefix=SANITIZED

#include <setjmp.h>
#include <stdarg.h>

extern int cells[4096];
void touch(void *);
int goesOn(int);

#ifndef SANITIZED
// CHECK-LABEL: define {{.*}}@variadic(
// CHECK: musttail call i32 (i32, ...) @variadic.told(i32 noundef %0, ...)
int variadic(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++) cells[i] += va_arg(list, int), touch(0);
  va_end(list);
  return cells[0];
}

// CHECK-LABEL: define {{.*}}@setsJump(
// CHECK: musttail call void @setsJump.told(
void setsJump(int n) {
  jmp_buf here;
  for (int i = 0; i < n; i++)
    if (!setjmp(here)) cells[i]++, touch(here);
}

// CHECK-LABEL: define {{.*}}@variableSize(
// CHECK: musttail call void @variableSize.told(
void variableSize(int n) {
  for (int i = 1; i < n; i++) {
    int array[i];
    array[0] = cells[i]++;
    touch(array);
  }
}

// CHECK-LABEL: define {{.*}}@jumpsOn(
// CHECK: musttail call i32 @jumpsOn.told(
int jumpsOn(int n) {
  for (int i = 0; i < n; i++) cells[i]++, touch(0);
  if (n == 0) return 0;
  __attribute__((musttail)) return goesOn(n - 1);
}

// CHECK-LABEL: define {{.*}}@returnAddress(
// CHECK: musttail call void @returnAddress.told(
void returnAddress(int n) {
  for (int i = 0; i < n; i++) cells[i]++, touch(__builtin_return_address(0));
}

// An argument in memory is passed on as a copy: a call.
// CHECK-LABEL: define {{.*}}@inMemory(
// CHECK: = call i32 @inMemory.told(ptr {{.*}}byval(
struct Big { long values[9]; };
int inMemory(struct Big big) { return cells[big.values[3]]++; }
#else

// The sanitizer poisons stack slots that are out of scope, and sees scopes in one body only.
// SANITIZED-LABEL: define {{.*}}@scopes(
// SANITIZED: musttail call void @scopes.told(
void scopes(int n) {
  for (int i = 0; i < n; i++) {
    int array[4] = {cells[i]++};
    touch(array);
  }
}
#endif
