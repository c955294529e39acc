// A copy of a record is one range read and one range write; where it is split, each part has a site.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s --check-prefix=WHOLE
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s --check-prefix=SPLIT
struct record {
  int a, b;
  char name[24];
};

// WHOLE: function copy
// WHOLE: range write 32 *to struct record
// WHOLE: range read 32 *from struct record
void copy(struct record *to, const struct record *from) { *to = *from; }

// WHOLE: function part
// WHOLE: range read 32 *x struct record
// SPLIT: function part
// SPLIT: site [[#A:]] {{.*}} read 4 x->a
// SPLIT: site [[#B:]] {{.*}} read 4 x->b
// SPLIT: late {{[0-9]+}} read 4 metadata [[#A]]{{$}}
// SPLIT-NEXT: late {{[0-9]+}} read 4 metadata [[#B]]{{$}}
int part(const struct record *x) {
  struct record local = *x;
  return local.a + local.b;
}
