// A function asks at entry whether a runtime is attached; its second body is a cold local function in the same COMDAT,
// which is left to the quick code generator.
//
// RUN: %cxx -O2 -fno-discard-value-names -S -emit-llvm %s -o %t.ll && FileCheck %s < %t.ll

extern int cells[64];
int inHeader(int n);

// A function without accesses has one body and asks nothing.
// CHECK-LABEL: define {{.*}}@_Z5callsi
// CHECK-NOT: __deadheat_table
// CHECK: }
int calls(int n) { return inHeader(n) * 2; }

// CHECK-LABEL: define linkonce_odr {{.*}}i32 @_Z8inHeaderi(i32 noundef %n){{.*}} comdat {
// CHECK-NEXT: entry:
// CHECK-NEXT: %[[ACTIVE:.*]] = load i8, ptr @__deadheat_table
// CHECK-NEXT: %[[ATTACHED:.*]] = icmp ne i8 %[[ACTIVE]], 0
// CHECK-NEXT: br i1 %[[ATTACHED]], label %ask, label %[[PLAIN:[0-9]+]], !prof ![[RARELY:[0-9]+]]
// CHECK: [[PLAIN]]:
// CHECK-NOT: __deadheat_table
// CHECK: told:
// CHECK-NEXT: %[[RESULT:.*]] = musttail call noundef i32 @_Z8inHeaderi.told(i32 noundef %n)
// CHECK-NEXT: ret i32 %[[RESULT]]
// CHECK: ask:
// CHECK-NEXT: %[[WORD:.*]] = call align 8 ptr @llvm.threadlocal.address.p0(ptr align 8 @__deadheat_near)
// CHECK-NEXT: %[[NEAR:.*]] = load ptr, ptr %[[WORD]]
// CHECK-NEXT: %[[UNKNOWN:.*]] = icmp eq ptr %[[NEAR]], null
// CHECK-NEXT: br i1 %[[UNKNOWN]], label %call, label %count
// CHECK: count:
// CHECK-NEXT: %[[PAUSE:.*]] = getelementptr i64, ptr %[[NEAR]], i64 ptrtoint (ptr @__deadheat_functions to i64)
// CHECK: store i32 %{{.*}}, ptr %[[PAUSE]]
// CHECK: br i1 %{{.*}}, label %call, label %[[PLAIN]], !prof ![[RARELY]]
// CHECK: call:
// CHECK-NEXT: %[[SLOT:.*]] = call ptr @llvm.addressofreturnaddress.p0()
// CHECK-NEXT: %[[HERE:.*]] = call align 8 ptr @llvm.threadlocal.address.p0(ptr align 8 @__deadheat_near)
// CHECK-NEXT: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 8)
// CHECK-NEXT: %[[ANSWER:.*]] = call preserve_mostcc zeroext i1 %{{.*}}(ptr @__deadheat_functions, ptr %[[SLOT]], ptr %[[HERE]])
// CHECK-NEXT: br i1 %[[ANSWER]], label %told, label %[[PLAIN]]
inline __attribute__((noinline)) int inHeader(int n) { return cells[n]++; }

// Assembly with local labels and segments may be copied.
// CHECK-LABEL: define {{.*}}@_Z8assemblyi(
// CHECK: musttail call {{.*}}@_Z8assemblyi.told(
int assembly(int n) {
  __asm__ volatile("1: jmp 1f\n\tmovq %%fs:0, %%rax\n.Lhere%=:\n1:" : : : "rax");
  return cells[n];
}

// CHECK-LABEL: define internal noundef i32 @_Z8inHeaderi.told(i32 noundef %{{[^)]*}})
// CHECK-SAME: #[[TOLD:[0-9]+]] comdat($_Z8inHeaderi) !section_prefix ![[UNLIKELY:[0-9]+]]
// CHECK: load i32, ptr %[[CELL:[^,]*]],
// CHECK: call void @__deadheat_tell_write(ptr %[[CELL]], i32 0)
// CHECK-NEXT: store i32 %{{.*}}, ptr %[[CELL]]
// CHECK: ret i32

// CHECK: attributes #[[TOLD]] = { cold {{.*}}noinline {{.*}}optnone
// CHECK-DAG: ![[RARELY]] = !{!"branch_weights", i32 1, i32 1048576}
// CHECK-DAG: ![[UNLIKELY]] = !{!"function_section_prefix", !"unlikely"}
