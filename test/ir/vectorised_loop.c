// A vector access carries the site of the scalar one, and so do the accesses of the loop that does the rest.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O2 -g -fno-vectorize -funroll-loops -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s --check-prefix=UNROLLED
//
// An unrolled loop has the same sites many times.

// CHECK: function add
// CHECK-DAG: site [[#A:]] {{.*}} read 4 a[i]
// CHECK-DAG: site [[#B:]] {{.*}} read 4 b[i]
// CHECK-DAG: site [[#W:]] {{.*}} write 4 a[i]
// CHECK: late {{[0-9]+}} read 16 location [[#B]]{{$}}
// CHECK: late {{[0-9]+}} read 16 location [[#A]]{{$}}
// CHECK: late {{[0-9]+}} write 16 location [[#W]]{{$}}
// CHECK: late {{[0-9]+}} read 4 metadata [[#B]]{{$}}
// CHECK: late {{[0-9]+}} write 4 metadata [[#A]] [[#W]]{{$}}
//
// UNROLLED: function add
// UNROLLED: site [[#A:]] {{.*}} read 4 a[i]
// UNROLLED: site [[#W:]] {{.*}} write 4 a[i]
// UNROLLED-COUNT-4: late {{[0-9]+}} write 4 metadata [[#A]] [[#W]]{{$}}
// UNROLLED-NOT: write 16
void add(int *restrict a, const int *restrict b, int n) {
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}
