#include "price_cache.h"

namespace ticketing {

namespace {

long workOut(ShowId show) {
  long cents = 1500;
  for (long step = 1; step <= 2000; ++step) cents += (static_cast<long>(show + 1) * step) % 7 == 0;
  return cents;
}

} // namespace

PriceCache::~PriceCache() {
  for (Price *price : prices_) delete price;
}

// Bug 3: double-checked locking on a plain pointer. The first check reads without the lock, so a thread may see the
// pointer before it can see the price behind it; the pointer would have to be atomic.
const Price &PriceCache::lookUp(ShowId show) {
  if (!prices_[show]) {
    std::lock_guard hold(gate_);
    if (!prices_[show]) {
      auto *price = new Price;
      price->cents = workOut(show);
      price->version = 1;
      prices_[show] = price;
    }
  }
  return *prices_[show];
}

} // namespace ticketing
