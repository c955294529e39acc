// FLAGS -std=c++20
// SHOWN
// An indexer whose run() starts the workers, shows their progress and joins them: the progress is read without the lock.
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Indexer {
public:
  explicit Indexer(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  std::size_t run(unsigned workers) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < workers; ++i) threads.emplace_back(&Indexer::work, this);
    for (int i = 0; i < 3; ++i) {
      std::cerr << "at " << next_ << " of " << lines_.size() << "\n"; // RACE next
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (auto &thread : threads) thread.join();
    return words_.size();
  }

private:
  void work() {
    for (;;) {
      const std::string *line;
      {
        std::lock_guard lock(mutex_);
        if (next_ == lines_.size()) return;
        line = &lines_[next_++]; // RACE next
      }
      std::size_t from = 0, to;
      do {
        to = line->find(' ', from);
        std::string word = line->substr(from, to - from);
        std::lock_guard lock(mutex_);
        ++words_[word];
        from = to + 1;
      } while (to != std::string::npos);
    }
  }

  std::vector<std::string> lines_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::string, int> words_;
};

int main() {
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) lines.push_back("line " + std::to_string(i) + " of the text");
  Indexer indexer(std::move(lines));
  std::cout << indexer.run(3) << "\n";
}
