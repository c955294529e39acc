// SHOWN
// FLAGS -std=c++20
// A small build graph runs as packaged tasks; the rules write plain results by reference, and only shared_futures (which may carry an exception) order them.
#include <array>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Artifact {
  std::string name;
  std::optional<std::size_t> size;
};

class BuildGraph {
public:
  using Done = std::shared_future<void>;

  template <class Rule> Done add(std::vector<Done> needs, Rule rule) {
    std::packaged_task<void()> task([needs = std::move(needs), rule = std::move(rule)]() mutable {
      for (const auto &n : needs) n.get(); // an earlier failure is passed on
      rule();
    });
    Done done = task.get_future().share();
    runners_.emplace_back(std::move(task));
    return done;
  }

private:
  std::vector<std::jthread> runners_;
};

static std::size_t compile(const Artifact &source) {
  if (source.name.empty()) throw std::invalid_argument("no source");
  return source.size.value_or(0) * 3;
}

static void build(std::array<Artifact, 2> &sources, const char *label) {
  std::array<Artifact, 2> objects;
  Artifact program;
  bool linked = false;
  BuildGraph graph;

  auto generated = graph.add({}, [&sources] { sources[0].size = sources[0].name.size() * 10; });
  auto first = graph.add({generated}, [&] { objects[0] = {"a.o", compile(sources[0])}; });                     // NORACE
  auto second = graph.add({generated}, [&] { objects[1] = {"b.o", compile(sources[1]) + *sources[0].size}; }); // NORACE
  auto link = graph.add({first, second}, [&] {
    program.name = label;
    program.size = *objects[0].size + *objects[1].size; // NORACE
    linked = true;
  });
  auto audit = std::async(std::launch::async, [&, first] {
    first.wait();
    return objects[0].name; // NORACE
  });

  try {
    link.get();
    std::printf("%s: %zu bytes, linked %d, audited %s\n", program.name.c_str(), *program.size, linked,
                audit.get().c_str()); // NORACE
  } catch (const std::invalid_argument &e) {
    audit.wait();
    std::printf("%s: failed (%s), linked %d\n", label, e.what(), linked); // NORACE
  }
}

int main() {
  for (int round = 0; round < 6; ++round) {
    auto sources = std::make_unique<std::array<Artifact, 2>>();
    (*sources)[0] = {"parser.y", std::nullopt};
    (*sources)[1] = {round % 3 == 2 ? "" : "main.c", 50};
    build(*sources, round % 2 ? "odd" : "even");
  }
}
