// VERBS check confirm
// Jobs go through queues of the library, and back, as plain pointers and as std::unique_ptr: who has taken one out has it alone. What the
// threads count beside that is shared. An object that main keeps while a thread has its address is shared, too.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

struct Job {
  int cost = 0, result = 0;
  void run() { result = cost * 2; } // NORACE
};

template <typename T> class Queue {
public:
  void push(T item) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      items_.push(std::move(item)); // NORACE
    }
    changed_.notify_one();
  }
  bool pop(T &item) {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return false;
    item = std::move(items_.front()); // NORACE
    items_.pop();                     // NORACE
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true; // NORACE
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<T> items_;
  bool closed_ = false;
};

static Queue<std::unique_ptr<Job>> in, out;
static Queue<Job *> plainIn, plainOut;
static int handled, handledPlain;

static void work() {
  std::unique_ptr<Job> job;
  while (in.pop(job)) {
    job->run();
    ++handled; // RACE handled SELF
    out.push(std::move(job));
  }
}

static void workPlain() {
  Job *job;
  while (plainIn.pop(job)) {
    job->run();
    ++handledPlain; // RACE handled-plain SELF
    plainOut.push(job);
  }
}

struct Server {
  bool stop = false;
  int served = 0;
  void run() {
    while (!stop && served < 1000) ++served; // RACE stop
  }
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  for (int i = 0; i < 3; ++i) threads.emplace_back(workPlain);
  for (int i = 0; i < 10; ++i) {
    auto job = std::make_unique<Job>();
    job->cost = i; // NORACE
    in.push(std::move(job));
    Job *plain = new Job;
    plain->cost = i; // NORACE
    plainIn.push(plain);
  }
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    std::unique_ptr<Job> job;
    out.pop(job);
    sum += job->result; // NORACE
    Job *plain;
    plainOut.pop(plain);
    sum += plain->result; // NORACE
    plain->cost = 0;      // NORACE
    delete plain;
  }
  in.close();
  plainIn.close();
  for (std::thread &thread : threads) thread.join();

  auto server = std::make_unique<Server>();
  std::thread serving(&Server::run, server.get());
  server->stop = true; // RACE stop
  serving.join();
  return sum + server->served < 0; // NORACE
}
