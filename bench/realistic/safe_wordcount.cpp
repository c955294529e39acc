// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// Word count as map and reduce: the mappers return tables of their own through futures, the reducer merges them; a latch of one's own.
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using Counts = std::map<std::string, int>;

class Latch {
public:
  explicit Latch(int n) : n_(n) {}
  void countDown() {
    std::lock_guard<std::mutex> lock(m_);
    if (--n_ == 0) cv_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(m_);
    while (n_ > 0) cv_.wait(lock);
  }

private:
  std::mutex m_;
  std::condition_variable cv_;
  int n_;
};

static Counts countWords(const std::string &text) {
  Counts c;
  std::istringstream in(text);
  for (std::string w; in >> w;) ++c[w];
  return c;
}

static Counts merge(Counts a, const Counts &b) {
  for (const auto &[w, n] : b) a[w] += n;
  return a;
}

int main() {
  const std::vector<std::string> texts = {"a b c a", "b b d", "c a e f"};
  std::vector<std::future<Counts>> mapped;
  for (const auto &t : texts) mapped.push_back(std::async(std::launch::async, countWords, std::cref(t)));
  Counts total;
  for (auto &f : mapped) total = merge(std::move(total), f.get());

  // The same once more, into slots, with detached threads and the latch.
  struct Job {
    Latch latch{3};
    std::vector<Counts> slots{3};
  };
  auto job = std::make_shared<Job>();
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::thread([job, i, text = texts[i]] {
      job->slots[i] = countWords(text); // NORACE
      job->latch.countDown();
    }).detach();
  job->latch.wait();
  Counts again;
  for (const auto &s : job->slots)      // NORACE
    again = merge(std::move(again), s); // NORACE
  return total == again && total["a"] == 3 ? 0 : 1;
}
