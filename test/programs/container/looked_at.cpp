// VERBS check run confirm
// What a function of the library reads of an element that is then taken out of a queue, without a value that could be followed.
#include <cstring>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

struct Word {
  char text[16] = "word";
  int length = 0;
};

static std::mutex lock;
static std::queue<Word> pending;
static size_t total;

static void take() {
  for (int i = 0; i < 20; ++i) {
    std::lock_guard<std::mutex> guard(lock);
    if (pending.empty()) return;
    const Word &word = pending.front();
    size_t length = std::strlen(reinterpret_cast<const char *>(&word)); // NORACE
    pending.pop();
    total += length; // RACE total
  }
}

int main() {
  for (int i = 0; i < 20; ++i) pending.push(Word());
  std::thread taker(take);
  total += 1; // RACE total
  taker.join();
  return total == 0;
}
