// Locks and counters that a program brings as assembly are atomic operations, and its barriers are fences.
//
// RUN: %cc -O1 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=TOLD

int word;
long counter;

// CHECK-LABEL: function locks
// CHECK: atomic update {{.*}}word
// TOLD-LABEL: define {{.*}}@locks(
// One test of the table decides about both hooks; the text is there once for each body.
// TOLD: load i8, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 1)
// TOLD-NEXT: %[[ASKED:.*]] = icmp ne i8
// TOLD-NEXT: br i1 %[[ASKED]], label %[[BEGIN:.*]], label %[[OPERATION:.*]], !prof
// TOLD: [[BEGIN]]:
// TOLD: call {{.*}}(ptr @word, ptr @__deadheat_accesses)
// TOLD: [[OPERATION]]:
// TOLD-NEXT: call {{.*}}asm sideeffect "xchgl
// TOLD-NEXT: br i1 %[[ASKED]], label %[[END:.*]], label %{{.*}}, !prof
// TOLD: [[END]]:
// TOLD: call {{.*}}(ptr @word, ptr @__deadheat_accesses, i32 261)
// TOLD-NOT: asm sideeffect
// TOLD: ret
int locks(void) {
  int value = 1;
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(word) : : "memory");
  return value;
}

// CHECK-LABEL: function counts
// CHECK: atomic update {{.*}}counter
long counts(long by) {
  __asm__ __volatile__("lock\n\txaddq %0, %1\n" : "+r"(by), "+m"(counter) : : "cc");
  return by;
}

// The address is in a register; the size is the suffix's.
// CHECK-LABEL: function counted
// CHECK: atomic update
void counted(int *cell) { __asm__ __volatile__("1: lock; incl (%0)" : : "r"(cell) : "memory"); }

// CHECK-LABEL: function fences
// CHECK: fence
// CHECK: fence
void fences(void) {
  __asm__ __volatile__("mfence" : : : "memory");
  __asm__ __volatile__("lock; addl $0, -4(%%rsp)" : : : "memory", "cc");
}

// CHECK-LABEL: function others
// CHECK-NOT: atomic
// CHECK: assembly
// CHECK-NOT: atomic
void others(int *cell) {
  __asm__ __volatile__("incl (%0) # lock" : : "r"(cell) : "memory");
  __asm__ __volatile__("blocked_label: lock; incl (%0)" : : "r"(cell) : "memory");
}
