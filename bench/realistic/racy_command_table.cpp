// SHOWN
// FLAGS -std=c++20
// A table of member functions as command handlers; one of them forgets the lock.
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Store {
public:
  std::string execute(const char *verb, const std::string &key, int value) {
    static const Command commands[] = {{"set", &Store::set}, {"get", &Store::get}, {"stat", &Store::stat}};
    for (const Command &command : commands)
      if (std::strcmp(command.verb, verb) == 0) return (this->*command.handler)(key, value);
    return "unknown";
  }

private:
  using Handler = std::string (Store::*)(const std::string &, int);
  struct Command {
    const char *verb;
    Handler handler;
  };

  std::string set(const std::string &key, int value) {
    std::lock_guard guard(mutex_);
    values_[key] = value;
    ++changes_; // RACE changes
    return "ok";
  }
  std::string get(const std::string &key, int) {
    std::lock_guard guard(mutex_);
    auto it = values_.find(key);
    return it == values_.end() ? "none" : std::to_string(it->second);
  }
  std::string stat(const std::string &, int) {
    return std::to_string(changes_); // RACE changes
  }

  std::mutex mutex_;
  std::map<std::string, int> values_;
  long changes_ = 0;
};

struct Script {
  const char *verb;
  const char *key;
  int value;
};

static void client(Store &store, const std::vector<Script> &script, int rounds) {
  std::size_t length = 0;
  for (int i = 0; i < rounds; ++i)
    for (const Script &line : script) length += store.execute(line.verb, line.key, line.value + i).size();
  if (length == 0) std::puts("nothing");
}

int main() {
  Store store;
  const std::vector<Script> one = {{"set", "a", 1}, {"get", "a", 0}};
  const std::vector<Script> two = {{"stat", "", 0}, {"set", "b", 2}, {"get", "b", 0}};
  std::thread a(std::bind(client, std::ref(store), std::cref(one), 20));
  std::thread b(client, std::ref(store), std::cref(two), 20);
  a.join();
  b.join();
  std::printf("%s\n", store.execute("stat", "", 0).c_str());
  return 0;
}
