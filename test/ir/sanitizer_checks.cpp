// What a sanitizer loads for its own checks is no access of the program.
//
// RUN: %cxx -O1 -g -fsanitize=vptr,function -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CHECKED
// RUN: %cxx -O1 -g -fsanitize=vptr,function -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s
// CHECKED: @__ubsan_vptr_type_cache =
struct Shape {
  virtual ~Shape();
  int sides;
};

// CHECK: function sidesOf(Shape*)
// CHECK-NEXT: site [[#SIDES:]] [[#@LINE+3]]:{{.*}} read 4 shape->
// CHECK-NEXT: late {{[0-9]+}} read 4 metadata [[#SIDES]]{{$}}
// CHECK-EMPTY:
int sidesOf(Shape *shape) { return shape->sides; }

// CHECK: function call(void (*)())
// CHECK-EMPTY:
void call(void (*function)()) { function(); }
