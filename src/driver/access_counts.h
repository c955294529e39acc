// How often a thread told each late access, taken from the words that it wrote.
//
// Claim   Every access, range, atomic operation and fence in the words counts once; words that are no event count nothing.
// Cost    A few instructions per word; pages of counts, for ids lie close together.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace deadheat::driver {

struct AccessCount {
  uint32_t id = 0;
  uint64_t count = 0;
};

class AccessCounts {
public:
  // Whole events, in the order in which they were written.
  void add(std::span<const uint64_t> words);

  std::vector<AccessCount> all() const; // by id, none zero

private:
  static constexpr uint32_t kPage = 512;
  static constexpr uint64_t kMostIds = uint64_t(1) << 26; // larger ids are damage
  using Page = std::array<uint64_t, kPage>;

  void count(uint64_t id);
  void countEvent(uint64_t word);

  std::vector<std::unique_ptr<Page>> pages_;
  uint64_t window_ = 0;
};

} // namespace deadheat::driver
