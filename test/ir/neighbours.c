// Neighbouring accesses that are all made may become one: it carries the sites of them all.
//
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
struct bytes {
  char a, b, c, d;
};
struct words {
  int a, b, c, d;
  long e, f;
};

// CHECK: function storeBytes
// CHECK: site [[#A:]] {{.*}} write 1 x->a
// CHECK: site [[#B:]] {{.*}} write 1 x->b
// CHECK: site [[#C:]] {{.*}} write 1 x->c
// CHECK: site [[#D:]] {{.*}} write 1 x->d
// CHECK-NEXT: late {{[0-9]+}} write 4 location [[#A]] [[#B]] [[#C]] [[#D]]{{$}}
void storeBytes(struct bytes *x) {
  x->a = 1;
  x->b = 2;
  x->c = 3;
  x->d = 4;
}

// CHECK: function loadBytes
// CHECK: site [[#A:]] {{.*}} read 1 *p
// CHECK: site [[#B:]] {{.*}} read 1 p[1]
// CHECK: site [[#C:]] {{.*}} read 1 p[2]
// CHECK: site [[#D:]] {{.*}} read 1 p[3]
// CHECK-NEXT: late {{[0-9]+}} read 4 location [[#A]] [[#B]] [[#C]] [[#D]]{{$}}
unsigned loadBytes(unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }

// CHECK: function clearWords
// CHECK: site [[#A:]] {{.*}} write 4 x->a
// CHECK: site [[#F:]] {{.*}} write 8 x->f
// CHECK-NEXT: late {{[0-9]+}} range write 32 location [[#A]] [[#A+1]] [[#A+2]] [[#A+3]] [[#A+4]] [[#F]]{{$}}
void clearWords(struct words *x) {
  x->a = 0;
  x->b = 0;
  x->c = 0;
  x->d = 0;
  x->e = 0;
  x->f = 0;
}

// Reads go with reads and writes with writes.
// CHECK: function copyWords
// CHECK: site [[#READ:]] {{.*}} read 4 y->a
// CHECK: site [[#WRITE:]] {{.*}} write 4 x->a
// CHECK: late {{[0-9]+}} read 16 location [[#READ]] [[#READ+2]] [[#READ+4]] [[#READ+6]]{{$}}
// CHECK: late {{[0-9]+}} write 16 location [[#WRITE]] [[#WRITE+2]] [[#WRITE+4]] [[#WRITE+6]]{{$}}
void copyWords(struct words *x, struct words *y) {
  x->a = y->a;
  x->b = y->b;
  x->c = y->c;
  x->d = y->d;
}
