// What a factory returns is new in each call, though the factory keeps it in a list, too. Who finds it in the list may race with its owner.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Socket {
  virtual ~Socket() = default;
  virtual int kind() const = 0;
  void set(int option, int value) {
    if (option == 0)
      limit = value; // NORACE
    else
      timeout = value; // NORACE
  }
  int limit = 0, timeout = 0, sent = 0;
};
struct Reader : Socket {
  int kind() const override { return 1; }
};
struct Writer : Socket {
  int kind() const override { return 2; }
};
struct Both : Socket {
  int kind() const override { return 3; }
};
struct Pair : Socket {
  int kind() const override { return 4; }
};
struct Raw : Socket {
  int kind() const override { return 5; }
};

static std::mutex gate;
static std::vector<Socket *> sockets;

static Socket *create(int kind) {
  Socket *made = nullptr;
  switch (kind) {
  case 1: made = new Reader; break;
  case 2: made = new Writer; break;
  case 3: made = new Both; break;
  case 4: made = new Pair; break;
  case 5: made = new Raw; break;
  default: return nullptr;
  }
  std::lock_guard<std::mutex> hold(gate);
  sockets.push_back(made);
  return made;
}

static void worker(int kind) {
  Socket *mine = create(kind);
  mine->set(0, kind);
  mine->set(1, kind);
  for (int i = 0; i < 10; ++i) mine->sent += 1; // RACE sent
}

static int look() {
  std::lock_guard<std::mutex> hold(gate);
  int sum = 0;
  for (Socket *each : sockets) sum += each->sent; // RACE sent
  return sum;
}

int main() {
  std::thread one(worker, 1), two(worker, 2), three(worker, 3);
  int sum = look();
  one.join();
  two.join();
  three.join();
  return sum < 0;
}
