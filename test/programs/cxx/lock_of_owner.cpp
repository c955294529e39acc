// VERBS check confirm
// The lock of the object that owns a list is held by callers, far from where the list's nodes are found and changed.
#include <mutex>
#include <thread>

struct Node {
  Node *next = nullptr;
  int key = 0, uses = 0, misses = 0;
};

static Node *found(Node *first, int key) {
  while (first && first->key != key) first = first->next;
  return first;
}

static void use(Node *node) { ++node->uses; }    // NORACE all who call it hold the lock
static void miss(Node *node) { ++node->misses; } // RACE misses SELF

static void change(Node *first, int key, bool isHit) {
  Node *node = found(first, key);
  if (!node) return;
  if (isHit) use(found(node, key));
}

class Store {
public:
  Store() {
    for (int i = 0; i < 8; ++i) {
      Node *node = new Node;
      node->key = i;
      node->next = first_;
      first_ = node;
    }
  }
  void hit(int key) {
    std::lock_guard<std::mutex> hold(gate_);
    change(first_, key, true);
  }
  void fail(int key) {
    if (Node *node = found(first_, key)) miss(node);
  }

private:
  std::mutex gate_;
  Node *first_ = nullptr;
};

static void work(Store *store, int key) {
  store->hit(key);
  store->fail(key);
}

int main(int count, char **) {
  Store *store = new Store;
  std::thread first(work, store, count + 2), second(work, store, 3);
  first.join();
  second.join();
  return 0;
}
