// An access that the optimiser made of two, of which each is in a function of its own, has no line and one of two globals as its
// address. It is not traced to other accesses of the function that both were inlined into.
//
// RUN: %cc -O1 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
static long left, right, sum;
static void add_left(void) { left += 1; }
static void add_right(void) { right += 1; }

// CHECK:      function add_one
// CHECK:        late {{ *}}0 {{ *}}read {{ *}}8 {{ *}}line zero
// CHECK-NEXT:   late {{ *}}1 {{ *}}write {{ *}}8 {{ *}}line zero
void add_one(long chosen) {
  if (chosen == 0) add_left();
  if (chosen != 0) add_right();
  sum += 1;
}

long all(void) { return left + right + sum; }
