// Each lane of a masked access is told for itself, with a null address where it takes no part.
//
// RUN: %cc -O2 -march=haswell -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define internal {{.*}}@some.told(
// CHECK: %[[FIRST:.*]] = getelementptr i8, ptr %[[FROM:.*]], i64 0
// CHECK-NEXT: %[[BIT:.*]] = extractelement <8 x i1> %[[MASK:.*]], i64 0
// CHECK-NEXT: %[[LANE:.*]] = select i1 %[[BIT]], ptr %[[FIRST]], ptr null
// CHECK: call void @__deadheat_tell_read(ptr %[[LANE]], i32 [[SLOT:[0-9]+]])
// CHECK-NEXT: %[[SECOND:.*]] = getelementptr i8, ptr %[[FROM]], i64 4
// CHECK-NEXT: %[[BIT:.*]] = extractelement <8 x i1> %[[MASK]], i64 1
// CHECK-NEXT: %[[LANE:.*]] = select i1 %[[BIT]], ptr %[[SECOND]], ptr null
// CHECK: call void @__deadheat_tell_read(ptr %[[LANE]], i32 [[SLOT]])
// CHECK-COUNT-6: call void @__deadheat_tell_read(ptr %{{.*}}, i32 [[SLOT]])
// CHECK-NEXT: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %[[FROM]], i32 4, <8 x i1> %[[MASK]]
// CHECK-COUNT-8: call void @__deadheat_tell_write(ptr %{{.*}}, i32 {{[0-9]+}})
// CHECK-NEXT: call void @llvm.masked.store.v8i32
void some(int *restrict a, const int *restrict b, const int *restrict chosen, int n) {
  for (int i = 0; i < n; i++)
    if (chosen[i]) a[i] = b[i];
}
