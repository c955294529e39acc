// SHOWN
// FLAGS -std=c++20
// Two flags share a word of bit-fields, but not a lock.
#include <array>
#include <cstdio>
#include <mutex>
#include <thread>

struct Page {
  std::mutex cacheMutex;
  std::mutex ioMutex;
  unsigned dirty : 1;
  unsigned busy : 1;
  int writes = 0;
  int reads = 0;
  Page() : dirty(0), busy(0) {}
};

class PageCache {
public:
  void modify(std::size_t i) {
    Page &page = pages_[i % pages_.size()];
    std::lock_guard<std::mutex> guard(page.cacheMutex);
    page.dirty = 1;   // RACE word
    page.writes += 1; // NORACE
  }
  void beginIo(std::size_t i) {
    Page &page = pages_[i % pages_.size()];
    std::lock_guard<std::mutex> guard(page.ioMutex);
    page.busy = 1;   // RACE word
    page.reads += 1; // NORACE
  }
  int total() const {
    int sum = 0;
    for (const Page &page : pages_) sum += page.writes + page.reads;
    return sum;
  }

private:
  std::array<Page, 4> pages_;
};

int main() {
  PageCache cache;
  std::thread writer([&cache] {
    for (std::size_t i = 0; i < 100; ++i) cache.modify(i);
  });
  std::thread io([&cache] {
    for (std::size_t i = 0; i < 100; ++i) cache.beginIo(3 * i);
  });
  writer.join();
  io.join();
  std::printf("%d\n", cache.total());
  return 0;
}
