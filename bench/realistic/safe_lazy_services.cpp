// FLAGS -std=c++20
// SHOWN
// Services made on first use: a magic static, a call_once member, and correct double-checked locking with an atomic.
#include <atomic>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class Locale {
public:
  static const Locale &get() {
    static const Locale locale;
    return locale;
  }
  const std::string &month(int i) const { return months_[static_cast<std::size_t>(i) % months_.size()]; } // NORACE

private:
  Locale() {
    for (const char *name : {"jan", "feb", "mar", "apr"}) months_.emplace_back(name); // NORACE
  }
  std::vector<std::string> months_;
};

class Dictionary {
public:
  int lookup(const std::string &word) const {
    std::call_once(loaded_, &Dictionary::load, this);
    auto it = entries_.find(word);                 // NORACE
    return it == entries_.end() ? -1 : it->second; // NORACE
  }
  int loads() const { return loads_; }

private:
  void load() const {
    ++loads_;                                                              // NORACE
    for (int i = 0; i < 30; ++i) entries_["word" + std::to_string(i)] = i; // NORACE
  }
  mutable std::once_flag loaded_;
  mutable std::unordered_map<std::string, int> entries_;
  mutable int loads_ = 0;
};

class Directory {
public:
  ~Directory() { delete dictionary_.load(); }

  Dictionary &dictionary() {
    Dictionary *found = dictionary_.load(std::memory_order_acquire);
    if (!found) {
      std::lock_guard lock(mutex_);
      found = dictionary_.load(std::memory_order_relaxed);
      if (!found) {
        found = new Dictionary;
        created_++; // NORACE
        dictionary_.store(found, std::memory_order_release);
      }
    }
    return *found;
  }
  int created() const { return created_; }

private:
  std::atomic<Dictionary *> dictionary_{nullptr};
  std::mutex mutex_;
  int created_ = 0;
};

int main() {
  Directory directory;
  std::vector<int> found(4);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&directory, &sum = found[static_cast<std::size_t>(t)], t] {
        for (int i = 0; i < 20; ++i) {
          sum += directory.dictionary().lookup("word" + std::to_string(i + t)); // NORACE
          sum += static_cast<int>(Locale::get().month(i).size());
        }
      });
  }
  int total = 0;
  for (int sum : found) total += sum;
  std::cout << total << " " << directory.created() << " " << directory.dictionary().loads() << "\n";
  return directory.created() == 1 && directory.dictionary().loads() == 1 ? 0 : 1;
}
