// A function that cannot be copied keeps one body: it remembers in a stack slot what the runtime answered, and looks
// there before each access. At -O0 every function does so.
//
// RUN: %cc -O1 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=.told
// RUN: %cc -O0 -DQUICK -S -emit-llvm %s -o - | FileCheck %s --check-prefix=QUICK --implicit-check-not=.told --implicit-check-not=preserve_mostcc

#include <stdarg.h>

extern int cells[64];

// CHECK-LABEL: define {{.*}}@computedGoto(
// CHECK-NEXT: entry:
// CHECK-NEXT: %[[SLOT:.*]] = alloca i8
// CHECK-NEXT: load i8, ptr @__deadheat_table
// CHECK-NEXT: %[[ACTIVE:.*]] = icmp ne i8
// CHECK-NEXT: %[[BYTE:.*]] = zext i1 %[[ACTIVE]] to i8
// CHECK-NEXT: store i8 %[[BYTE]], ptr %[[SLOT]]
// CHECK-NEXT: br i1 %[[ACTIVE]], label %[[ASK:.*]], label %[[START:.*]], !prof
// CHECK: [[ASK]]:
// CHECK: %[[RETURN:.*]] = call ptr @llvm.addressofreturnaddress.p0()
// CHECK: %[[ANSWER:.*]] = call preserve_mostcc zeroext i1 %{{.*}}(ptr @__deadheat_functions, ptr %[[RETURN]])
// CHECK-NEXT: %[[BYTE:.*]] = zext i1 %[[ANSWER]] to i8
// CHECK-NEXT: store i8 %[[BYTE]], ptr %[[SLOT]]
// CHECK-NEXT: br label %[[START]]
// CHECK: more:
// CHECK: load i8, ptr %[[SLOT]]
// CHECK-NEXT: icmp ne i8
// CHECK-NEXT: br i1 %{{.*}}, label %[[TELL:.*]], label %[[GO:.*]], !prof
// CHECK: [[TELL]]:
// CHECK: call void @__deadheat_tell_read(ptr @cells, i32 {{[0-9]+}})
// CHECK-NEXT: br label %[[GO]]
// CHECK: [[GO]]:
// CHECK-NEXT: load i32, ptr @cells
// CHECK: indirectgoto:
// CHECK: load i8, ptr @__deadheat_table
// CHECK: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 16)
// CHECK: store i8 %{{.*}}, ptr %[[SLOT]]
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

// Both accesses of a copy are told behind one test.
// QUICK-LABEL: define {{.*}}@copies(
// QUICK: %[[SLOT:.*]] = alloca i8
// QUICK: load i8, ptr %[[SLOT]]
// QUICK: br i1
// QUICK: call void @__deadheat_tell_write_range
// QUICK-NEXT: call void @__deadheat_tell_read_range
// QUICK-NEXT: br label
// QUICK: call void @llvm.memcpy
#ifdef QUICK
void copies(struct Big *to, struct Big *from) { *to = *from; }
#endif
