// What is rare is extracted as well, at every level, and the model that is stored can be read.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cc -O1 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cc -O3 -g -mavx2 -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
#include <setjmp.h>
#include <stdarg.h>

typedef float Four __attribute__((vector_size(16)));
int x;
Four four;
__int128 wide;
_Thread_local int mine;

// A computed goto may lead to any of its labels.
// CHECK:      {{^}}  function computed
// CHECK:        jump ->{{[0-9]+}} ->{{[0-9]+}}
int computed(int n) {
  static const void *const labels[] = {&&one, &&two};
  goto *labels[n];
one:
  x = 1;
two:
  return x;
}

// CHECK:      {{^}}  function jumping
// CHECK:        call assembly({{.*}}) {{.*}} ->{{[0-9]+}} ->{{[0-9]+}}
int jumping(int n) {
  __asm__ goto("test %0, %0; jne %l1" : : "r"(n) : : away);
  return x;
away:
  return 0;
}

// CHECK:      {{^}}  function vectors
// CHECK:        load @four  site {{[0-9]+}} four
// CHECK:        store @four = _  site {{[0-9]+}} four
// CHECK:        load @wide  site {{[0-9]+}} wide
void vectors(Four *p) {
  four += *p;
  wide <<= 3;
}

// CHECK:      {{^}}  function variable
// CHECK:        stack 0
int variable(int n) {
  int all[n];
  all[n - 1] = x;
  return all[0] + mine;
}

// CHECK:      {{^}}  function returns
// CHECK:        call @_setjmp(
int returns(jmp_buf *buffer) {
  if (setjmp(*buffer)) return 1;
  longjmp(*buffer, 1);
}

// CHECK:      {{^}}  function sum
// CHECK-NEXT:   variadic
double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double all = 0;
  while (n--) all += va_arg(list, double);
  va_end(list);
  return all;
}

// CHECK:      {{^}}  function endless
// CHECK:        jump ->
void endless(void) {
  for (;;) __asm__ volatile("");
}
