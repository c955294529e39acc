// Words of one thread to events.
//
// Claim   Any words are read without a fault. A word that is no event is counted as damage and passed over; an event whose
//         words have not all come yet is waited for.
// Cost    One table look-up per event.
#pragma once

#include <span>
#include <vector>

#include "trace/event.h"

namespace deadheat::trace {

class Decoder {
public:
  explicit Decoder(ThreadNumber thread) : thread_(thread) {}

  void add(std::span<const uint64_t> words);

  // False: the next event is not whole yet.
  bool next(Event &event);

  ThreadNumber thread() const { return thread_; }
  bool empty() const { return head_ == words_.size(); }
  size_t pendingWords() const { return words_.size() - head_; }
  uint64_t damagedWords() const { return damaged_; }

  // No more will come: what is left cannot be an event.
  void finish();

private:
  void decodeAccess(uint64_t word, Event &event) const;
  bool decodeEvent(uint64_t word, Event &event);
  void drop(size_t count) { head_ += count, damaged_ += count; }

  ThreadNumber thread_;
  std::vector<uint64_t> words_;
  size_t head_ = 0;
  uint64_t window_ = 0; // the bits above abi::kWindowBits of access ids
  uint64_t damaged_ = 0;
};

} // namespace deadheat::trace
