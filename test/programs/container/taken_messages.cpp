// FLAGS -std=c++17
// Messages that a consumer takes out of a queue are its own: std::shared_ptr that are moved out of a container, and what was read out of a
// node before the node was unlinked. Messages that stay where they are, are not.
#include <cstdio>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Message {
  int id = 0;
  long sum = 0;
};

class Shared {
public:
  void push(std::shared_ptr<Message> message) {
    std::lock_guard<std::mutex> hold(gate_);
    pending_.push_back(std::move(message));
  }
  bool pop(std::shared_ptr<Message> &out) {
    std::lock_guard<std::mutex> hold(gate_);
    if (pending_.empty()) return false;
    out = std::move(pending_.front());
    pending_.pop_front();
    return true;
  }

private:
  std::mutex gate_;
  std::list<std::shared_ptr<Message>> pending_;
};

class Linked {
public:
  void push(Message *message) {
    std::lock_guard<std::mutex> hold(gate_);
    head_ = new Node{message, head_};
  }
  bool pop(Message *&out) {
    std::lock_guard<std::mutex> hold(gate_);
    if (!head_) return false;
    out = head_->message;
    Node *taken = head_;
    head_ = taken->next;
    delete taken;
    return true;
  }

private:
  struct Node {
    Message *message;
    Node *next;
  };
  std::mutex gate_;
  Node *head_ = nullptr;
};

class Board {
public:
  void put(std::shared_ptr<Message> message) {
    std::lock_guard<std::mutex> hold(gate_);
    all_.push_back(std::move(message));
  }
  Message *last() {
    std::lock_guard<std::mutex> hold(gate_);
    return all_.back().get();
  }

private:
  std::mutex gate_;
  std::vector<std::shared_ptr<Message>> all_;
};

static void consumeShared(Shared &queue) {
  std::shared_ptr<Message> message;
  while (queue.pop(message)) message->sum = message->id * 2; // NORACE
}

static void consumeLinked(Linked &queue) {
  Message *message = nullptr;
  while (queue.pop(message)) message->sum = message->id * 2; // NORACE
}

static void read(Board &board) {
  Message *message = board.last();
  message->sum += 2; // RACE last SELF
}

int main() {
  Shared shared;
  Linked linked;
  Board board;
  for (int i = 0; i < 20; ++i) {
    shared.push(std::make_shared<Message>());
    linked.push(new Message);
    board.put(std::make_shared<Message>());
  }
  std::thread a([&] { consumeShared(shared); }), b([&] { consumeShared(shared); });
  std::thread c([&] { read(board); }), d([&] { read(board); });
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i) others.emplace_back([&] { consumeLinked(linked); });
  for (auto &other : others) other.join();
  a.join();
  b.join();
  c.join();
  d.join();
  std::puts("done");
}
