// A function that cannot be copied keeps one body, and each access asks for itself.
//
// RUN: %cc -O1 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=.told

#include <stdarg.h>

extern int cells[64];

// CHECK-LABEL: define {{.*}}@computedGoto(
// CHECK: load i8, ptr @__deadheat_table
// CHECK-NEXT: icmp ne i8
// CHECK-NEXT: br i1 %{{.*}}, label %[[TELL:.*]], label %[[GO:.*]], !prof
// CHECK: [[TELL]]:
// CHECK: call preserve_mostcc void %{{.*}}(ptr @cells, ptr @{{[0-9]+}})
// CHECK: br label %[[GO]]
// CHECK: [[GO]]:
// CHECK-NEXT: load i32, ptr @cells
// CHECK: indirectbr
int computedGoto(const unsigned char *code) {
  static const void *const labels[] = {&&more, &&stop};
  int sum = 0;
  goto *labels[*code++];
more:
  sum += cells[0];
  goto *labels[*code++];
stop:
  return sum;
}

// CHECK-LABEL: define {{.*}}@labelInAssembly(
// CHECK: br i1 %{{.*}}, !prof
int labelInAssembly(void) {
  __asm__ volatile("the_only_one:");
  return cells[1];
}

// CHECK-LABEL: define {{.*}}@macroInAssembly(
// CHECK: br i1 %{{.*}}, !prof
int macroInAssembly(void) {
  __asm__ volatile(".macro the_only_macro\n.endm");
  return cells[1];
}

// CHECK-LABEL: define {{.*}}@asmGoto(
// CHECK: br i1 %{{.*}}, !prof
int asmGoto(void) {
  __asm__ goto("jmp %l0" : : : : out);
  return 1;
out:
  return cells[2];
}

// CHECK-LABEL: define {{.*}}@variadicInMemory(
// CHECK: br i1 %{{.*}}, !prof
struct Big { long values[9]; };
int variadicInMemory(struct Big big, ...) {
  va_list list;
  va_start(list, big);
  int last = va_arg(list, int);
  va_end(list);
  return cells[big.values[3]] + last;
}
