// Functions and variables as the linker sees them, and the pointers in their initial values.
//
// RUN: %cc -O1 -g -fPIC -c %s -o %t.o && %deadheat model dump --symbols %t.o | FileCheck %s
// RUN: %deadheat model dump --code %t.o | FileCheck %s --check-prefix=CODE
#include <pthread.h>

struct operation {
  const char *name;
  int (*run)(int);
  struct operation *next;
};
int declared(int);
int weakly(int) __attribute__((weak));
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

// CHECK-DAG: variable  internal  operations  struct operation[3]  72
static struct operation operations[] = {{"twice", twice, 0}, {"thrice", thrice, &operations[0]}, {"d", declared, 0}};
// CHECK-DAG: variable  external  last  struct operation *  8  interposable
struct operation *last = &operations[1];
// CHECK-DAG: variable  internal  mine  int  4  thread-local
static _Thread_local int mine;
// CHECK-DAG: variable  internal  table  function *[2]  16  constant
static int (*const table[])(int) = {twice, 0};

// CHECK-DAG: function  internal       twice  i32(i32) {{ *}}address taken
// CHECK-DAG: function  external       called  i32(i32) {{ *}}interposable
// CHECK-DAG: function  declared       declared  i32(i32)
// CHECK-DAG: function  weak declared  weakly  i32(i32)
// CHECK-DAG: function  weak           replaceable  void()
// CHECK-DAG: function  declared       pthread_create  i32(ptr,ptr,ptr,ptr)
// CHECK-DAG: function  external       other_name  i32(i32) {{.*}}alias of called
int called(int x) { return table[x](x) + (weakly ? weakly(x) : ++mine); }
__typeof(called) other_name __attribute__((alias("called")));
__attribute__((weak)) void replaceable(void) {}

// CHECK:      at operations + 8: twice
// CHECK-NEXT: at operations + 32: thrice, first at 8
// CHECK-NEXT: at operations + 40: operations, first at 16
// CHECK-NEXT: at operations + 56: declared, first at 8
// CHECK-DAG:  at last + 0: operations + 24
// CHECK-DAG:  at table + 0: twice
// CHECK-DAG:  at chosen + 0: twice
// CHECK-DAG:  at chosen + 0: thrice
// CHECK-NOT:  {{^}}  at

static void *resolve(void) { return declared(1) ? (void *)twice : (void *)thrice; }
int chosen(int) __attribute__((ifunc("resolve")));

// CODE:      function before
// CODE-NEXT:   before main
static void *worker(void *argument) { return (void *)(long)last->run(operations[2].run(1) + chosen(2)); }
__attribute__((constructor)) static void before(void) {
  pthread_t thread;
  // CODE: call @pthread_create({{%[0-9]+}} 'thread', 0, @worker, {{%[0-9]+}} 'operations[1]')
  pthread_create(&thread, 0, worker, &operations[1]);
}
// CODE:      function after
// CODE-NEXT:   after main
__attribute__((destructor)) static void after(void) {}
