// A day at a small box office: a pool of workers serves orders, a cache knows the prices, a display shows how it goes.
//
// It is an ordinary program with four bugs that reviews let through. Each is told where it stands:
//
//   1  statistics.cpp   a counter outside its lock            data race
//   2  display.cpp      published before it is filled in      data race
//   3  price_cache.cpp  double-checked locking, not atomic    data race
//   4  box_office.cpp   two locks in the order of a request   deadlock
//
// All four hide: the program nearly always ends within a second and prints the same lines.

#include <cstdio>

#include "box_office.h"
#include "display.h"
#include "price_cache.h"
#include "statistics.h"
#include "worker_pool.h"

namespace {

using namespace ticketing;

constexpr unsigned kWorkers = 4;
constexpr int kOrders = 600;

class Service {
public:
  explicit Service(BoxOffice &office) : office_(office), display_(statistics_) {}

  void run() {
    WorkerPool pool(kWorkers, [this](const Order &order) { serve(order); });
    for (int number = 1; number <= kOrders; ++number) {
      pool.submit({number, Request::Buy, static_cast<ShowId>(number) % office_.shows(), 0, 1 + number % 3});
      if (number == kOrders / 4) pool.submit({0, Request::Swap, 0, 1, 2});
      if (number == kOrders / 2) display_.announce("second house opens at eight", 1);
    }
    pool.submit({kOrders + 1, Request::Swap, 1, 0, 2});
    pool.finish();
    display_.stop();
  }

  void report() {
    Totals totals = statistics_.totals();
    for (ShowId show = 0; show < office_.shows(); ++show)
      std::printf("%-16s %4d seats left\n", office_.title(show).c_str(), office_.seatsLeft(show));
    std::printf("takings          %ld.%02ld\n", office_.takings() / 100, office_.takings() % 100);
    std::printf("served orders    %ld\n", totals.served);
    std::printf("refused orders   %ld\n", totals.refused);
    std::printf("notices shown    %d\n", display_.noticesSeen());
  }

private:
  void serve(const Order &order) {
    Receipt receipt{order.number, false, 0};
    if (order.request == Request::Swap) {
      receipt.served = office_.swap(order.show, order.other, order.seats);
    } else {
      long cents = prices_.lookUp(order.show).cents * order.seats;
      receipt.served = office_.buy(order.show, order.seats, cents);
      receipt.cents = receipt.served ? cents : 0;
    }
    statistics_.record(receipt);
  }

  BoxOffice &office_;
  PriceCache prices_;
  Statistics statistics_;
  Display display_;
};

} // namespace

int main() {
  BoxOffice office;
  office.open("The Tempest", 500);
  office.open("Hay Fever", 500);
  office.open("Noises Off", 350);
  Service service(office);
  service.run();
  service.report();
}
