// VERBS check confirm
// Several std::threads with functions of one type: each executes its own, and the library calls all of them in one place.
#include <functional>
#include <thread>

static int read_, written, both, third;

static void reader() {
  ++read_; // NORACE one thread alone does this
  ++both;  // RACE both
}

static void writer() {
  ++written; // NORACE one thread alone does this
  ++both;    // RACE both
}

static void twice() {
  ++third; // RACE third SELF
}

static void fill(int &to) {
  to = 1; // NORACE each gets a variable of its own
}

static void drain(int &from) {
  from = 0; // RACE from
}

int main() {
  int mine = 0, ours = 0;
  std::thread a(reader), b(writer), c(twice), d(twice);
  std::thread e(fill, std::ref(mine)), f(drain, std::ref(ours));
  ++ours; // RACE from
  a.join(), b.join(), c.join(), d.join(), e.join(), f.join();
  return read_ + written + both + third + mine + ours == 0;
}
