// The seats of every show, and what was taken for them. Each show has a lock of its own.
#pragma once

#include <deque>
#include <mutex>
#include <string>

#include "order.h"

namespace ticketing {

class BoxOffice {
public:
  ShowId open(std::string title, int seats);

  bool buy(ShowId show, int seats, long cents);
  bool swap(ShowId from, ShowId to, int seats);

  std::size_t shows() const { return shows_.size(); }
  const std::string &title(ShowId show) const { return shows_[show].title; }
  int seatsLeft(ShowId show);
  long takings();

private:
  struct Show {
    std::mutex gate;
    std::string title;
    int seatsLeft = 0;
    int seatsSold = 0;
    long cents = 0;
  };

  std::deque<Show> shows_; // a deque, because a lock cannot move
};

} // namespace ticketing
