// A lock that is the first member of an object has the object's address; the words say which is meant.
//
// RUN: %cxx -O0 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
// RUN: %cxx -O2 -g -c %s -o %t.o && %deadheat model dump --code %t.o | FileCheck %s
#include <mutex>
#include <pthread.h>

struct Header {
  pthread_mutex_t lock;
  int users;
};
struct Table {
  Header header;
  int size;
};
Table tables[4];

// CHECK:      {{^}}  function inC(Table*, int)
// CHECK:        call @pthread_mutex_lock({{.*}} 'table->header.lock')
// CHECK:        call @pthread_mutex_unlock({{.*}} 'tables[i].header.lock')
void inC(Table *table, int i) {
  pthread_mutex_lock(&table->header.lock);
  pthread_mutex_unlock(&tables[i].header.lock);
}

class Mutex {
public:
  void lock();
  std::mutex inner;
};
struct Store {
  Mutex mutex;
  int size;
  void grow();
};

// CHECK:      {{^}}  function Mutex::lock()
// CHECK:        call @pthread_mutex_lock({{.*}} 'this->inner')
void Mutex::lock() { inner.lock(); }

// CHECK:      {{^}}  function Store::grow()
// CHECK:        call @Mutex::lock()({{.*}} 'this->mutex')
void Store::grow() { mutex.lock(); }

// CHECK:      {{^}}  function whole(
// CHECK:        call @fill(Table*)({{.*}} '*table')
void fill(Table *table);
void whole(Table *table) { fill(table); }
