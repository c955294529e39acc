// FLAGS -std=c++20
// SHOWN
// A pipeline of promises and futures: each stage fills a document further after the one before has fulfilled its promise.
#include <cctype>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Document {
  std::string text;
  std::vector<std::string> words;
  std::map<std::string, int> counts;
  int stage = 0;
};

static void load(Document &document, std::promise<void> done) {
  document.text = "the quick fox and the lazy dog and the cat"; // NORACE
  document.stage = 1;                                           // NORACE
  done.set_value();
}

static void split(Document &document, std::future<void> loaded, std::promise<void> done) {
  try {
    loaded.get();
    if (document.stage != 1) throw std::logic_error("not loaded"); // NORACE
    std::istringstream in(document.text);
    for (std::string word; in >> word;) document.words.push_back(word); // NORACE
    document.stage = 2;                                                 // NORACE
    done.set_value();
  } catch (...) {
    done.set_exception(std::current_exception());
  }
}

static int tally(Document &document, std::shared_future<void> ready) {
  ready.get();
  for (const auto &word : document.words) ++document.counts[word]; // NORACE
  document.stage = 3;                                              // NORACE
  return static_cast<int>(document.counts.size());
}

static std::size_t longest(const Document &document, std::shared_future<void> ready) {
  ready.get();
  std::size_t length = 0;
  for (const auto &word : document.words) length = std::max(length, word.size()); // NORACE
  return length;
}

int main() {
  auto document = std::make_unique<Document>();
  std::promise<void> loaded, divided;
  auto loaded_future = loaded.get_future();
  std::shared_future<void> divided_future = divided.get_future().share();
  std::thread loader(load, std::ref(*document), std::move(loaded));
  std::thread splitter(split, std::ref(*document), std::move(loaded_future), std::move(divided));
  auto count = std::async(std::launch::async, tally, std::ref(*document), divided_future);
  auto length = std::async(std::launch::async, longest, std::cref(*document), divided_future);
  int distinct = count.get();
  std::cout << distinct << " distinct, longest " << length.get() << ", stage " << document->stage << "\n"; // NORACE
  loader.join();
  splitter.join();
  return document->counts["the"] == 3 ? 0 : 1;
}
