// SHOWN
// FLAGS -std=c++20
// A sorted list with a lock per node, walked hand over hand.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class SortedList {
  struct Node {
    explicit Node(int k) : key(k) {}
    const int key;
    int count = 1;
    std::mutex mutex;
    std::unique_ptr<Node> next;
  };

public:
  SortedList() : head_(-1) {}

  void insert(int key) {
    Node *previous = &head_;
    std::unique_lock<std::mutex> held(previous->mutex);
    while (Node *next = previous->next.get()) {
      std::unique_lock<std::mutex> following(next->mutex);
      if (next->key == key) {
        next->count += 1; // NORACE
        return;
      }
      if (next->key > key) break;
      held = std::move(following);
      previous = next;
    }
    auto node = std::make_unique<Node>(key);
    node->next = std::move(previous->next); // NORACE
    previous->next = std::move(node);       // NORACE
  }

  bool erase(int key) {
    Node *previous = &head_;
    std::unique_lock<std::mutex> held(previous->mutex);
    while (Node *next = previous->next.get()) {
      std::unique_lock<std::mutex> following(next->mutex);
      if (next->key == key) {
        std::unique_ptr<Node> victim = std::move(previous->next);
        previous->next = std::move(victim->next); // NORACE
        following.unlock();
        return true;
      }
      held = std::move(following);
      previous = next;
    }
    return false;
  }

  int total() {
    int sum = 0;
    Node *previous = &head_;
    std::unique_lock<std::mutex> held(previous->mutex);
    while (Node *next = previous->next.get()) {
      std::unique_lock<std::mutex> following(next->mutex);
      sum += next->count; // NORACE
      held = std::move(following);
      previous = next;
    }
    return sum;
  }

private:
  Node head_;
};

int main() {
  SortedList list;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&list, t] {
      for (int i = 0; i < 30; ++i) {
        list.insert((i * 7 + t) % 20);
        if (i % 3 == 0) list.erase((i + t) % 20);
        if (i % 10 == 0) list.total();
      }
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", list.total() > 0);
  return 0;
}
