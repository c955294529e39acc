// VERBS check confirm
// A thread that is given a function calls that one, not what has the same shape: methods stand in vtables only, and what
// std::thread invokes takes what it was given.
#include <cstdlib>
#include <thread>

struct Shape {
  virtual ~Shape() = default;
  virtual void draw() = 0;
};

static int drawn; // main's own
static int done;

struct Square : Shape {
  void draw() override { ++drawn; } // NORACE
};

struct Engine {
  virtual ~Engine() = default;
  virtual void turn() = 0;
};

struct Motor : Engine {
  int turns = 0;
  void turn() override { ++drawn; } // NORACE nobody makes one
};

static void entirelyElse(long *count) { drawn += static_cast<int>(*count); } // NORACE no thread gets it

static void work(void *unused) {
  if (!unused) ++done; // RACE done
}

struct Starter {
  virtual ~Starter() = default;
  virtual void start(void (*function)(void *), void *argument) {
    std::thread thread(function, argument);
    thread.detach();
  }
};

int main(int count, char **) {
  Starter *starter = new Starter;
  starter->start(work, nullptr);
  Shape *shape = new Square;
  shape->draw();
  long once = 1;
  void (*other)(long *) = count > 5 ? nullptr : entirelyElse;
  if (other) other(&once);
  ++done; // RACE done
  return drawn > 1000;
}
