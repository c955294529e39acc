#include "driver/access_counts.h"

#include <algorithm>

#include "abi/event.h"

namespace deadheat::driver {
namespace {

using abi::EventKind;

// How far the payload of an event is shifted left of the access id that it names; -1: it names none.
constexpr int idShift(EventKind kind) {
  if (kind == EventKind::Range || kind == EventKind::Atomic || kind == EventKind::Seen) return 0;
  return kind == EventKind::Fence ? 8 : -1;
}

} // namespace

void AccessCounts::count(uint64_t id) {
  if (id >= kMostIds) return;
  const size_t page = id / kPage;
  if (page >= pages_.size()) pages_.resize(page + 1);
  if (!pages_[page]) pages_[page] = std::make_unique<Page>();
  ++(*pages_[page])[id % kPage];
}

void AccessCounts::countEvent(uint64_t word) {
  const auto kind = static_cast<EventKind>(abi::wordKind(word));
  if (kind == EventKind::Window) window_ = abi::wordPayload(word) << abi::kWindowBits;
  if (int shift = idShift(kind); shift >= 0) count(abi::wordPayload(word) >> shift);
}

void AccessCounts::add(std::span<const uint64_t> words) {
  for (size_t at = 0; at < words.size(); ++at) {
    const uint64_t word = words[at];
    if (abi::isAccess(word)) {
      if (word != 0) count(window_ | abi::wordAccess(word));
      continue;
    }
    if (abi::wordKind(word) >= abi::kEventKinds) continue;
    countEvent(word);
    at += abi::kEventWords[abi::wordKind(word)];
    // The return addresses of a stack come as well.
    if (static_cast<EventKind>(abi::wordKind(word)) == EventKind::Stack)
      at += std::min<uint64_t>(abi::wordPayload(word), words.size());
  }
}

std::vector<AccessCount> AccessCounts::all() const {
  std::vector<AccessCount> counts;
  for (size_t page = 0; page != pages_.size(); ++page)
    for (uint32_t index = 0; pages_[page] && index != kPage; ++index)
      if (uint64_t count = (*pages_[page])[index])
        counts.push_back({static_cast<uint32_t>(page * kPage + index), count});
  return counts;
}

} // namespace deadheat::driver
