#include "statistics.h"

#include <algorithm>

namespace ticketing {

// Bug 1: `served` is counted before the lock is taken, as if an increment were one step. Two workers can count one
// order.
void Statistics::record(const Receipt &receipt) {
  if (receipt.served) ++totals_.served;
  std::lock_guard hold(gate_);
  if (!receipt.served) ++totals_.refused;
  totals_.largest = std::max(totals_.largest, receipt.cents);
}

Totals Statistics::totals() {
  std::lock_guard hold(gate_);
  return totals_;
}

} // namespace ticketing
