// VERBS check confirm
// Objects that have a thread each, started and joined by member functions that loops call: by value, behind pointers of all kinds, one after
// the other. What a thread does to its own object is no race with its twins, nor with who prepared it or looks at it after the join.
#include <array>
#include <memory>
#include <thread>
#include <vector>

static int total;

class Moved {
public:
  explicit Moved(int size) : size_(size) {}
  void start() { thread_ = std::thread(&Moved::loop, this); }
  void stop() { thread_.join(); }
  void hurry() { size_ = 0; }              // RACE hurry
  int sum() const { return sum_ + last_; } // NORACE
private:
  void loop() {
    for (int i = 0; i < size_; ++i) step(i); // RACE hurry
    ++total;                                 // RACE total SELF
  }
  void step(int i) {
    sum_ += i; // NORACE
    last_ = i; // NORACE
  }
  int size_, sum_ = 0, last_ = 0;
  std::thread thread_;
};

struct Captured {
  int size = 0, sum = 0;
  std::thread thread;
  void start() {
    thread = std::thread([this] {
      for (int i = 0; i < size; ++i) sum += i; // NORACE
    });
  }
  void stop() {
    if (thread.joinable()) thread.join();
  }
};

class Behind {
public:
  explicit Behind(int size) : size_(size) {}
  void setSize(int size) { size_ = size; } // NORACE
  void start() { thread_ = std::make_unique<std::thread>(&Behind::loop, this); }
  void stop() {
    if (thread_ && thread_->joinable()) thread_->join();
  }
  int sum() const { return sum_; } // NORACE
private:
  void loop() {
    for (int i = 0; i < size_; ++i) sum_ += i; // NORACE
  }
  int size_, sum_ = 0;
  std::unique_ptr<std::thread> thread_;
};

static int peeked;

class Alone {
public:
  void start() { thread_ = new std::thread(&Alone::loop, this); }
  void stop() {
    thread_->join();
    delete thread_;
  }
  int sum() const { return sum_; } // RACE peek
private:
  void loop() {
    sum_ += 1; // RACE peek
    ++peeked;  // RACE peeked SELF
  }
  int sum_ = 0;
  std::thread *thread_ = nullptr;
};

int main(int count, char **) {
  int sum = 0;
  std::vector<std::unique_ptr<Moved>> moved;
  for (int i = 0; i < count + 3; ++i) moved.push_back(std::make_unique<Moved>(i));
  for (auto &each : moved) each->start();
  for (auto &each : moved) each->hurry();
  for (auto &each : moved) each->stop();
  for (auto &each : moved) sum += each->sum();
  sum += total; // NORACE all have ended

  std::array<Captured, 4> captured;
  for (Captured &each : captured) {
    each.size = count; // NORACE its thread has not begun
    each.start();
  }
  for (Captured &each : captured) each.stop();
  for (Captured &each : captured) sum += each.sum; // NORACE

  std::vector<std::shared_ptr<Behind>> behind;
  for (int i = 0; i < count + 3; ++i) {
    behind.push_back(std::make_shared<Behind>(i));
    behind[i]->setSize(i + 2);
    behind[i]->start();
  }
  for (auto &each : behind) {
    each->stop();
    sum += each->sum();
  }

  Alone one, other;
  one.start();
  other.start();
  one.stop();
  sum += other.sum(); // its thread lives: a race
  other.stop();
  sum += peeked; // NORACE both have ended
  return sum < 0;
}
