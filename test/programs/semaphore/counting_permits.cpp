// VERBS check
// FLAGS -std=c++20
// SHOWN
// std::binary_semaphore is a lock; a std::counting_semaphore that begins with more than 1 lets several in at once.
#include <cstdio>
#include <semaphore>
#include <thread>

class Pool {
public:
  void use() {
    places_.acquire();
    used_ += 1; // RACE used SELF
    places_.release();
    turn_.acquire();
    counted_ += 1; // NORACE
    turn_.release();
  }
  int used() const { return used_ + counted_; }

private:
  std::counting_semaphore<4> places_{4};
  std::binary_semaphore turn_{1};
  int used_ = 0;
  int counted_ = 0;
};

int main() {
  Pool pool;
  std::thread first(&Pool::use, &pool), second(&Pool::use, &pool);
  first.join();
  second.join();
  std::printf("%d\n", pool.used());
}
