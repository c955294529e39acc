// FLAGS -std=c++20
// SHOWN
// A lazily built table behind double-checked locking with a plain pointer and a plain flag.
#include <array>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

class CodecTable {
public:
  CodecTable() {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    decode_.fill(-1); // RACE decoded-fill
    for (std::size_t i = 0; i < alphabet.size(); ++i)
      decode_[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i); // RACE decoded
  }

  int decode(char c) const { return decode_[static_cast<unsigned char>(c)]; } // RACE decoded // RACE decoded-fill

  static const CodecTable &instance() {
    if (!table_) { // RACE table
      std::lock_guard lock(mutex_);
      if (!table_) table_ = new CodecTable; // RACE table // RACE returned
    }
    return *table_; // RACE returned
  }

  static void release() { delete table_; }

private:
  std::array<signed char, 256> decode_;
  static inline CodecTable *table_ = nullptr;
  static inline std::mutex mutex_;
};

static std::size_t count_valid(std::string_view text) {
  std::size_t valid = 0;
  const auto &table = CodecTable::instance();
  for (char c : text) valid += table.decode(c) >= 0;
  return valid;
}

int main() {
  std::vector<std::string> texts = {"aGVsbG8=", "d29ybGQ=", "!!??", "cmFjZQ=="};
  std::vector<std::size_t> counts(texts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < texts.size(); ++i) threads.emplace_back([&, i] { counts[i] = count_valid(texts[i]); });
  for (auto &thread : threads) thread.join();
  for (auto count : counts) std::cout << count << " ";
  std::cout << "\n";
  CodecTable::release();
}
