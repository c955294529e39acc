// What the fast instruction selector does not know is said otherwise in a told body, and as it was in the plain one.
//
// RUN: %cc -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %cc -O2 -c -Rpass-missed=sdagisel %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSED
// MISSED-NOT: missed{{.*}}select
// MISSED-NOT: missed{{.*}}umin
// MISSED-NOT: missed{{.*}}prefetch

extern int cells[64];
extern unsigned limit;

// CHECK-LABEL: define {{.*}}i32 @words(
// CHECK: call void @llvm.prefetch
// CHECK: call i32 @llvm.umin
// CHECK: select i1 %{{.*}}, i1
// CHECK-LABEL: define {{.*}}i32 @words.told(
// CHECK-NOT: call void @llvm.prefetch
// CHECK: %[[FIRST:.*]] = icmp ult i32
// CHECK-NEXT: select i1 %[[FIRST]], i32
// CHECK: %[[BYTE:.*]] = select i1 %{{.*}}, i8
// CHECK-NEXT: icmp ne i8 %[[BYTE]], 0
int words(unsigned wanted, const int *next) {
  int first = *next;
  __builtin_prefetch(next);
  unsigned taken = wanted < limit ? wanted : limit;
  return taken < 8 && first > 2 ? 3 : cells[taken & 63];
}

// A switch has a block of its own.
// CHECK-LABEL: define {{.*}}i32 @chooses.told(
// CHECK: call void @__deadheat_tell_read
// CHECK: br label %[[CHOOSE:.*]]
// CHECK: [[CHOOSE]]:
// CHECK-NEXT: switch i32
int chooses(int which) {
  switch (cells[which & 63]) {
  case 0: return cells[1];
  case 3: return cells[3] * 7;
  case 9: return cells[5] - 2;
  case 14: return which;
  default: return cells[0];
  }
}
