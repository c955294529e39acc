// FLAGS -std=c++20
// SHOWN
// Firewall rules, copy-on-write: the writer swaps the shared_ptr under the lock, the fast path copies it without.
#include <cstdint>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Rule {
  std::uint32_t from, to;
  bool allow;
};

using RuleSet = std::vector<Rule>;

class Firewall {
public:
  Firewall() : rules_(std::make_shared<const RuleSet>()) {}

  void append(Rule rule) {
    std::lock_guard lock(mutex_);
    auto copy = std::make_shared<RuleSet>(*rules_);
    copy->push_back(rule);
    rules_ = std::move(copy); // RACE rules
  }

  bool admits(std::uint32_t address) const {
    std::shared_ptr<const RuleSet> rules = rules_; // RACE rules
    for (const Rule &rule : *rules)
      if (rule.from <= address && address <= rule.to) return rule.allow;
    return false;
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return rules_->size();
  }

private:
  mutable std::mutex mutex_;
  std::shared_ptr<const RuleSet> rules_;
};

int main() {
  Firewall firewall;
  firewall.append({10, 20, true});
  std::thread admin([&] {
    for (std::uint32_t i = 0; i < 3; ++i) firewall.append({i * 100, i * 100 + 50, i % 2 == 0});
  });
  std::thread filter([&] {
    int admitted = 0;
    for (std::uint32_t i = 0; i < 3; ++i) admitted += firewall.admits(i * 97 % 400);
    std::cout << (admitted >= 0) << "\n";
  });
  admin.join();
  filter.join();
  std::cout << firewall.size() << "\n";
}
