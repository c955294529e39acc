// An access of an inlined function has the site of that function, wherever it went.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
struct counter {
  int n;
};
static int get(struct counter *x) { return x->n; }

// CHECK: function once
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#SITE:]]{{$}}
int once(struct counter *x) { return get(x); }

// CHECK: function get
// CHECK-NEXT: site [[#SITE]] [[#@LINE-7]]:{{.*}} read 4 x->n

// CHECK: function twice
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#SITE]]{{$}}
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#SITE]]{{$}}
int twice(struct counter *x, struct counter *y) { return get(x) * get(y); }
