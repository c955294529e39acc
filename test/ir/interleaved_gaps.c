// A loop over one field reads no other: where a vector is loaded over the gaps, only the lanes that are used are accesses.
//
// The optimiser does load over the gaps:
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN: load <4 x i32>
// PLAIN: shufflevector <4 x i32> {{.*}} <i32 0, i32 2>
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=TOLD
struct pair {
  int a, b;
};

// CHECK: site [[#A:]] {{.*}} read 4 p[i].a struct pair.a
// CHECK-NEXT: late {{[0-9]+}} read 4 location [[#A]]{{$}}
// CHECK-NOT: read 16
// Two of four lanes are told before the load:
// TOLD: define {{.*}}@sum.told
// TOLD: select i1 true
// TOLD-NEXT: call void @__deadheat_tell_read
// TOLD: select i1 true
// TOLD-NEXT: call void @__deadheat_tell_read
// TOLD-NOT: select i1
// TOLD: load <4 x i32>
long sum(struct pair *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a;
  return s;
}
