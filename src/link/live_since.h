// What is live at a statement, relative to the entry of its function; and the numbers of such sets.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "link/ids.h"
#include "link/joins.h"
#include "link/objects_of_calls.h"

namespace deadheat::link {

// Since the function's entry.
struct LiveChange {
  ThreadBits started; // may be
  ThreadBits joined;  // must be

  bool operator==(const LiveChange &) const = default;
  // In a function that was entered with these.
  ThreadBits liveIn(const ThreadBits &entry) const {
    ThreadBits live = entry;
    live.intersectWithComplement(joined);
    live |= started;
    return live;
  }
};

// What a call of a function does.
struct LiveSummary {
  ThreadBits started = {}, joined = {};
  ThreadBits each = {};   // of these it joins one: `void stop() { thread_.join(); }`
  ThreadBits polled = {}; // of these it joins those that have ended
  ThreadBits own = {};    // of these it joins all that belong to its first argument: `void finish(struct pool *p)`
  bool operator==(const LiveSummary &) const = default;
  bool quiet() const { return started.empty() && joined.empty() && each.empty() && polled.empty() && own.empty(); }
};

// The same while it is looked for. `reached` is false where control has not come yet: the neutral element of join.
struct Since : LiveChange {
  bool reached = false;
  ThreadBits asked; // may be joined: on some way here
  // What was started, by the object that it was started for, of those that the function's calls are about (objects_of_calls.h); 0: not known.
  std::map<uint32_t, ThreadBits> running;
  // The same by objects that are one in all rounds of a loop.
  std::map<uint32_t, ThreadBits> belonging;

  bool mergeFrom(const Since &other) {
    if (!other.reached) return false;
    if (!reached) {
      *this = other;
      return true;
    }
    bool changed = joined &= other.joined;
    changed |= started |= other.started;
    changed |= asked |= other.asked;
    for (const auto &[object, threads] : other.running) changed |= running[object] |= threads;
    for (const auto &[object, threads] : other.belonging) changed |= belonging[object] |= threads;
    return changed;
  }
  void start(const ThreadBits &threads, CallObject object = {}) {
    if (!threads.empty()) running[object.ofRound] |= threads;
    if (!threads.empty()) belonging[object.ofAll] |= threads;
    started |= threads;
    joined.intersectWithComplement(threads);
    asked.intersectWithComplement(threads);
  }
  void join(const ThreadBits &threads) {
    started.intersectWithComplement(threads);
    joined |= threads;
    asked |= threads;
    forget(threads);
  }
  // As many of them as were started since. What was running at the entry stays so.
  void end(const ThreadBits &threads) {
    started.intersectWithComplement(threads);
    forget(threads);
  }
  void call(const LiveSummary &callee, CallObject object) {
    join(callee.joined);
    joinOf(running, callee.each, object.ofRound);
    joinOf(belonging, callee.own, object.ofAll);
    start(callee.started, object);
  }

private:
  // Of each of the threads what belongs to the object. What was running at the entry stays so.
  void joinOf(std::map<uint32_t, ThreadBits> &lists, const ThreadBits &threads, uint32_t object) {
    auto own = lists.find(object);
    if (object == 0 || own == lists.end()) return;
    ThreadBits ended = own->second & threads;
    own->second.intersectWithComplement(ended);
    for (const auto &[other, left] : lists) ended.intersectWithComplement(left);
    started.intersectWithComplement(ended);
  }
  void forget(const ThreadBits &threads) {
    if (threads.empty()) return;
    for (auto &[object, left] : running) left.intersectWithComplement(threads);
    for (auto &[object, left] : belonging) left.intersectWithComplement(threads);
  }
};

// Sets that are kept once. The first is empty.
class SetNumbers {
public:
  // What was asked for last: most rows have the set of the row before.
  struct Last {
    ThreadBits bits;
    uint32_t number = 0;
  };

  explicit SetNumbers(std::vector<std::vector<ThreadId>> &sets) : sets_(sets) {}

  uint32_t of(const ThreadBits &bits, Last &last) {
    if (!(bits == last.bits)) last = {bits, find(bits)};
    return last.number;
  }

private:
  static constexpr uint64_t kSpread = 0x9E3779B97F4A7C15; // odd, and half of its bits are set

  uint32_t find(const ThreadBits &bits) {
    if (bits.empty()) return 0;
    size_t hash = 0;
    for (uint32_t t : bits) hash = (hash ^ t) * kSpread;
    llvm::SmallVector<uint32_t, 1> &alike = known_[hash];
    for (uint32_t number : alike)
      if (isEqual(sets_[number], bits)) return number;
    alike.push_back(static_cast<uint32_t>(sets_.size()));
    std::vector<ThreadId> &members = sets_.emplace_back();
    for (uint32_t t : bits) members.push_back(ThreadId(t));
    return alike.back();
  }

  static bool isEqual(const std::vector<ThreadId> &members, const ThreadBits &bits) {
    auto bit = bits.begin();
    for (ThreadId member : members) {
      if (bit == bits.end() || *bit != member.value()) return false;
      ++bit;
    }
    return bit == bits.end();
  }

  std::vector<std::vector<ThreadId>> &sets_;
  std::unordered_map<size_t, llvm::SmallVector<uint32_t, 1>> known_; // [hash]
};

} // namespace deadheat::link
