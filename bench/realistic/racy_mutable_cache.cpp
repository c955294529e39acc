// SHOWN
// FLAGS -std=c++20
// A const member function keeps its last result in mutable members: two readers are two writers.
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Track {
  std::string title;
  int seconds;
};

class Playlist {
public:
  explicit Playlist(std::vector<Track> tracks) : tracks_(std::move(tracks)) {}
  const Track &at(int time) const {
    int start = 0;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (time < start + tracks_[i].seconds) {
        lastIndex_ = i; // RACE last SELF
        return tracks_[i];
      }
      start += tracks_[i].seconds;
    }
    return tracks_.back();
  }
  std::size_t size() const { return tracks_.size(); }

private:
  const std::vector<Track> tracks_;
  mutable std::size_t lastIndex_ = 0;
};

class Player {
public:
  Player(std::shared_ptr<const Playlist> list, int offset) : list_(std::move(list)), offset_(offset) {}
  void start() { thread_ = std::thread(&Player::play, this); }
  std::size_t finish() {
    thread_.join();
    return letters_; // NORACE
  }

private:
  void play() {
    for (int t = offset_; t < offset_ + 300; ++t) letters_ += list_->at(t).title.size(); // NORACE
  }
  std::shared_ptr<const Playlist> list_;
  int offset_;
  std::size_t letters_ = 0;
  std::thread thread_;
};

int main() {
  std::vector<Track> tracks = {{"one", 100}, {"two", 150}, {"three", 200}};
  auto list = std::make_shared<const Playlist>(tracks);
  Player left(list, 0), right(list, 50);
  left.start();
  right.start();
  std::size_t letters = left.finish() + right.finish();
  std::printf("%zu\n", letters);
  return 0;
}
