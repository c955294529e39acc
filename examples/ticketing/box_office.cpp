#include "box_office.h"

#include <utility>

namespace ticketing {

ShowId BoxOffice::open(std::string title, int seats) {
  Show &show = shows_.emplace_back();
  show.title = std::move(title);
  show.seatsLeft = seats;
  return shows_.size() - 1;
}

bool BoxOffice::buy(ShowId id, int seats, long cents) {
  Show &show = shows_[id];
  std::lock_guard hold(show.gate);
  if (show.seatsLeft < seats) return false;
  show.seatsLeft -= seats;
  show.seatsSold += seats;
  show.cents += cents;
  return true;
}

// Bug 4: the locks are taken in the order of the request. A swap from 0 to 1 and one from 1 to 0 can wait for each
// other for ever; `std::scoped_lock both(source.gate, target.gate)` would not.
bool BoxOffice::swap(ShowId from, ShowId to, int seats) {
  Show &source = shows_[from];
  Show &target = shows_[to];
  std::lock_guard holdSource(source.gate);
  std::lock_guard holdTarget(target.gate);
  if (source.seatsSold < seats || target.seatsLeft < seats) return false;
  source.seatsSold -= seats;
  source.seatsLeft += seats;
  target.seatsSold += seats;
  target.seatsLeft -= seats;
  return true;
}

int BoxOffice::seatsLeft(ShowId id) {
  std::lock_guard hold(shows_[id].gate);
  return shows_[id].seatsLeft;
}

long BoxOffice::takings() {
  long sum = 0;
  for (Show &show : shows_) {
    std::lock_guard hold(show.gate);
    sum += show.cents;
  }
  return sum;
}

} // namespace ticketing
