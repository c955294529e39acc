// SHOWN
// FLAGS -std=c++20
// Shard counters write neighbouring plain cells; whoever finishes last folds all of them, without a join, and only then the report is released.
#include <array>
#include <atomic>
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct Report {
  std::size_t words = 0;
  std::size_t longest = 0;
  std::size_t vowels = 0;
};

class WordCount {
public:
  static constexpr unsigned shards = 4;

  explicit WordCount(std::string text) : text_(std::move(text)) {}

  std::future<Report> start() {
    auto result = done_.get_future();
    for (unsigned s = 0; s < shards; ++s) threads_[s] = std::jthread([this, s] { count(s); });
    return result;
  }

private:
  void count(unsigned s) {
    std::string_view all(text_);
    const std::size_t slice = all.size() / shards;
    std::string_view mine = all.substr(s * slice, s + 1 == shards ? all.npos : slice);
    std::size_t run = 0;
    for (char c : mine) {
      if (c == ' ') {
        run = 0;
        continue;
      }
      if (run++ == 0) words_[s]++; // NORACE // own cell, although adjacent
      if (run > longest_[s]) longest_[s] = static_cast<unsigned char>(run);
      has_vowel_[s] |= std::string_view("aeiou").find(c) != std::string_view::npos;
    }
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) fold();
  }

  void fold() {
    Report r;
    for (unsigned s = 0; s < shards; ++s) {
      r.words += words_[s]; // NORACE // all the others have counted down
      if (longest_[s] > r.longest) r.longest = longest_[s];
      r.vowels += has_vowel_[s] ? 1 : 0;
    }
    done_.set_value(r);
  }

  const std::string text_;
  std::array<unsigned short, shards> words_{};
  std::array<unsigned char, shards> longest_{};
  std::array<bool, shards> has_vowel_{};
  std::atomic<unsigned> pending_{shards};
  std::promise<Report> done_;
  std::array<std::jthread, shards> threads_;
};

int main() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += i % 3 ? "log " : "rotation ";
  auto job = std::make_unique<WordCount>(text);
  auto result = job->start();
  Report r = result.get();
  std::printf("%zu words, longest %zu, %zu shards with vowels\n", r.words, r.longest, r.vowels);
}
