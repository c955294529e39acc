// SHOWN
// FLAGS -std=c++20
// A stack to which many threads push, and from which one takes everything at once.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

struct Message {
  int sender = 0;
  int payload = 0;
  Message *next = nullptr;
};

class Inbox {
public:
  ~Inbox() {
    Message *message = takeAll();
    while (message) {
      Message *next = message->next;
      delete message;
      message = next;
    }
  }
  void post(Message *message) {
    Message *head = head_.load(std::memory_order_relaxed);
    do message->next = head; // NORACE not yet published
    while (!head_.compare_exchange_weak(head, message, std::memory_order_release, std::memory_order_relaxed));
  }
  Message *takeAll() {
    Message *head = head_.exchange(nullptr, std::memory_order_acquire);
    Message *reversed = nullptr;
    while (head) {
      Message *next = head->next; // NORACE
      head->next = reversed;      // NORACE
      reversed = head;
      head = next;
    }
    return reversed;
  }

private:
  std::atomic<Message *> head_{nullptr};
};

int main() {
  Inbox inbox;
  constexpr int kSenders = 3, kEach = 30;
  std::vector<std::thread> senders;
  for (int s = 0; s < kSenders; ++s)
    senders.emplace_back([&inbox, s] {
      for (int i = 0; i < kEach; ++i) {
        auto *message = new Message;
        message->sender = s;  // NORACE
        message->payload = i; // NORACE
        inbox.post(message);
      }
    });
  long sum = 0;
  int got = 0;
  std::thread receiver([&] {
    while (got < kSenders * kEach) {
      for (Message *message = inbox.takeAll(); message;) {
        sum += message->payload * (message->sender + 1); // NORACE
        ++got;
        Message *next = message->next;
        delete message;
        message = next;
      }
      std::this_thread::yield();
    }
  });
  for (auto &sender : senders) sender.join();
  receiver.join();
  std::printf("%ld %d\n", sum, got);
  return 0;
}
