// How the day goes: counted by the workers, read by the display.
#pragma once

#include <mutex>

#include "order.h"

namespace ticketing {

struct Totals {
  long served = 0;
  long refused = 0;
  long largest = 0; // receipt, in cents
};

class Statistics {
public:
  void record(const Receipt &receipt);
  Totals totals();
  long glance() const { return totals_.served; } // bug 1: reads without the lock

private:
  std::mutex gate_;
  Totals totals_;
};

} // namespace ticketing
