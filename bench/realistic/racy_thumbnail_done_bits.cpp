// SHOWN
// FLAGS -std=c++20
// Thumbnail workers each own their index in two result vectors; one of them is a vector<bool>, whose neighbours share a word.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Picture {
  std::string name;
  unsigned width;
  unsigned height;
};

class ThumbnailJob {
public:
  explicit ThumbnailJob(std::vector<Picture> pictures)
      : pictures_(std::move(pictures)), sizes_(pictures_.size()), ok_(pictures_.size()) {}

  void work() {
    for (;;) {
      std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= pictures_.size()) return;
      const Picture &p = pictures_[i];
      if (p.width == 0 || p.height == 0) continue;
      sizes_[i] = shrink(p);
      ok_[i] = true; // RACE bits SELF
    }
  }

  void summary() const {
    std::size_t good = 0, bytes = 0;
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
      if (!ok_[i]) continue;
      ++good;
      bytes += sizes_[i];
    }
    std::printf("%zu of %zu thumbnails, %s\n", good, pictures_.size(), bytes > 0 ? "data written" : "no data");
  }

private:
  static std::size_t shrink(const Picture &p) {
    std::size_t w = p.width, h = p.height;
    while (w > 64 || h > 64) {
      w = (w + 1) / 2;
      h = (h + 1) / 2;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20)); // the pixels themselves
    return w * h * 3;
  }

  const std::vector<Picture> pictures_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::size_t> sizes_;
  std::vector<bool> ok_;
};

int main() {
  std::vector<Picture> pictures;
  for (unsigned i = 0; i < 300; ++i) pictures.push_back({"img" + std::to_string(i), i % 50 ? 640 + i : 0, 480 + i});
  auto job = std::make_unique<ThumbnailJob>(std::move(pictures));
  {
    std::vector<std::jthread> pool;
    for (int t = 0; t < 3; ++t) pool.emplace_back(&ThumbnailJob::work, job.get());
  }
  job->summary();
}
