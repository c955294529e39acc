// VERBS check confirm
// A task that std::async starts runs beside its creator until its result is asked for.
#include <future>

int main() {
  int asked = 0;
  int before = 1; // NORACE
  auto later = std::async(std::launch::async, [&] {
    return asked += before; // RACE asked
  });
  asked += 2; // RACE asked
  int sum = later.get();
  asked += 1; // NORACE the task has ended
  return sum + asked == 0;
}
