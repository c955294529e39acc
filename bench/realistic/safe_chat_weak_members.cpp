// SHOWN
// FLAGS -std=c++20
// A chat room keeps weak_ptrs to its members; members are dropped at any moment, and their destructors read the inbox without the lock the deliveries take.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::atomic<std::size_t> delivered{0};

class Member {
public:
  explicit Member(std::string nick) : nick_(std::move(nick)) {}
  virtual ~Member() { delivered += inbox_.size(); } // NORACE // the last owner has let go
  void deliver(const std::string &line) {
    if (!accepts(line)) return;
    std::lock_guard lock(mu_);
    inbox_.push_back(line);
  }
  const std::string &nick() const { return nick_; }

protected:
  virtual bool accepts(const std::string &) const { return true; }

private:
  const std::string nick_;
  std::mutex mu_;
  std::vector<std::string> inbox_;
};

class Moderator final : public Member {
public:
  using Member::Member;
  ~Moderator() override { word_.clear(); } // NORACE

protected:
  bool accepts(const std::string &line) const override { return line.find(word_) != std::string::npos; }

private:
  std::string word_ = "7";
};

class Room {
public:
  void enter(const std::shared_ptr<Member> &m) {
    std::unique_lock lock(mu_);
    members_[m->nick()] = m;
  }
  void say(const std::string &line) {
    std::vector<std::shared_ptr<Member>> present;
    {
      std::shared_lock lock(mu_);
      for (const auto &[nick, weak] : members_)
        if (auto m = weak.lock()) present.push_back(std::move(m));
    }
    for (auto &m : present) m->deliver(line);
  }
  std::size_t sweep() {
    std::unique_lock lock(mu_);
    std::erase_if(members_, [](const auto &entry) { return entry.second.expired(); });
    return members_.size();
  }

private:
  std::shared_mutex mu_;
  std::unordered_map<std::string, std::weak_ptr<Member>> members_;
};

int main() {
  auto room = std::make_unique<Room>();
  {
    std::vector<std::jthread> speakers;
    for (int s = 0; s < 2; ++s)
      speakers.emplace_back([&room] {
        for (int i = 0; i < 120; ++i) {
          room->say("line " + std::to_string(i));
          if (i % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
      });
    for (int i = 0; i < 25; ++i) {
      std::shared_ptr<Member> guest = std::make_shared<Member>("guest" + std::to_string(i));
      std::shared_ptr<Member> moderator = std::make_shared<Moderator>("moderator");
      room->enter(guest);
      room->enter(moderator);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (i % 5 == 4) room->sweep();
    }
  }
  std::printf("%zu left, deliveries %s\n", room->sweep(), delivered.load() > 0 ? "yes" : "none");
}
