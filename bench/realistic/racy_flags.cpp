// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// A link checker: every thread marks the links that are its own, but in a vector<bool>, whose elements share a word.
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

class LinkChecker {
public:
  explicit LinkChecker(std::vector<std::string> links)
      : links_(std::move(links)), broken_(links_.size()), length_(links_.size()) {}

  std::size_t check(unsigned threads) {
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < threads; ++t) pool.emplace_back(&LinkChecker::work, this, t, threads);
    for (auto &th : pool) th.join();
    std::size_t n = 0;
    for (bool b : broken_) n += b;
    return n;
  }

private:
  static bool reachable(const std::string &link) { return link.size() % 3 != 0; }

  void work(unsigned t, unsigned threads) {
    for (std::size_t i = t; i < links_.size(); i += threads) {
      length_[i] = links_[i].size();      // NORACE
      broken_[i] = !reachable(links_[i]); // RACE bits SELF
    }
  }

  std::vector<std::string> links_;
  std::vector<bool> broken_;
  std::vector<std::size_t> length_;
};

int main() {
  std::vector<std::string> links;
  for (int i = 0; i < 60; ++i) links.push_back("http://example.org/" + std::string(static_cast<std::size_t>(i), 'x'));
  LinkChecker checker(links);
  return checker.check(3) <= 60 ? 0 : 1;
}
