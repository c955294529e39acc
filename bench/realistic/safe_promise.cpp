// SHOWN
// FLAGS -std=c++20
// Plain data is handed over by promises: filled before set_value, read after get; a shared_future feeds many.
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

struct Model {
  std::vector<double> weights;
  int epoch = 0;
};

static void train(std::promise<void> ready, Model &model, int epochs) {
  try {
    if (epochs < 1) throw std::invalid_argument("epochs");
    model.weights.assign(16, 0.0); // NORACE
    for (int e = 0; e < epochs; ++e)
      for (double &weight : model.weights) weight += 0.5; // NORACE
    model.epoch = epochs;                                 // NORACE
    ready.set_value();
  } catch (...) {
    ready.set_exception(std::current_exception());
  }
}

static double evaluate(std::shared_future<void> ready, const Model &model, int from, int to) {
  ready.get();
  double sum = 0;
  for (int i = from; i < to; ++i) sum += model.weights[i]; // NORACE
  return sum * model.epoch;                                // NORACE
}

int main() {
  Model model;
  std::promise<void> promise;
  std::shared_future<void> ready = promise.get_future().share();
  std::vector<std::future<double>> parts;
  for (int i = 0; i < 4; ++i)
    parts.push_back(std::async(std::launch::async, evaluate, ready, std::cref(model), i * 4, i * 4 + 4));
  std::thread trainer(train, std::move(promise), std::ref(model), 3);
  double total = 0;
  for (auto &part : parts) total += part.get();
  trainer.join();

  Model broken;
  std::promise<void> failing;
  auto failed = failing.get_future();
  std::thread again(train, std::move(failing), std::ref(broken), 0);
  try {
    failed.get();
    total += broken.epoch;
  } catch (const std::invalid_argument &) {
    broken.epoch = -1; // NORACE the trainer has given up
  }
  again.join();
  std::printf("%g %d\n", total, broken.epoch);
  return 0;
}
