// Synchronisation is told by both bodies. The plain one reads a byte of the table, the second, and goes round the
// operation by a cold copy of it between two hooks; the told one has the hooks where the operation is.
//
// RUN: %cc -O1 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll && FileCheck %s --check-prefix=TOLD < %t.ll
// RUN: %cc -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=QUICK --implicit-check-not=preserve_mostcc

extern int flag;
extern int cells[64];

// Order 2 is acquire, bit 8 says that it succeeded, bit 9 that it is a load.
// CHECK-LABEL: define {{.*}}@acquires(
// CHECK: load i8, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 1)
// CHECK-NEXT: %[[ASKED:.*]] = icmp ne i8
// CHECK-NEXT: br i1 %[[ASKED]], label %[[TELL:.*]], label %[[GO:.*]], !prof
// CHECK: [[TELL]]:
// CHECK-NEXT: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 56)
// CHECK-NEXT: call preserve_mostcc void %{{.*}}(ptr @flag, ptr [[ACCESS:@__deadheat_accesses|getelementptr inbounds \(i8, ptr @__deadheat_accesses, i64 [0-9]+\)]])
// CHECK-NEXT: %[[COLD:.*]] = load atomic i32, ptr @flag acquire
// CHECK-NEXT: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 64)
// CHECK-NEXT: call preserve_mostcc void %{{.*}}(ptr @flag, ptr [[ACCESS]], i32 770)
// CHECK-NEXT: br label %[[ON:.*]]
// CHECK: [[GO]]:
// CHECK-NEXT: %[[PLAIN:.*]] = load atomic i32, ptr @flag acquire
// CHECK-NEXT: br label %[[ON]]
// CHECK: [[ON]]:
// CHECK-NEXT: %[[VALUE:.*]] = phi i32 [ %[[PLAIN]], %[[GO]] ], [ %[[COLD]], %[[TELL]] ]
// CHECK: ret i32 %[[VALUE]]
//
// TOLD-LABEL: define internal i32 @acquires.told(
// TOLD-NOT: br
// TOLD: call void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}})
// TOLD-NEXT: load atomic i32, ptr @flag acquire
// TOLD-NEXT: load ptr
// TOLD-NEXT: call void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 770)
// TOLD-NEXT: ret i32
//
// QUICK-LABEL: define {{.*}}@acquires(
// QUICK: i32 1)
// QUICK: call void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 770)
int acquires(void) { return __atomic_load_n(&flag, __ATOMIC_ACQUIRE); }

// CHECK-LABEL: define {{.*}}@releases(
// CHECK: store atomic i32 %value, ptr @flag release
// CHECK: call preserve_mostcc void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 1283)
// CHECK: store atomic i32 %value, ptr @flag release
void releases(int value) { __atomic_store_n(&flag, value, __ATOMIC_RELEASE); }

// CHECK-LABEL: define {{.*}}@updates(
// CHECK: %[[COLD:.*]] = atomicrmw add ptr @flag, i32 1 monotonic
// CHECK: call preserve_mostcc void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 256)
// CHECK: %[[PLAIN:.*]] = atomicrmw add ptr @flag, i32 1 monotonic
// CHECK: phi i32 [ %[[PLAIN]], %{{.*}} ], [ %[[COLD]], %{{.*}} ]
int updates(void) { return __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED); }

// Order 4, failure order 2; whether it succeeded is known afterwards.
// CHECK-LABEL: define {{.*}}@exchanges(
// CHECK: %[[PAIR:.*]] = cmpxchg ptr @flag, i32 %{{.*}}, i32 1 acq_rel acquire
// CHECK-NEXT: %[[SUCCEEDED:.*]] = extractvalue { i32, i1 } %[[PAIR]], 1
// CHECK-NEXT: %[[WIDE:.*]] = zext i1 %[[SUCCEEDED]] to i32
// CHECK-NEXT: %[[BIT:.*]] = shl i32 %[[WIDE]], 8
// CHECK-NEXT: %[[INFO:.*]] = or i32 36, %[[BIT]]
// CHECK: call preserve_mostcc void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 %[[INFO]])
// CHECK: cmpxchg ptr @flag
// CHECK: phi { i32, i1 }
int exchanges(int old) {
  return __atomic_compare_exchange_n(&flag, &old, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// A fence is told before it; a barrier for the compiler orders no threads and is not told.
// CHECK-LABEL: define {{.*}}@fences(
// CHECK: load i8, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 1)
// CHECK: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 72)
// CHECK-NEXT: call preserve_mostcc void %{{.*}}(ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 5)
// CHECK: fence seq_cst
// CHECK-NOT: @__deadheat_table, i32 1)
// CHECK: fence syncscope("singlethread") release
// CHECK: }
void fences(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_RELEASE);
}

// The wait goes on by the tests of its own: the back edge is found although the operation before it was split off.
// CHECK-LABEL: define {{.*}}@waits(
// CHECK-COUNT-2: load atomic i32, ptr @flag acquire
// CHECK: back:
// CHECK-NEXT: load i8, ptr @__deadheat_table
// CHECK: cross:
// CHECK: %[[SLOT:.*]] = call ptr @llvm.addressofreturnaddress.p0()
// CHECK-NEXT: %[[FIELD:.*]] = getelementptr inbounds {{.*}} %frame, i32 0, i32 1
// CHECK-NEXT: store ptr %[[SLOT]], ptr %[[FIELD]]
void waits(void) {
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) cells[0]++;
}

// A volatile access is a plain one.
// CHECK-LABEL: define {{.*}}@isVolatile(
// CHECK-NOT: @__deadheat_table, i32 1)
// CHECK: ret i32
int isVolatile(void) { return *(volatile int *)cells; }

// One body: the same test for synchronisation.
// CHECK-LABEL: define {{.*}}@oneBody(
// CHECK: load i8, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 1)
// CHECK: call preserve_mostcc void %{{.*}}(ptr @flag, ptr {{.*}}@__deadheat_accesses{{[^,]*(, i64 [0-9]+\))?}}, i32 773)
// CHECK: call void @__deadheat_tell_read(ptr @cells, i32 {{[0-9]+}})
// CHECK: load i32, ptr @cells
int oneBody(void) {
  __asm__ volatile("the_only_one:");
  int first = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
  return first + cells[0];
}
