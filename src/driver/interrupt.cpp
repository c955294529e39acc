#include "driver/interrupt.h"

#include <iterator>

#include <signal.h>

namespace deadheat::driver {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t wish = 0;
struct sigaction before[std::size(kSignals)];

void note(int) { wish = 1; }

} // namespace

Interruptible::Interruptible() {
  wish = 0;
  for (size_t index = 0; index != std::size(kSignals); ++index) {
    struct sigaction handler = {};
    handler.sa_handler = note;
    handler.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(kSignals[index], nullptr, &before[index]);
    if (before[index].sa_handler != SIG_IGN) sigaction(kSignals[index], &handler, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (size_t index = 0; index != std::size(kSignals); ++index) sigaction(kSignals[index], &before[index], nullptr);
}

bool interrupted() { return wish != 0; }

} // namespace deadheat::driver
