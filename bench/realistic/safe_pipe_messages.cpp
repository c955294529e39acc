// SHOWN
// FLAGS -std=c++20
// Messages are handed to an event loop as pointers through a pipe, and answered through a promise.
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct Message {
  enum Kind { Add, Query, Quit } kind;
  int value = 0;
  std::promise<long> reply;
};

class Actor {
public:
  Actor() {
    if (::pipe(fds_) != 0) std::perror("pipe");
    thread_ = std::thread(&Actor::loop, this);
  }
  ~Actor() {
    auto quit = std::make_unique<Message>();
    quit->kind = Message::Quit;
    send(std::move(quit));
    thread_.join();
    ::close(fds_[0]);
    ::close(fds_[1]);
  }
  void add(int value) {
    auto message = std::make_unique<Message>();
    message->kind = Message::Add; // NORACE
    message->value = value;       // NORACE
    send(std::move(message));
  }
  long query() {
    auto message = std::make_unique<Message>();
    message->kind = Message::Query;
    std::future<long> answer = message->reply.get_future();
    send(std::move(message));
    return answer.get();
  }

private:
  void send(std::unique_ptr<Message> message) {
    Message *raw = message.release();
    if (::write(fds_[1], &raw, sizeof raw) != static_cast<ssize_t>(sizeof raw)) delete raw;
  }
  void loop() {
    for (;;) {
      Message *raw = nullptr;
      if (::read(fds_[0], &raw, sizeof raw) != static_cast<ssize_t>(sizeof raw)) return;
      std::unique_ptr<Message> message(raw);
      switch (message->kind) { // NORACE
      case Message::Add:
        sum_ += message->value; // NORACE
        ++handled_;             // NORACE
        break;
      case Message::Query: message->reply.set_value(sum_); break;
      case Message::Quit: return;
      }
    }
  }
  int fds_[2] = {-1, -1};
  long sum_ = 0;
  int handled_ = 0;
  std::thread thread_;
};

int main() {
  Actor actor;
  std::vector<std::thread> clients;
  for (int c = 0; c < 2; ++c)
    clients.emplace_back([&actor] {
      for (int i = 0; i < 20; ++i) actor.add(i);
    });
  long middle = actor.query();
  for (auto &client : clients) client.join();
  std::printf("%ld %d\n", actor.query(), middle >= 0);
  return 0;
}
