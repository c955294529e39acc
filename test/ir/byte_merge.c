// Neighbouring bytes, lanes and fields that the source does not read are not read: no access becomes wider than what it stands
// for.
//
// The optimiser does widen these if nobody stops it:
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s

struct flags {
  unsigned char ready, code;
};
struct flags flags;

// PLAIN-LABEL: @conditional(
// PLAIN: load i16, ptr @flags
// PLAIN-NOT: br
// CHECK: function conditional
// CHECK: site [[#READY:]] {{.*}} read 1 flags.ready
// CHECK: site [[#CODE:]] {{.*}} read 1 flags.code
// CHECK-NEXT: late {{[0-9]+}} read 1 metadata [[#READY]]{{$}}
// CHECK-NEXT: late {{[0-9]+}} read 1 metadata [[#CODE]]{{$}}
// CHECK-NOT: late {{[0-9]}}
unsigned conditional(void) {
  unsigned word = flags.ready;
  if (word) word |= (unsigned)flags.code << 8;
  return word;
}

typedef float Lanes __attribute__((vector_size(16)));
float lanes[4] __attribute__((aligned(16)));

// PLAIN-LABEL: @firstLane(
// PLAIN: load <4 x float>, ptr @lanes
// CHECK: function firstLane
// CHECK: site [[#LANE:]] {{.*}} read 4 lanes[0]
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#LANE]]{{$}}
// CHECK-NOT: late {{[0-9]}}
Lanes firstLane(void) {
  Lanes result;
  result[0] = lanes[0];
  return result;
}
