// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// Thumbnails: a pipeline of three stages with bounded queues; a picture is moved from stage to stage by unique_ptr.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

template <typename T> class Channel {
public:
  explicit Channel(std::size_t limit) : limit_(limit) {}
  Channel(const Channel &) = delete;

  void send(T value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < limit_; });
    items_.push_back(std::move(value));
    not_empty_.notify_one();
  }

  std::optional<T> receive() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T value = std::move(items_.front());
    items_.pop_front();
    not_full_.notify_one();
    return value;
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

private:
  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<T> items_;
  bool closed_ = false;
};

struct Picture {
  std::string name;
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
  std::string log;
};
using PicturePtr = std::unique_ptr<Picture>;

static void decode(Picture &p) {
  p.width = p.height = 16;
  p.pixels.assign(256, 0);
  for (std::size_t i = 0; i < p.pixels.size(); ++i) p.pixels[i] = static_cast<std::uint8_t>(i * p.name.size());
  p.log += "decoded ";
}

static void shrink(Picture &p) {
  std::vector<std::uint8_t> small;
  for (int y = 0; y < p.height; y += 2)
    for (int x = 0; x < p.width; x += 2) small.push_back(p.pixels[static_cast<std::size_t>(y * p.width + x)]);
  p.pixels.swap(small);
  p.width /= 2;
  p.height /= 2;
  p.log += "shrunk ";
}

int main() {
  Channel<PicturePtr> to_decode(4), to_shrink(4), to_store(4);
  std::vector<PicturePtr> stored;

  std::thread decoder([&] {
    while (auto p = to_decode.receive()) {
      decode(**p);
      to_shrink.send(std::move(*p));
    }
    to_shrink.close();
  });
  std::thread shrinker([&] {
    while (auto p = to_shrink.receive()) {
      shrink(**p);
      to_store.send(std::move(*p));
    }
    to_store.close();
  });
  std::thread storer([&] {
    while (auto p = to_store.receive()) stored.push_back(std::move(*p));
  });

  for (int i = 0; i < 15; ++i) {
    auto p = std::make_unique<Picture>();
    p->name = "picture" + std::to_string(i);
    to_decode.send(std::move(p));
  }
  to_decode.close();
  decoder.join();
  shrinker.join();
  storer.join();

  int good = 0;
  for (const auto &p : stored)
    if (p->width == 8 && p->pixels.size() == 64 && p->log == "decoded shrunk ") ++good;
  return good == 15 ? 0 : 1;
}
