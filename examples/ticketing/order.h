// What customers ask for.
#pragma once

#include <cstddef>
#include <string>

namespace ticketing {

using ShowId = std::size_t;

enum class Request { Buy, Swap }; // Swap: give `seats` of `show` back and take as many of `other`

struct Order {
  int number = 0;
  Request request = Request::Buy;
  ShowId show = 0;
  ShowId other = 0;
  int seats = 1;
};

struct Receipt {
  int number = 0;
  bool served = false;
  long cents = 0;
};

} // namespace ticketing
