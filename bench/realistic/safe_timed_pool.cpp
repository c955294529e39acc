// SHOWN
// FLAGS -std=c++20
// Map and reduce over words: each worker counts into a map of its own, which it returns through its future.
#include <cctype>
#include <cstdio>
#include <future>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using Counts = std::unordered_map<std::string, int>;

static Counts countWords(const std::string &text, std::size_t from, std::size_t to) {
  Counts counts;
  std::string word;
  for (std::size_t i = from; i < to; ++i) {
    const char c = text[i];
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c))); // NORACE
    } else if (!word.empty()) {
      ++counts[word]; // NORACE
      word.clear();   // NORACE
    }
  }
  if (!word.empty()) ++counts[word]; // NORACE
  return counts;
}

static Counts merge(std::vector<std::future<Counts>> &parts) {
  Counts total;
  for (auto &part : parts)
    for (const auto &[word, count] : part.get()) total[word] += count; // NORACE
  return total;
}

int main() {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "the quick brown fox jumps over the lazy dog ";
  std::vector<std::future<Counts>> parts;
  const std::size_t chunk = text.size() / 4;
  for (std::size_t i = 0; i < 4; ++i)
    parts.push_back(std::async(std::launch::async, countWords, std::cref(text), i * chunk, (i + 1) * chunk));
  const Counts total = merge(parts);
  std::printf("%zu %d\n", total.size(), total.at("the") > 0);
  return 0;
}
