// Virtual calls are told by slot and class, vtables as initial values, classes by their bases; exceptions have edges.
//
// RUN: %cxx -O0 -g -c %s -o %t.o && %deadheat model dump --code --symbols %t.o | FileCheck %s
// RUN: %cxx -O2 -g -c %s -o %t.o && %deadheat model dump --code --symbols %t.o | FileCheck %s

struct Shape {
  virtual ~Shape();
  virtual int area() = 0;
  int id;
};
struct Square : Shape {
  int area() override;
  int side;
};
int Square::area() { return side * side; }

struct Interface {
  int (*read)(Interface *);
  int (*write)(Interface *);
};
struct Device {
  const Interface *interface;
};

// CHECK-DAG: at vtable for Square + 32: Square::area()
// CHECK-DAG: class Square : Shape

// CHECK:      {{^}}  function measure(Shape*)
// CHECK:        [[VTABLE:%[0-9]+]] = load %0
// CHECK-NEXT:   [[SLOT:%[0-9]+]] = field [[VTABLE]] + 16
// CHECK-NEXT:   [[CALLEE:%[0-9]+]] = load [[SLOT]]
// CHECK-NEXT:   call virtual +16 [[CALLEE]](%0 '*shape') as Shape, may unwind
int measure(Shape *shape) { return shape->area(); }

// What a thread is started with says its class where it is cast.
// CHECK:      {{^}}  function enter(void*)
// CHECK:        call virtual +16 {{.*}} as Shape, may unwind
int enter(void *argument) {
  Shape *shape = static_cast<Shape *>(argument);
  return shape->area();
}

// CHECK:      {{^}}  function plain(
// CHECK:        call {{%[0-9]+}}(%0 '*device') as i32(ptr)
int plain(Interface *const *device) { return (*device)->write((Interface *)device); }

// CHECK:      {{^}}  function guarded(Shape*)
// CHECK:        call virtual +16 {{.*}} as Shape, may unwind {{.*}} ->[[#]] unwind ->[[PAD:[0-9]+]]
// CHECK:        block [[PAD]]
// CHECK:        call @__cxa_begin_catch
int guarded(Shape *shape) {
  try {
    return shape->area();
  } catch (...) {
    return -1;
  }
}

int compute();
// CHECK:      {{^}}  function cached()
// CHECK:        call @__cxa_guard_acquire(@guard variable for cached()::value
// CHECK:        call @compute()(), may unwind {{.*}} unwind ->
// CHECK:        call @__cxa_guard_release
int cached() {
  static int value = compute();
  return value;
}
