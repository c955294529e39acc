// Threads that end and threads that begin later share the memory of their thread-local variables, and nothing orders them.
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace {

thread_local int calls = 0;
int ended = 0;

void work() {
  ++calls;          // NORACE each has its own
  ended += calls;   // RACE ended SELF
}

} // namespace

int main() {
  for (int i = 0; i < 30; ++i) {
    std::thread(work).detach();
    usleep(2000);
  }
  std::puts("done");
}
