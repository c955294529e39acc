// VERBS check confirm
// A variable of a function is initialised once, by whoever comes first; the others wait.
#include <thread>

struct Registry {
  int entries[4] = {};
  int uses = 0;
};

static int compute() { return 4; }

static Registry &registry() {
  static Registry *made = new Registry; // NORACE
  return *made;
}

static int limit() {
  static int value = compute(); // NORACE
  return value;
}

static void work() {
  registry().uses += limit(); // RACE uses SELF
}

int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
  return 0;
}
