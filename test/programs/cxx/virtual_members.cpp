// FLAGS -std=c++17
// Threads whose entry is a pointer to a virtual member: what runs is what the object's class has in that place of its vtable.
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

// The thread starts in the base, the work is in the derived class.
class Service {
public:
  virtual ~Service() { ++gone_; } // NORACE
  void start() { thread_ = std::thread(&Service::run, this); }
  void join() { thread_.join(); }

protected:
  virtual void run() = 0;
  virtual void stop() {
    ++stopped_; // NORACE
  }

private:
  std::thread thread_;
  int gone_ = 0;
  int stopped_ = 0;
};

class Counter : public Service {
public:
  explicit Counter(long *total) : total_(total) {}
  void stop() override {
    ++stops_; // NORACE
  }
  long seen = 0;

protected:
  void run() override {
    for (int i = 0; i < 100; ++i) {
      ++*total_; // RACE total SELF
      ++seen;    // RACE seen
    }
  }

private:
  long *total_;
  int stops_ = 0;
};

class Shape {
public:
  virtual ~Shape() = default;
  virtual void draw() = 0;
  virtual void measure(long *sum) = 0;
};

class Square : public Shape {
public:
  explicit Square(long *drawn) : drawn_(drawn) {}
  void draw() override {
    ++*drawn_; // RACE drawn SELF
  }
  void measure(long *sum) override {
    *sum += 2; // RACE measured SELF
  }

private:
  long *drawn_;
};

// A pointer to a member that the program calls itself.
static void each(Shape &shape, void (Shape::*step)()) { (shape.*step)(); }

int main() {
  long total = 0, drawn = 0, measured = 0;
  Counter first(&total), second(&total);
  first.start();
  second.start();
  first.stop();
  std::printf("%ld\n", first.seen); // RACE seen
  first.join();
  second.join();

  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 2; ++i) shapes.push_back(std::make_unique<Square>(&drawn));
  std::vector<std::thread> threads;
  for (auto &shape : shapes) threads.emplace_back(std::bind(&Shape::measure, shape.get(), &measured));
  for (auto &thread : threads) thread.join();
  auto one = std::async(std::launch::async, &Shape::draw, shapes[0].get());
  std::thread other([&] { each(*shapes[1], &Shape::draw); });
  other.join();
  one.get();
  std::printf("%ld %ld %ld\n", total, drawn, measured);
}
