// VERBS check run confirm
// What a task of std::async and its creator do, before and after somebody waits for its future.
#include <future>
#include <vector>

struct Job {
  int done = 0;
  int total = 0;
};

static int hits;

static int work(Job &job, int rounds) {
  for (int i = 0; i < rounds; ++i) job.total += i;
  job.done = 1; // RACE done
  return job.total;
}

static int count(int rounds) {
  for (int i = 0; i < rounds; ++i) ++hits; // RACE hits // RACE each SELF
  return rounds;
}

static int one() {
  Job job;
  std::future<int> task = std::async(std::launch::async, work, std::ref(job), 10);
  int early = job.done;                  // RACE done
  return task.get() + job.total + early; // NORACE it has ended
}

static int several() {
  std::vector<std::future<int>> tasks;
  for (int i = 0; i < 3; ++i) tasks.push_back(std::async(std::launch::async, count, 10));
  int seen = hits; // RACE hits
  for (std::future<int> &task : tasks) seen += task.get();
  return seen + hits; // NORACE all have ended
}

int main() { return one() + several() < 0; }
