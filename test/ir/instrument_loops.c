// Which loops ask, and how control passes between the bodies there. State is stored after the answer, not before.
//
// RUN: %cc -O1 -fno-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll && FileCheck %s --check-prefix=TOLD < %t.ll

extern int cells[4096];
void touch(void);

// The state travels in the frame: result, return slot, argument, the bound and the counter.
// CHECK-LABEL: define {{.*}}void @calling(i32 noundef %n)
// CHECK: %frame = alloca { i8, ptr, i32, i64, i64 }
// CHECK: br i1 %{{.*}}, label %ask, label %{{.*}}, !prof
// CHECK: for.body:
// CHECK: %[[NEXT:.*]] = add nuw nsw i64 %{{.*}}, 1
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %back
// CHECK: back:
// CHECK-NEXT: load i8, ptr @__deadheat_table
// CHECK-NEXT: icmp ne i8
// CHECK-NEXT: br i1 %{{.*}}, label %[[ASK:ask[0-9]+]], label %for.body, !prof
// CHECK: cross:
// CHECK-NEXT: %[[WHERE:.*]] = phi i32 [ 0, %save ], [ 1, %[[SAVE:save[0-9]+]] ]
// CHECK: store ptr %{{.*}}, ptr %{{.*}}
// CHECK-NEXT: %[[RETURNED:.*]] = call i32 @calling.told(ptr %frame, i32 %[[WHERE]])
// CHECK: switch i32 %[[RETURNED]], label %done [
// CHECK-NEXT: i32 1, label %resume
// CHECK: save:
// CHECK: store i32 %n, ptr
// CHECK: ask:
// CHECK: call preserve_mostcc
// CHECK-NEXT: br i1 %{{.*}}, label %save, label
// CHECK: [[SAVE]]:
// CHECK: store i64 %[[NEXT]], ptr
// CHECK: [[ASK]]:
// CHECK: call preserve_mostcc
// CHECK-NEXT: br i1 %{{.*}}, label %[[SAVE]], label %for.body
// CHECK: resume:
// CHECK: load i64, ptr
// CHECK: br label %for.body
void calling(int n) {
  for (int i = 0; i < n; i++) cells[i]++, touch();
}

// TOLD-LABEL: define internal i32 @calling.told(ptr %0, i32 %1)
// TOLD: %[[SLOT:.*]] = load ptr, ptr %{{.*}}
// TOLD: ret i32 -1
// TOLD: switch i32 %1
// TOLD: load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 16)
// TOLD-NEXT: call zeroext i1 %{{.*}}(ptr {{.*}}, ptr %[[SLOT]])
// TOLD: store i64
// TOLD: ret i32 1

// Once in 1024 iterations: bits 0 to 9 of the counter.
// CHECK-LABEL: define {{.*}}@counting(
// CHECK: back:
// CHECK-NEXT: %[[BITS:.*]] = and i64 %{{.*}}, 1023
// CHECK-NEXT: icmp eq i64 %[[BITS]], 0
// CHECK-NEXT: br i1 %{{.*}}, label %stretch, label %for.body, !prof ![[STRETCH:[0-9]+]]
// CHECK: stretch:
// CHECK-NEXT: load i8, ptr @__deadheat_table
void counting(int n) {
  for (int i = 0; i < n; i++) cells[i] *= 3;
}

// A step of 12 is odd times four: bits 2 to 11.
// CHECK-LABEL: define {{.*}}@stepping(
// CHECK: and i64 %{{.*}}, 4092
// CHECK: stretch:
void stepping(unsigned long n) {
  for (unsigned long i = 0; i < n; i += 12) cells[i] *= 3;
}

// At most 256 iterations: no check, hence no frame.
// CHECK-LABEL: define {{.*}}@bounded(
// CHECK-NOT: %frame
// CHECK-NOT: back:
// CHECK: musttail call {{.*}}@bounded.told(
void bounded(int n) {
  for (int i = 0; i < (n & 255); i++) cells[i] *= 3;
}

// CHECK-LABEL: define {{.*}}@quiet(
// CHECK-NOT: back:
// CHECK: musttail call {{.*}}@quiet.told(
unsigned quiet(unsigned n) {
  unsigned value = cells[0];
  while (n--) value = value * value + n;
  return value;
}

// The outer loop asks for the inner one.
// CHECK-LABEL: define {{.*}}@nested(
// CHECK: back:
// CHECK-NOT: {{back[0-9]+}}:
// CHECK: cross:
// CHECK: i32 1, label %resume
// CHECK-NEXT: ]
void nested(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) cells[j] *= 3;
}

// CHECK: ![[STRETCH]] = !{!"branch_weights", i32 1, i32 1024}
