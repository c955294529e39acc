// A container gets a pointer by the address of the variable that holds it: what it points to is known to whoever has the container.
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
  virtual ~Observer() = default;
  virtual void notify(int value) = 0;
};

class Subject {
public:
  void attach(Observer *observer) {
    std::lock_guard<std::mutex> hold(gate);
    observers.push_back(observer);
  }
  void fire(int value) {
    std::lock_guard<std::mutex> hold(gate);
    for (Observer *observer : observers) observer->notify(value);
  }

private:
  std::mutex gate;
  std::vector<Observer *> observers;
};

struct Sum : Observer {
  int sum = 0;
  void notify(int value) override {
    sum += value; // RACE early
  }
};

struct Most : Observer {
  int most = 0;
  void notify(int value) override {
    if (value > most) most = value; // NORACE
  }
};

static Subject subject;

static void source(int count) {
  for (int i = 0; i < count; ++i) subject.fire(i);
}

int main() {
  Sum sum;
  Most most;
  subject.attach(&sum);
  subject.attach(&most);
  std::thread one(source, 5), two(source, 6);
  int early = sum.sum; // RACE early
  one.join();
  two.join();
  return early + most.most < 0;
}
