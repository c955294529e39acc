// What an engine remembers of memory: a cell for every eight bytes, in pages that exist only where something was accessed.
//
// Claim   At most `maxPages` pages. Beyond that the oldest is forgotten and counted: races with what it held are missed.
// Assumes only addresses of the shard's own parts are asked for.
// Cost    A page is small, as sampled accesses lie far apart: making pages was most of a detector's time. Forgetting looks at the
//         pages of the shard's own parts. What is kept of their age is at most twice as long as there are pages: it is looked through when it has doubled.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/RecyclingAllocator.h"

namespace deadheat::detect {

inline constexpr uint64_t kCellBytes = 8;
inline constexpr uint64_t kPageBytes = 64;
inline constexpr uint64_t kPartBytes = 512; // of memory that a shard has in one piece
static_assert(kPartBytes % kPageBytes == 0);
inline constexpr size_t kShards = 16;

inline constexpr uint64_t pageOf(uint64_t address) { return address / kPageBytes; }
inline constexpr uint64_t partOf(uint64_t address) { return address / kPartBytes; }
inline constexpr size_t shardOf(uint64_t part) { return part * 0x9e3779b97f4a7c15 >> 60; }
static_assert(kShards == 16);

// The bytes of a cell that [begin, end) has.
inline constexpr uint8_t maskOf(uint64_t cell, uint64_t begin, uint64_t end) {
  uint64_t low = begin > cell ? begin - cell : 0;
  uint64_t high = end - cell < kCellBytes ? end - cell : kCellBytes;
  return static_cast<uint8_t>((1u << high) - (1u << low));
}

template <typename Cell> class Shadow {
public:
  using Page = std::array<Cell, kPageBytes / kCellBytes>;

  Shadow(size_t maxPages, size_t shard) : maxPages_(maxPages), shard_(shard) {}
  ~Shadow() {
    for (auto &[number, kept] : pages_) drop(kept.page);
  }
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

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
    std::vector<uint64_t> numbers;
    if (partOf(end - 1) - partOf(begin) < pages_.size()) {
      for (uint64_t part = partOf(begin); part <= partOf(end - 1); ++part)
        if (shardOf(part) == shard_) addPages(part, begin, end, numbers);
    } else {
      for (auto &[number, kept] : pages_)
        if (number >= pageOf(begin) && number <= pageOf(end - 1)) numbers.push_back(number);
    }
    for (uint64_t number : numbers) forgetPage(number, begin, end, visit);
  }

  uint64_t evicted() const { return evicted_; }
  size_t agesKept() const { return age_.size(); }

private:
  struct Kept {
    Page *page = nullptr;
    uint64_t birth = 0; // which of all pages that were made
  };

  // A page that was forgotten and made again is another one, and young.
  struct Birth {
    uint64_t number;
    uint64_t birth;
  };

  Page &make(uint64_t number) {
    Kept &kept = pages_[number];
    if (kept.page) return *kept.page;
    kept = {new (memory_.Allocate()) Page(), ++births_};
    Page &made = *kept.page;
    age_.push_back({number, births_});
    if (pages_.size() > maxPages_) evictOldest();
    if (age_.size() > 2 * pages_.size() + kSlack)
      std::erase_if(age_, [&](const Birth &old) { return find(old) == pages_.end(); });
    return made;
  }

  auto find(const Birth &wanted) {
    auto found = pages_.find(wanted.number);
    return found != pages_.end() && found->second.birth == wanted.birth ? found : pages_.end();
  }

  void drop(Page *page) {
    page->~Page();
    memory_.Deallocate(page);
  }

  void erase(typename llvm::DenseMap<uint64_t, Kept>::iterator kept) {
    drop(kept->second.page);
    pages_.erase(kept);
  }

  void evictOldest() {
    bool erased = false;
    for (; !erased; age_.pop_front()) {
      auto oldest = find(age_.front());
      erased = oldest != pages_.end();
      if (erased) erase(oldest);
    }
    ++evicted_;
  }

  void addPages(uint64_t part, uint64_t begin, uint64_t end, std::vector<uint64_t> &numbers) const {
    const uint64_t low = std::max(begin, part * kPartBytes), high = std::min(end, (part + 1) * kPartBytes);
    for (uint64_t number = pageOf(low); number <= pageOf(high - 1); ++number)
      if (pages_.contains(number)) numbers.push_back(number);
  }

  template <typename Visit> void forgetPage(uint64_t number, uint64_t begin, uint64_t end, Visit visit) {
    auto found = pages_.find(number);
    Page &page = *found->second.page;
    uint64_t low = number * kPageBytes, high = low + kPageBytes;
    uint64_t from = std::max(begin, low) / kCellBytes;
    uint64_t to = (std::min(end, high) + kCellBytes - 1) / kCellBytes;
    for (uint64_t cell = from; cell != to; ++cell) visit(page[cell % page.size()], cell * kCellBytes);
    if (begin <= low && end >= high) erase(found);
  }

  static constexpr size_t kSlack = 1024;
  static constexpr size_t kSlabBytes = 1 << 16;

  // Large slabs: malloc asks the kernel for every few pages of a thread's heap.
  llvm::RecyclingAllocator<llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, kSlabBytes, kSlabBytes>, Page> memory_;
  llvm::DenseMap<uint64_t, Kept> pages_;
  std::deque<Birth> age_; // oldest first; some may have been forgotten since
  uint64_t births_ = 0;
  uint64_t lastNumber_ = UINT64_MAX;
  Page *last_ = nullptr;
  size_t maxPages_;
  size_t shard_;
  uint64_t evicted_ = 0;
};

} // namespace deadheat::detect
