// The user wants an end: what is under way is ended, what is known is told. A second time ends us at once.
#pragma once

namespace deadheat::driver {

// While it lives, SIGINT, SIGTERM and SIGHUP are taken for the wish to end.
class Interruptible {
public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;
  Interruptible &operator=(const Interruptible &) = delete;
};

bool interrupted();

} // namespace deadheat::driver
