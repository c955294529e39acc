// VERBS check run confirm
// Another function than the one that started the task waits for it.
#include <future>
#include <vector>

static int kept;
static int shown;

static int keep(long number) {
  kept = static_cast<int>(number);
  shown = kept; // RACE shown
  return kept;
}

static int collect(std::vector<std::future<int>> &tasks) {
  int sum = 0;
  for (std::future<int> &task : tasks) sum += task.get();
  return sum;
}

int main() {
  std::vector<std::future<int>> tasks;
  tasks.push_back(std::async(std::launch::async, keep, 1L));
  shown = 2; // RACE shown
  int sum = collect(tasks);
  return sum + kept + shown < 0; // NORACE a function has waited
}
