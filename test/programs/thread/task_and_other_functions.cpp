// VERBS check
// SHOWN
// A task is what std::async was given, and no other function that somebody keeps in a std::function.
#include <functional>
#include <future>
#include <vector>

namespace {

int level;
int workers;
long done;
long seen;

void work() {
  for (int i = 0; i < workers; ++i) // NORACE
    ++done;                         // RACE done
}

int serve(int count, char **) {
  level = count;       // NORACE
  workers = level + 1; // NORACE
  std::vector<std::function<void()>> later;
  later.emplace_back([] { seen = level; }); // NORACE
  std::future<void> task = std::async(std::launch::async, [] { work(); });
  for (auto &each : later) each();
  seen = done; // RACE done
  task.get();
  return static_cast<int>(done); // NORACE
}

int run(std::function<int(int, char **)> app, int count, char **words) { return app(count, words); }

} // namespace

int main(int count, char **words) { return run(serve, count, words) == 0; }
