// Guards of the library become plain lock calls on the lock they guard, on every way out, at every level.
//
// RUN: %cxx -O0 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s --check-prefixes=CHECK,O0
// RUN: %cxx -O1 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cxx -O2 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

std::mutex m, second;
std::shared_mutex shared;
std::condition_variable changed;
int x;
bool ready;
void mayThrow();

// CHECK:      {{^}}  function simple()
// CHECK-NEXT:   reduced
// CHECK:        [[ERROR:%[0-9]+]] = call @pthread_mutex_lock(@m 'm')  [[#@LINE+9]]:
// CHECK-NEXT:   branch [[ERROR]] != 0
// CHECK:        load @x  site {{[0-9]+}} x
// CHECK:        store @x = {{%[0-9]+}}  site {{[0-9]+}} x
// CHECK-NEXT:   call @mayThrow()(), may unwind {{.*}} ->{{[0-9]+}} unwind ->
// CHECK:        call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   stop
// CHECK:        call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   return
void simple() { std::lock_guard<std::mutex> hold(m); ++x; mayThrow(); }

// A guard of an object's first member knows the object's address, too, and gives it no name.
// CHECK:      {{^}}  function Counter::next()
// CHECK:        call @pthread_mutex_lock(%0 'this->lock')
// CHECK:        call @use(int&)({{%[0-9]+}} 'this->count')
struct Counter {
  std::mutex lock;
  int count = 0;
  void next();
};
void use(int &number);
void Counter::next() { std::lock_guard<std::mutex> hold(lock); use(count); }

// CHECK:      {{^}}  function byHand()
// CHECK:        call @pthread_mutex_lock(@m 'm')
// CHECK:        store @x = 1
// CHECK-NEXT:   call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   store @x = 2
// CHECK-NEXT:   call @pthread_mutex_lock(@m 'm')
// CHECK:        store @x = 3
// CHECK-NEXT:   call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   return
void byHand() {
  std::unique_lock<std::mutex> hold(m);
  x = 1;
  hold.unlock();
  x = 2;
  hold.lock();
  x = 3;
}

// CHECK:      {{^}}  function moved()
// CHECK:        call @pthread_mutex_lock(@m 'm')
// CHECK:        store @x = 1
// CHECK-NEXT:   call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   return
void moved() {
  std::unique_lock<std::mutex> first(m);
  std::unique_lock<std::mutex> hold(std::move(first));
  x = 1;
}

// Whether a deferred guard holds is a value that the branches ask.
// CHECK:      {{^}}  function deferred(bool)
// CHECK:        branch %0 != 0
// CHECK:        call @pthread_mutex_lock(@m 'm')
// CHECK:        [[OWNS:%[0-9]+]] = phi {{[01]}} from
// CHECK-NEXT:   [[OWNS]] = phi {{[01]}} from
// CHECK-NEXT:   store @x = 1
// CHECK-NEXT:   branch [[OWNS]] != 0
// CHECK:        call @pthread_mutex_unlock(@m 'm')
void deferred(bool now) {
  std::unique_lock<std::mutex> hold(m, std::defer_lock);
  if (now) hold.lock();
  x = 1;
}

// CHECK:      {{^}}  function tried()
// CHECK:        [[BUSY:%[0-9]+]] = call @pthread_mutex_trylock(@m 'm')
// CHECK-NEXT:   branch [[BUSY]] == 0 ? ->1
// CHECK:      block 1
// CHECK-NEXT:   store @x = 1
// CHECK-NEXT:   call @pthread_mutex_unlock(@m 'm')
void tried() {
  std::unique_lock<std::mutex> hold(m, std::try_to_lock);
  if (hold.owns_lock()) x = 1;
}

// CHECK:      {{^}}  function reader()
// CHECK:        call @pthread_rwlock_rdlock(@shared 'shared')
// CHECK:        load @x
// CHECK-NEXT:   call @pthread_rwlock_unlock(@shared 'shared')
int reader() { std::shared_lock<std::shared_mutex> hold(shared); return x; }

// std::lock stays a call: its loop of tries is understood whole.
// CHECK:      {{^}}  function both()
// CHECK:        call @void std::lock<{{.*}}>(std::mutex&, std::mutex&)(@m 'm', @second 'second')
// CHECK-NEXT:   store @x = 1
// CHECK-NEXT:   call @pthread_mutex_unlock(@m 'm')
// CHECK-NEXT:   call @pthread_mutex_unlock(@second 'second')
void both() { std::scoped_lock hold(m, second); x = 1; }

// A wait is given the mutex instead of the guard, which need not stay in memory.
// CHECK:      {{^}}  function waits()
// CHECK:        call @pthread_mutex_lock(@m 'm')
// CHECK:        call @std::condition_variable::wait({{.*}})(@changed 'changed', @m 'm')
// CHECK:        call @pthread_mutex_unlock(@m 'm')
void waits() {
  std::unique_lock<std::mutex> hold(m);
  while (!ready) changed.wait(hold);
}

// A program's own guard leaves calls of its own lock.
struct Mutex {
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  std::mutex mutex;
};
struct Hold {
  explicit Hold(Mutex &what) : held(what) { held.lock(); }
  ~Hold() { held.unlock(); }
  Mutex &held;
};

// CHECK:      {{^}}  function ownGuard(Table*)
// CHECK:        [[LOCK:%[0-9]+]] = field %0 + 8
// CHECK-NEXT:   call @Mutex::lock()([[LOCK]] 'table->mutex')
// CHECK:        store %0 = 1  site {{[0-9]+}} table->size
// CHECK-NEXT:   call @Mutex::unlock()([[LOCK]] 'table->mutex')
struct Table {
  int size;
  Mutex mutex;
};
void ownGuard(Table *table) { Hold hold(table->mutex); table->size = 1; }

// Two reads of one variable stay two accesses in a function that was reduced; the optimiser may have made them one.
// CHECK:      {{^}}  function twice()
// O0:           load @x  site [[#FIRST:]] x
// O0-NEXT:      load @x  site [[#FIRST+1]] x
int twice() {
  std::lock_guard<std::mutex> hold(m);
  int before = x;
  return before + x;
}
