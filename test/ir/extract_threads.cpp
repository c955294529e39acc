// What a std::thread runs, and with what, is stored where its start can find it: the vtable of its state, and the state.
//
// RUN: %cxx -O0 -g -c %s -o %t.o && %deadheat model dump --code --symbols %t.o | FileCheck %s
// RUN: %cxx -O2 -g -c %s -o %t.o && %deadheat model dump --code --symbols %t.o | FileCheck %s
#include <mutex>
#include <thread>

int counter;
std::once_flag once;
void work(int *target) { ++*target; }

// CHECK: at vtable for std::thread::_State_impl<{{.*}}> + 32: std::thread::_State_impl<{{.*}}>::_M_run()

// CHECK:      {{^}}  function start()
// CHECK:        [[STATE:%[0-9]+]] = call @operator new(unsigned long)(24)
// CHECK:        [[TABLE:%[0-9]+]] = field @vtable for std::thread::_State_impl<{{.*}}> + 16
// CHECK-NEXT:   store [[STATE]] = [[TABLE]]
// CHECK:        store {{%[0-9]+}} = @counter
// CHECK:        store {{%[0-9]+}} = @work(int*)
// CHECK:        store [[SLOT:%[0-9]+]] = [[STATE]]
// CHECK:        call @std::thread::_M_start_thread({{.*}})({{%[0-9]+}} 'thread', [[SLOT]]
// CHECK:        call @std::thread::join()({{%[0-9]+}} 'thread')
void start() {
  std::thread thread(work, &counter);
  thread.join();
}

// CHECK:      {{^}}  function firstTime()
// CHECK:        store @std::__once_call = @
// CHECK:        call @pthread_once(@once 'once', @__once_proxy)
void firstTime() {
  std::call_once(once, [] { counter = 1; });
}
