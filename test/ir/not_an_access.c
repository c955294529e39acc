// What no other thread can reach is no access: slots of the stack that stay in the function, by-value arguments, constants.
// Nor are the counters of coverage.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O0 -g -fprofile-instr-generate -fcoverage-mapping -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// RUN: %cc -O0 -g --coverage -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
struct big {
  int values[20];
};
static const int kTable[] = {1, 2, 3, 5, 8};
int shared;
void keep(int *);

// CHECK: function private
// CHECK-EMPTY:
int private(struct big byValue, int i) {
  int local[4] = {1, 2, 3, i};
  local[i & 3] += kTable[i & 3];
  return local[1] + byValue.values[i & 15];
}

// A slot whose address leaves the function can be reached by others.
// CHECK: function escaping
// CHECK-NEXT: site {{.*}} [[#@LINE+2]]:{{.*}} write 4 mine
int escaping(void) {
  int mine = 1;
  keep(&mine);
  // CHECK-NEXT: site {{.*}} [[#@LINE+2]]:{{.*}} read 4 shared
  // CHECK-NEXT: site {{.*}} [[#@LINE+1]]:{{.*}} read 4 mine
  return shared + mine;
}
