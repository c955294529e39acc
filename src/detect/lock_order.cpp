#include "detect/lock_order.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

namespace deadheat::detect {
namespace {

auto identity(const LockEdge &edge) {
  return std::tuple(edge.thread, edge.held, edge.holdsShared, edge.wantsShared, edge.place);
}

bool before(const LockEdge &left, const LockEdge &right) { return (*left.hard)[left.slot] <= (*right.hard)[left.slot]; }

} // namespace

bool LockOrder::knows(const LockEdge &edge) {
  const uint64_t parts[] = {uint64_t(edge.holds.value()) << 32 | edge.wants.value(),
                            uint64_t(edge.thread.value()) << 32 | edge.held.value(),
                            edge.place << 2 | edge.holdsShared << 1 | edge.wantsShared};
  const auto *bytes = reinterpret_cast<const uint8_t *>(parts);
  return !seen_.insert(llvm::xxh3_64bits(llvm::ArrayRef(bytes, sizeof(parts))) >> 2).second; // never an empty key
}

void LockOrder::add(LockEdge edge) {
  std::vector<LockEdge> &known = edges_[{edge.holds, edge.wants}];
  auto same = [&](const LockEdge &other) { return identity(other) == identity(edge); };
  if (known.size() < kMaxWitnesses && std::ranges::none_of(known, same)) known.push_back(std::move(edge));
}

// Two acquisitions that may both be pending at once.
bool LockOrder::fit(const LockEdge &left, const LockEdge &right) const {
  return left.thread != right.thread && sets_.disjoint(left.held, right.held) && !before(left, right) &&
         !before(right, left);
}

// `next` holds what `edge` waits for.
bool LockOrder::follows(const LockEdge &edge, const LockEdge &next) const {
  return edge.wants == next.holds && !(edge.wantsShared && next.holdsShared);
}

struct LockOrder::Search {
  std::map<LockId, Edges> from; // edges by the lock they hold
  Edges path;
  uint64_t steps = 0;
};

// Completes the path to a cycle of exactly `length` edges.
bool LockOrder::extend(Search &search, size_t length) const {
  if (search.path.size() == length) return follows(*search.path.back(), *search.path.front());
  auto nexts = search.from.find(search.path.back()->wants);
  if (nexts == search.from.end()) return false;
  for (const LockEdge *next : nexts->second) {
    if (++search.steps > kMaxSteps) return false;
    bool good = follows(*search.path.back(), *next) &&
                std::ranges::all_of(search.path, [&](const LockEdge *edge) { return fit(*edge, *next); });
    if (!good) continue;
    search.path.push_back(next);
    if (extend(search, length)) return true;
    search.path.pop_back();
  }
  return false;
}

std::vector<LockCycle> LockOrder::cycles() const {
  Search search;
  std::set<trace::ThreadNumber> threads;
  for (const auto &[key, edges] : edges_)
    for (const LockEdge &edge : edges) {
      search.from[edge.holds].push_back(&edge);
      threads.insert(edge.thread);
    }
  std::vector<LockCycle> found;
  std::set<const LockEdge *> covered;
  // By length: a longer cycle is told only if it has an acquisition that is in no shorter one.
  size_t longest = std::min(threads.size(), search.from.size());
  for (size_t length = 2; length <= longest; ++length)
    for (const auto &[lock, edges] : search.from)
      for (const LockEdge *first : edges) {
        if (covered.contains(first)) continue;
        search.path = {first};
        if (!extend(search, length)) continue;
        covered.insert(search.path.begin(), search.path.end());
        LockCycle &cycle = found.emplace_back();
        for (const LockEdge *edge : search.path) cycle.push_back(*edge);
      }
  cut_ = search.steps > kMaxSteps;
  return found;
}

std::vector<LockCycle> LockOrder::ofOneThread(const std::vector<LockCycle> &known) const {
  std::set<std::pair<LockId, LockId>> covered;
  for (const LockCycle &cycle : known)
    for (const LockEdge &edge : cycle) covered.insert({edge.holds, edge.wants});
  std::vector<LockCycle> found;
  for (const auto &[key, edges] : edges_) {
    const std::pair<LockId, LockId> turned(key.second, key.first);
    const auto others = edges_.find(turned);
    if (turned < key || others == edges_.end() || covered.contains(key) || covered.contains(turned)) continue;
    for (const LockEdge &edge : edges) {
      auto closes = [&](const LockEdge &other) {
        return edge.thread == other.thread && sets_.disjoint(edge.held, other.held) && follows(edge, other) &&
               follows(other, edge);
      };
      const auto other = std::ranges::find_if(others->second, closes);
      if (other == others->second.end()) continue;
      found.push_back({edge, *other});
      break;
    }
  }
  return found;
}

} // namespace deadheat::detect
