#include "trace/decode.h"

#include <algorithm>

namespace deadheat::trace {
namespace {

using Words = std::span<const uint64_t>;

constexpr size_t kMaxCallers = 1024; // a Stack that claims more is damage

constexpr uint64_t kLastSync = static_cast<uint64_t>(abi::SyncKind::State);

// An order that there is not is taken for the strongest: what it orders cannot be called a race.
abi::Order orderOf(uint64_t value) {
  return static_cast<abi::Order>(std::min<uint64_t>(value, static_cast<uint64_t>(abi::Order::Sequential)));
}

// Fills what the words after an event's own say. `payload` and `thread` are there already.
using Fill = void (*)(Event &event, uint64_t payload, Words words);

void fillNumber(Event &event, uint64_t payload, Words) { event.number = payload; }

void fillNumberPlace(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.place = words[0];
}

void fillEnter(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.address = words[0];
  event.place = words[1];
}

void fillStack(Event &event, uint64_t, Words words) {
  event.address = words[0];
  event.callers = words.subspan(1);
}

void fillLoad(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.address = words[0];
}

void fillRange(Event &event, uint64_t payload, Words words) {
  event.access = static_cast<uint32_t>(payload);
  event.address = words[0];
  event.bytes = words[1];
}

void fillBytes(Event &event, uint64_t payload, Words words) {
  event.flags = payload & 1;
  event.address = words[0];
  event.bytes = words[1];
  event.place = words[2];
}

void fillAtomic(Event &event, uint64_t payload, Words words) {
  event.access = static_cast<uint32_t>(payload);
  event.address = words[0];
  event.order = orderOf(words[1] & 0xf);
  event.succeeded = (words[1] >> 4 & 1) != 0;
  event.stamp = words[1] >> 8;
}

void fillFence(Event &event, uint64_t payload, Words) {
  event.access = static_cast<uint32_t>(payload >> 8);
  event.order = orderOf(payload & 0xff);
}

void fillAllocate(Event &event, uint64_t, Words words) {
  event.address = words[0];
  event.bytes = words[1];
  event.stamp = words[2];
  event.place = words[3];
}

void fillFree(Event &event, uint64_t, Words words) {
  event.address = words[0];
  event.stamp = words[1];
  event.place = words[2];
}

void fillObject(Event &event, uint64_t payload, Words words) {
  event.sync = static_cast<abi::SyncKind>(std::min<uint64_t>(payload >> 8 & 0xff, kLastSync));
  event.flags = payload & 0xff;
  event.address = words[0];
}

void fillSync(Event &event, uint64_t payload, Words words) {
  fillObject(event, payload, words);
  event.stamp = words[1];
  event.place = words[2];
}

void fillTally(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.bytes = words[0];
}

void fillBenign(Event &event, uint64_t, Words words) {
  event.address = words[0];
  event.bytes = words[1];
}

void fillWant(Event &event, uint64_t payload, Words words) {
  fillObject(event, payload, words);
  event.place = words[1];
}

void fillContext(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.access = static_cast<uint32_t>(words[0]);
  event.bytes = words[1];
  event.place = words[2];
}

void fillSpot(Event &event, uint64_t payload, Words words) {
  event.number = payload;
  event.place = words[0];
  event.access = static_cast<uint32_t>(words[1]);
}

void fillPair(Event &event, uint64_t payload, Words words) {
  event.number = abi::pieceOfCell(static_cast<uint32_t>(payload), words[1]);
  event.address = words[0];
  event.earlier = words[1];
  event.later = words[2];
}

void fillSeen(Event &event, uint64_t payload, Words) { event.access = static_cast<uint32_t>(payload); }

struct Row {
  Kind kind;
  Fill fill;
  bool stamped = false;
};

// In the order of abi/events.def.
constexpr Row kRows[] = {
    {Kind::Window, fillNumber},      {Kind::Enter, fillEnter},
    {Kind::Stack, fillStack},        {Kind::Gap, fillNumber},
    {Kind::Load, fillLoad},          {Kind::Range, fillRange},
    {Kind::Bytes, fillBytes},        {Kind::Atomic, fillAtomic, true},
    {Kind::Fence, fillFence},        {Kind::Allocate, fillAllocate, true},
    {Kind::Free, fillFree, true},    {Kind::Acquire, fillSync, true},
    {Kind::Release, fillSync, true}, {Kind::Signal, fillSync, true},
    {Kind::Wait, fillSync, true},    {Kind::Make, fillSync, true},
    {Kind::Want, fillWant},          {Kind::Spawn, fillNumberPlace},
    {Kind::Begin, fillNumberPlace},  {Kind::End, fillNumber},
    {Kind::Join, fillNumber},        {Kind::SignalEnter, fillNumber},
    {Kind::SignalLeave, fillNumber}, {Kind::Ignore, fillNumber},
    {Kind::Benign, fillBenign},      {Kind::Samplers, fillNumber},
    {Kind::Tally, fillTally},        {Kind::Context, fillContext},
    {Kind::At, fillNumber},          {Kind::Spot, fillSpot},
    {Kind::Piece, fillNumber},       {Kind::Pair, fillPair},
    {Kind::Seen, fillSeen},
};
static_assert(std::size(kRows) == abi::kEventKinds);

consteval bool inOrder() {
  for (size_t index = 0; index != std::size(kRows); ++index)
    if (static_cast<size_t>(kRows[index].kind) != index) return false;
  return true;
}
static_assert(inOrder());

} // namespace

bool isStamped(Kind kind) { return kind != Kind::Access && kRows[static_cast<size_t>(kind)].stamped; }

void Decoder::add(Words words) {
  if (head_ == words_.size()) {
    words_.clear();
    head_ = 0;
  } else if (head_ > words_.size() / 2) {
    words_.erase(words_.begin(), words_.begin() + head_);
    head_ = 0;
  }
  words_.insert(words_.end(), words.begin(), words.end());
}

void Decoder::decodeAccess(uint64_t word, Event &event) const {
  event.kind = Kind::Access;
  event.access = static_cast<uint32_t>(window_ << abi::kWindowBits | abi::wordAccess(word));
  event.address = abi::wordAddress(word);
}

// False: its words have not all come.
bool Decoder::decodeEvent(uint64_t word, Event &event) {
  const Row &row = kRows[abi::wordKind(word)];
  size_t count = abi::kEventWords[abi::wordKind(word)];
  if (row.kind == Kind::Stack) count += abi::wordPayload(word);
  if (pendingWords() < count + 1) return false;
  event.kind = row.kind;
  row.fill(event, abi::wordPayload(word), Words(words_).subspan(head_ + 1, count));
  if (row.kind == Kind::Window) window_ = event.number;
  head_ += count + 1;
  return true;
}

bool Decoder::next(Event &event) {
  event = Event();
  event.thread = thread_;
  while (!empty()) {
    uint64_t word = words_[head_];
    if (word == 0) { // padding
      ++head_;
      continue;
    }
    if (abi::isAccess(word)) {
      decodeAccess(word, event);
      ++head_;
      return true;
    }
    bool known = abi::wordKind(word) < abi::kEventKinds;
    bool sound =
        known && (abi::wordKind(word) != static_cast<uint8_t>(Kind::Stack) || abi::wordPayload(word) <= kMaxCallers);
    if (sound) return decodeEvent(word, event);
    drop(1);
  }
  return false;
}

void Decoder::finish() { drop(pendingWords()); }

} // namespace deadheat::trace
