// FLAGS -O2
// One function has the same code of the library at several lines, inlined: the line that is told is the one that does it.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex gate;
static std::vector<int> guarded, bare;
static std::string text;

static void work(int number) {
  for (int i = 0; i < 20; ++i) {
    {
      std::lock_guard hold(gate);
      guarded.push_back(number); // NORACE
      text += 'a';               // NORACE
    }
    bare.push_back(number); // RACE bare SELF
  }
}

int main() {
  bare.reserve(64);
  std::thread first(work, 1), second(work, 2);
  first.join();
  second.join();
  return static_cast<int>(guarded.size() + text.size()) == 0;
}
