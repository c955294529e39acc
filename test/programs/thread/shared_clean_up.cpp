// VERBS check confirm
// An early return and the next round of a loop share the block that destroys an object: what the return leaves running does not run in
// the next round; what the next round is entered with does.
#include <pthread.h>

static long prepared, results, left, opened;

struct Scope {
  explicit Scope(long by) : by(by) { opened += by; }
  ~Scope() { opened -= by; }
  long by;
};

static void *worker(void *unused) {
  results += prepared; // NORACE
  return unused;
}

static void *straggler(void *unused) {
  left += 1; // RACE left // RACE two SELF
  return unused;
}

static int rounds(long count) {
  for (long round = 0; round < count; ++round) {
    Scope scope(round);
    prepared = round; // NORACE
    pthread_t thread;
    if (pthread_create(&thread, nullptr, worker, nullptr) != 0) return 1;
    if (round == 70) return 2;
    pthread_join(thread, nullptr);
    results += 1; // NORACE
  }
  return 0;
}

static int careless(long count) {
  for (long round = 0; round < count; ++round) {
    Scope scope(round);
    left = round; // RACE left
    pthread_t thread;
    if (pthread_create(&thread, nullptr, straggler, nullptr) != 0) return 1;
    if (round % 2 == 0) continue;
    pthread_join(thread, nullptr);
  }
  return 0;
}

int main(int argc, char **) {
  if (rounds(argc) != 0) return 1;
  careless(2 * argc);
  return 0;
}
