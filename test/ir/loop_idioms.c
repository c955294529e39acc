// A loop that the optimiser takes for memset or memcpy is a range access of the loop's sites.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s

// CHECK: function clear
// CHECK: site [[#CLEARED:]] {{.*}} write 1 p[i]
// CHECK-NEXT: late {{[0-9]+}} range write ? location [[#CLEARED]]{{$}}
// CHECK-NOT: late {{[0-9]}}
void clear(char *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = 0;
}

// CHECK: function copy
// CHECK: site [[#FROM:]] {{.*}} read 1 from[i]
// CHECK: site [[#TO:]] {{.*}} write 1 to[i]
// CHECK-NEXT: late {{[0-9]+}} range write ? location [[#TO]]{{$}}
// CHECK-NEXT: late {{[0-9]+}} range read ? line [[#FROM]]{{$}}
// CHECK-NOT: late {{[0-9]}}
void copy(char *restrict to, const char *restrict from, long n) {
  for (long i = 0; i < n; i++)
    to[i] = from[i];
}
