// SHOWN
// FLAGS -std=c++20
// A document with a recursive lock: observers are called under it and call back.
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

class Document {
public:
  using Observer = std::function<void(Document &, const std::string &)>;

  int observe(Observer observer) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    observers_.emplace_back(++lastId_, std::move(observer));
    return lastId_;
  }
  void set(const std::string &key, int value) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    auto &slot = values_[key]; // NORACE
    if (slot == value) return;
    slot = value; // NORACE
    ++revision_;
    for (const auto &[id, observer] : observers_) observer(*this, key);
  }
  int get(const std::string &key) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    auto it = values_.find(key);
    return it == values_.end() ? 0 : it->second;
  }
  int revision() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return revision_; // NORACE
  }

private:
  mutable std::recursive_mutex mutex_;
  std::unordered_map<std::string, int> values_;
  std::vector<std::pair<int, Observer>> observers_;
  int lastId_ = 0;
  int revision_ = 0;
};

class Totals {
public:
  explicit Totals(Document &document) {
    document.observe([this](Document &changed, const std::string &key) {
      if (key == "total") return;
      ++updates_; // NORACE the document's lock is held
      changed.set("total", changed.get("a") + changed.get("b"));
    });
  }
  int updates() const { return updates_; }

private:
  int updates_ = 0;
};

int main() {
  Document document;
  Totals totals(document);
  std::vector<std::thread> editors;
  for (int t = 0; t < 2; ++t)
    editors.emplace_back([&document, t] {
      for (int i = 1; i <= 20; ++i) document.set(t ? "a" : "b", i);
    });
  int seen = document.revision();
  for (auto &editor : editors) editor.join();
  std::printf("%d %d %d\n", document.get("total"), totals.updates(), seen >= 0); // NORACE
  return 0;
}
