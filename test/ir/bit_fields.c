// Bit fields share a word: an access is named by the fields whose bits it is about.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
struct object {
  unsigned type : 4, encoding : 4, age : 24;
  int refs;
  signed level : 5;
  unsigned : 3;
  unsigned last : 8;
};

// CHECK: function readOne
// CHECK-NEXT: site {{.*}} read 4 x->encoding struct object.encoding
int readOne(struct object *x) { return x->encoding; }

// CHECK: function readLast
// CHECK-NEXT: site {{.*}} read 4 x->age struct object.age
int readLast(struct object *x) { return x->age; }

// CHECK: function readSigned
// CHECK-NEXT: site {{.*}} read {{[24]}} x->level
int readSigned(struct object *x) { return x->level; }

// A write reads what it keeps.
// CHECK: function writeOne
// CHECK-NEXT: site {{.*}} read 4 x->type
// CHECK-NEXT: site {{.*}} write 4 x->type
void writeOne(struct object *x, int v) { x->type = v; }

// CHECK: function copyWord
// CHECK-DAG: site {{.*}} read {{.*}} *y
// CHECK-DAG: site {{.*}} write {{.*}} *x
void copyWord(struct object *x, struct object *y) { *x = *y; }
