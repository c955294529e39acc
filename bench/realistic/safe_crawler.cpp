// VERBS check run
// FLAGS -std=c++20 -Wall
// SHOWN
// Web crawler: a frontier with a count of pages in work, a visited set behind a shared_mutex, pages handed over by unique_ptr.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

struct Page {
  int id;
  int depth;
  std::vector<int> links;
};

class Frontier {
public:
  void push(std::unique_ptr<Page> page) {
    {
      std::scoped_lock lock(mutex_);
      pages_.push_back(std::move(page));
      ++open_;
    }
    cv_.notify_one();
  }
  std::unique_ptr<Page> pop() {
    std::unique_lock lock(mutex_);
    cv_.wait(lock, [this] { return !pages_.empty() || open_ == 0; });
    if (pages_.empty()) return nullptr;
    auto page = std::move(pages_.front());
    pages_.pop_front();
    return page;
  }
  void done() {
    std::scoped_lock lock(mutex_);
    if (--open_ == 0) cv_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable cv_;
  std::deque<std::unique_ptr<Page>> pages_;
  int open_ = 0;
};

class Visited {
public:
  bool insert(int id) {
    {
      std::shared_lock lock(mutex_);
      if (ids_.contains(id)) return false;
    }
    std::unique_lock lock(mutex_);
    return ids_.insert(id).second;
  }
  std::size_t size() const {
    std::shared_lock lock(mutex_);
    return ids_.size();
  }

private:
  mutable std::shared_mutex mutex_;
  std::unordered_set<int> ids_;
};

class Crawler {
public:
  std::size_t run(int root, unsigned threads) {
    if (visited_.insert(root)) frontier_.push(std::make_unique<Page>(Page{root, 0, {}}));
    {
      std::vector<std::jthread> pool;
      for (unsigned i = 0; i < threads; ++i) pool.emplace_back(&Crawler::crawl, this);
    }
    return visited_.size();
  }

private:
  void crawl() {
    while (auto page = frontier_.pop()) {
      parse(*page);
      for (int link : page->links)
        if (visited_.insert(link)) frontier_.push(std::make_unique<Page>(Page{link, page->depth + 1, {}}));
      frontier_.done();
    }
  }
  static void parse(Page &page) {
    if (page.depth >= 4) return;
    page.links.push_back(page.id * 2 % 61);
    page.links.push_back((page.id * 3 + 1) % 61);
  }

  Frontier frontier_;
  Visited visited_;
};

int main() {
  Crawler crawler;
  std::size_t n = crawler.run(1, 3);
  std::printf("%zu pages\n", n);
  return n > 5 ? 0 : 1;
}
