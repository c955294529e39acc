// Accesses that the optimiser merges, moves or copies keep the sites of all that they stand for.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
struct pair {
  int a, b;
};
int shared;
void one(void), two(void), three(void);

// Two stores become one behind the branch; its line is lost.
// CHECK: function sunk
// CHECK: site [[#THEN:]] [[#@LINE+6]]:{{.*}} write 4 x->a
// CHECK: site [[#ELSE:]] [[#@LINE+8]]:{{.*}} write 4 x->a
// CHECK-NEXT: late {{[0-9]+}} write 4 merged [[#THEN]] [[#ELSE]]{{$}}
void sunk(struct pair *x, int c, int v) {
  if (c) {
    one();
    x->a = v;
  } else {
    two();
    x->a = v + 1;
  }
}

// Two loads become one before the branch.
// CHECK: function hoisted
// CHECK: site [[#THEN:]] [[#@LINE+6]]:{{.*}} read 4 x->b
// CHECK: site [[#ELSE:]] [[#@LINE+8]]:{{.*}} read 4 x->b
// CHECK-NEXT: late {{[0-9]+}} read 4 merged [[#THEN]] [[#ELSE]]{{$}}
int hoisted(struct pair *x, int c) {
  int r;
  if (c) {
    r = x->b + 1;
    one();
  } else {
    r = x->b * 3;
    two();
  }
  return r;
}

// A store leaves its loop.
// CHECK: function promoted
// CHECK: site [[#SUM:]] {{.*}} write 4 x->a
// CHECK: late {{[0-9]+}} write 4 location [[#SUM-1]] [[#SUM]]{{$}}
// CHECK-NOT: late {{[0-9]}}
void promoted(struct pair *x, int n) {
  for (int i = 0; i < n; i++)
    x->a += i * i;
}

// Jump threading makes two of one.
// CHECK: function threaded
// CHECK: site [[#READ:]] {{.*}} read 4 shared
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#READ]]{{$}}
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#READ]]{{$}}
int threaded(int c) {
  if (c)
    one();
  else
    two();
  int r = shared;
  if (c) three();
  return r;
}

// Equal ends of several ways become one.
// CHECK: function tails
// CHECK: site [[#WRITE:]] {{.*}} write 4 shared
// CHECK: late {{[0-9]+}} write 4 merged [[#WRITE]] [[#WRITE+1]] [[#WRITE+2]]{{$}}
// CHECK-NOT: late {{[0-9]}}
void tails(int c, int v) {
  switch (c) {
  case 0:
    one();
    shared = v;
    break;
  case 1:
    two();
    shared = v;
    break;
  case 2:
    three();
    shared = v;
    break;
  }
}
