// SHOWN
// FLAGS -std=c++20
// Exchange-rate tables are immutable and published through a shared_ptr, but the shared_ptr object itself is assigned and copied without protection.
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct RateTable {
  int version = 0;
  std::map<std::string, double> rates;
};

class RateService {
public:
  explicit RateService(std::vector<std::shared_ptr<const RateTable>> history)
      : history_(std::move(history)), current_(history_.front()) {}

  // The reference count is atomic, so copying the pointer "must" be thread-safe.
  double quote(const std::string &currency, double amount) const {
    std::shared_ptr<const RateTable> table = current_; // RACE ptr
    auto it = table->rates.find(currency);
    return it == table->rates.end() ? 0.0 : it->second * amount;
  }

  void publish(std::size_t version) {
    current_ = history_.at(version); // RACE ptr
  }

  std::size_t versions() const { return history_.size(); }

private:
  const std::vector<std::shared_ptr<const RateTable>> history_; // every table is kept for the auditors
  std::shared_ptr<const RateTable> current_;
};

int main() {
  std::vector<std::shared_ptr<const RateTable>> history;
  for (int v = 0; v < 6; ++v) {
    auto t = std::make_shared<RateTable>();
    t->version = v;
    t->rates["EUR"] = 1.0 + 0.01 * v;
    t->rates["CHF"] = 0.9 + 0.01 * v;
    history.push_back(std::move(t));
  }
  auto service = std::make_unique<RateService>(std::move(history));

  std::vector<std::thread> desks;
  std::vector<double> turnover(2, 0.0);
  for (std::size_t d = 0; d < turnover.size(); ++d)
    desks.emplace_back([&turnover, &service, d] {
      double sum = 0;
      for (int i = 0; i < 200; ++i) {
        sum += service->quote(d == 0 ? "EUR" : "CHF", 10.0);
        if (i % 40 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      turnover[d] = sum;
    });
  for (std::size_t v = 1; v < service->versions(); ++v) {
    service->publish(v);
    std::this_thread::sleep_for(std::chrono::microseconds(150));
  }
  for (auto &t : desks) t.join();
  std::printf("turnover %s\n", turnover[0] > 1900 && turnover[1] > 1700 ? "ok" : "low");
}
