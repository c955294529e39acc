// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// Chat presence: users live in a map of shared pointers; a user's own thread stamps lastSeen, the reaper reads it under the room's lock.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace chat {

class User {
public:
  explicit User(std::string name) : name_(std::move(name)) {}

  void touch(long tick) { lastSeen_ = tick; }                 // RACE seen
  bool idle(long now) const { return now - lastSeen_ > 100; } // RACE seen
  const std::string &name() const { return name_; }

private:
  const std::string name_;
  long lastSeen_ = 0;
};

using UserPtr = std::shared_ptr<User>;

class Room {
public:
  UserPtr enter(const std::string &name) {
    auto user = std::make_shared<User>(name);
    std::lock_guard<std::mutex> guard(mutex_);
    users_[name] = user;
    return user;
  }

  std::size_t reap(long now) {
    std::lock_guard<std::mutex> guard(mutex_);
    std::size_t gone = 0;
    for (auto it = users_.begin(); it != users_.end();) {
      if (it->second->idle(now)) {
        it = users_.erase(it);
        ++gone;
      } else {
        ++it;
      }
    }
    return gone;
  }

  std::size_t size() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return users_.size();
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, UserPtr> users_;
};

class Session {
public:
  Session(Room &room, const std::string &name) : room_(room), name_(name), thread_([this] { run(); }) {}
  ~Session() { thread_.join(); }

private:
  void run() {
    UserPtr me = room_.enter(name_);
    for (long tick = 1; tick <= 40; ++tick) me->touch(tick);
  }

  Room &room_;
  std::string name_;
  std::thread thread_;
};

} // namespace chat

int main() {
  chat::Room room;
  std::size_t reaped = 0;
  {
    chat::Session ann(room, "ann"), ben(room, "ben");
    for (long now = 0; now < 20; ++now) reaped += room.reap(now);
  }
  return room.size() + reaped == 2 ? 0 : 1;
}
