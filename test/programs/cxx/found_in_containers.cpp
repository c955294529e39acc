// FLAGS -std=c++17
// Whoever gets a session out of a container of main's gets to the store that the session was made with.
#include <cstdio>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

template <int kNumber> class Store {
public:
  void put() {
    std::lock_guard<std::mutex> hold(gate_);
    if constexpr (kNumber == 0) ++writes; // RACE last
    if constexpr (kNumber == 1) ++writes; // RACE shared
    if constexpr (kNumber == 2) ++writes; // RACE value
    if constexpr (kNumber == 3) ++writes; // RACE listed
    if constexpr (kNumber == 4) ++writes; // RACE job
    if constexpr (kNumber == 5) ++writes; // NORACE
  }
  long locked() {
    std::lock_guard<std::mutex> hold(gate_);
    return writes; // NORACE
  }
  long writes = 0;

private:
  std::mutex gate_;
};

template <int kNumber> class Session {
public:
  explicit Session(Store<kNumber> &store) : store_(store) {}
  void run() {
    for (int i = 0; i < 20; ++i) store_.put();
  }

private:
  Store<kNumber> &store_;
};

int main() {
  auto last = std::make_unique<Store<0>>();
  Store<1> shared;
  Store<2> value;
  Store<3> listed;
  Store<4> job;
  Store<5> joined;
  std::vector<std::unique_ptr<Session<0>>> ofLast;
  std::vector<std::shared_ptr<Session<1>>> ofShared;
  std::vector<Session<2>> ofValue;
  std::list<Session<3>> ofListed;
  std::vector<std::function<void()>> ofJob;
  std::vector<std::unique_ptr<Session<5>>> ofJoined;
  std::vector<std::thread> threads, others;
  for (int i = 0; i < 2; ++i) {
    ofLast.emplace_back(new Session<0>(*last));
    Session<0> *session = ofLast.back().get();
    threads.emplace_back([session] { session->run(); });
    ofShared.push_back(std::make_shared<Session<1>>(shared));
    ofValue.emplace_back(value);
    ofListed.emplace_back(listed);
    threads.emplace_back([found = &ofListed.back()] { found->run(); });
    ofJob.push_back([&job] { job.put(); });
    ofJoined.push_back(std::make_unique<Session<5>>(joined));
  }
  for (auto &each : ofShared) threads.emplace_back([each] { each->run(); });
  for (auto &each : ofValue) threads.emplace_back([&each] { each.run(); });
  for (auto &each : ofJob) threads.emplace_back(each);
  for (auto &each : ofJoined) others.emplace_back([&each] { each->run(); });
  long early = last->writes; // RACE last
  early += shared.writes;    // RACE shared
  early += value.writes;     // RACE value
  early += listed.writes;    // RACE listed
  early += job.writes;       // RACE job
  early += joined.locked();
  for (auto &thread : others) thread.join();
  early += joined.writes; // NORACE
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", early >= 0);
}
