// A function makes a std::thread and returns it; who calls it keeps it in a vector, or in a member, and joins it there.
#include <thread>
#include <vector>

static int done, early, alone;

static std::thread start() {
  return std::thread([] {
    done += 1;  // RACE done SELF
    early += 1; // RACE early // RACE twice SELF
  });
}

static std::thread startAlone() {
  return std::thread([] { alone += 1; }); // NORACE
}

struct Keeper {
  std::thread thread;
  void begin() { thread = startAlone(); }
  void end() { thread.join(); }
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.push_back(start());
  Keeper keeper;
  keeper.begin();
  int sum = early; // RACE early
  for (std::thread &thread : threads) thread.join();
  keeper.end();
  return sum + done + alone < 0; // NORACE
}
