// One event of a thread, decoded from the words of abi/event.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/event.h"
#include "abi/shadow.h"
#include "trace/sink.h"

namespace deadheat::trace {

// The kinds of abi/events.def, and the access that has no word of its own.
enum class Kind : uint8_t {
#define EVENT(name, words, sentence) name,
#include "abi/events.def"
  Access,
};
inline constexpr size_t kKinds = static_cast<size_t>(Kind::Access) + 1;
static_assert(kKinds == abi::kEventKinds + 1);

// What a field means depends on the kind: abi/events.def has the words. Fields that a kind does not have are zero.
struct Event {
  ThreadNumber thread;
  Kind kind = Kind::Access;
  abi::SyncKind sync = abi::SyncKind::Mutex;
  uint8_t flags = 0; // abi::kShared ...; of Bytes: 1 is a write
  abi::Order order = abi::Order::Relaxed;
  bool succeeded = true; // of a compare-exchange
  uint32_t access = 0;   // id of a late access; 0: none. Of Context and Spot: the context that it is in
  uint64_t number = 0;   // of a thread, function or signal; of lost events; of a context, spot or piece
  uint64_t address = 0;  // of memory, or of the object that synchronises; of Enter and Stack: the stack's
  uint64_t bytes = 0;    // of Range, Bytes, Allocate; of Tally: accesses; of Context: the function
  uint64_t stamp = 0;    // 0: none
  uint64_t place = 0;    // return address; of Spot: what it is
  uint64_t earlier = 0;  // of Pair: cells (abi/shadow.h); `number` is the earlier one's piece, as Piece told it
  uint64_t later = 0;
  std::span<const uint64_t> callers; // of Stack: return addresses, innermost first; valid until more words are added
};

// Events that took a stamp of their object's counter.
bool isStamped(Kind kind);

// What the runtime does not say of an access, as the model has it.
struct AccessShape {
  enum class Form : uint8_t { Unknown, Read, Write, Update, AtomicRead, AtomicWrite, AtomicUpdate, Fence };
  Form form = Form::Unknown;
  uint32_t bytes = 0;
  bool counts = false; // what it reads goes nowhere but into what it writes (model/counting.h)
};

constexpr bool writes(AccessShape::Form form) {
  return form == AccessShape::Form::Write || form == AccessShape::Form::Update ||
         form == AccessShape::Form::AtomicWrite || form == AccessShape::Form::AtomicUpdate;
}

// Its thread learns what others wrote there.
constexpr bool learns(const AccessShape &shape) {
  return shape.form == AccessShape::Form::Read || (shape.form == AccessShape::Form::Update && !shape.counts);
}

// Shapes by access id. Objects are added as they are met; ids are dense over all objects of a run.
class AccessShapes {
public:
  void add(uint32_t base, const std::vector<AccessShape> &shapes) {
    if (rows_.size() < base + shapes.size()) rows_.resize(base + shapes.size());
    for (size_t index = 0; index != shapes.size(); ++index) rows_[base + index] = shapes[index];
  }
  AccessShape operator[](uint32_t id) const { return id < rows_.size() ? rows_[id] : AccessShape(); }

private:
  std::vector<AccessShape> rows_;
};

} // namespace deadheat::trace
