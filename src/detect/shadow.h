// What an engine remembers of memory: a cell for every eight bytes, in pages that exist only where something was accessed.
//
// Claim   At most `maxPages` pages. Beyond that the oldest is forgotten and counted: races with what it held are missed.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"

namespace deadheat::detect {

inline constexpr uint64_t kCellBytes = 8;
inline constexpr uint64_t kPageBytes = 128; // sampled accesses lie far apart
inline constexpr uint64_t kPartBytes = 512; // of memory that a shard has in one piece
static_assert(kPartBytes % kPageBytes == 0);

inline constexpr uint64_t pageOf(uint64_t address) { return address / kPageBytes; }
inline constexpr uint64_t partOf(uint64_t address) { return address / kPartBytes; }

// The bytes of a cell that [begin, end) has.
inline constexpr uint8_t maskOf(uint64_t cell, uint64_t begin, uint64_t end) {
  uint64_t low = begin > cell ? begin - cell : 0;
  uint64_t high = end - cell < kCellBytes ? end - cell : kCellBytes;
  return static_cast<uint8_t>((1u << high) - (1u << low));
}

template <typename Cell> class Shadow {
public:
  using Page = std::array<Cell, kPageBytes / kCellBytes>;

  explicit Shadow(size_t maxPages) : maxPages_(maxPages) {}

  Cell &cell(uint64_t address) {
    uint64_t number = pageOf(address);
    if (number != lastNumber_) {
      last_ = &make(number);
      lastNumber_ = number;
    }
    return (*last_)[address % kPageBytes / kCellBytes];
  }

  // visit(cell, address) for the cells of a range that exist, then empties them; by page in no particular order.
  template <typename Visit> void forget(uint64_t begin, uint64_t end, Visit visit) {
    lastNumber_ = UINT64_MAX;
    uint64_t first = pageOf(begin), last = pageOf(end - 1);
    std::vector<uint64_t> numbers;
    if (last - first < pages_.size()) {
      for (uint64_t number = first; number <= last; ++number)
        if (pages_.contains(number)) numbers.push_back(number);
    } else {
      for (auto &[number, page] : pages_)
        if (number >= first && number <= last) numbers.push_back(number);
    }
    for (uint64_t number : numbers) forgetPage(number, begin, end, visit);
  }

  uint64_t evicted() const { return evicted_; }

private:
  Page &make(uint64_t number) {
    std::unique_ptr<Page> &page = pages_[number];
    if (page) return *page;
    page = std::make_unique<Page>();
    Page &made = *page;
    age_.push_back(number);
    if (pages_.size() > maxPages_) evictOldest();
    if (age_.size() > 2 * pages_.size() + kSlack)
      std::erase_if(age_, [&](uint64_t old) { return !pages_.contains(old); });
    return made;
  }

  void evictOldest() {
    bool erased = false;
    for (; !erased; age_.pop_front()) erased = pages_.erase(age_.front());
    ++evicted_;
  }

  template <typename Visit> void forgetPage(uint64_t number, uint64_t begin, uint64_t end, Visit visit) {
    Page &page = *pages_[number];
    uint64_t low = number * kPageBytes, high = low + kPageBytes;
    uint64_t from = std::max(begin, low) / kCellBytes;
    uint64_t to = (std::min(end, high) + kCellBytes - 1) / kCellBytes;
    for (uint64_t cell = from; cell != to; ++cell) visit(page[cell % page.size()], cell * kCellBytes);
    if (begin <= low && end >= high) pages_.erase(number);
  }

  static constexpr size_t kSlack = 1024;

  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages_;
  std::deque<uint64_t> age_; // pages, oldest first; some may have been forgotten since
  uint64_t lastNumber_ = UINT64_MAX;
  Page *last_ = nullptr;
  size_t maxPages_;
  uint64_t evicted_ = 0;
};

} // namespace deadheat::detect
