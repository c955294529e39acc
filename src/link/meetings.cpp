#include "link/meetings.h"

#include <algorithm>

namespace deadheat::link {

namespace {

// Dominators as Cooper, Harvey and Kennedy compute them: by walking up from both sides in reverse post-order.
class Finder {
public:
  Finder(const Code &code, FuncId function) : unit_(code.unitOf(function)), body_(code.bodyOf(function)) {
    before_.resize(body_.blockCount);
    number();
    findDominators();
  }

  std::vector<Meeting> run() const {
    std::vector<Meeting> found;
    for (uint32_t block : order_)
      if (before_[block].size() > 1) found.push_back({block, between(block)});
    return found;
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;

  const model::Block &block(uint32_t b) const { return unit_.blocks[model::BlockId(body_.firstBlock.value() + b)]; }
  uint32_t target(uint32_t b, uint32_t e) const {
    return unit_.edges[model::EdgeId(block(b).firstEdge.value() + e)].target;
  }

  void number() {
    place_.assign(body_.blockCount, kNone);
    std::vector<bool> seen(body_.blockCount, false);
    std::vector<std::pair<uint32_t, uint32_t>> open{{0, 0}}; // a block, and its next edge
    seen[0] = true;
    while (!open.empty()) {
      auto &[b, next] = open.back();
      if (next == block(b).edgeCount) {
        order_.push_back(b);
        open.pop_back();
        continue;
      }
      uint32_t to = target(b, next++);
      before_[to].push_back(b);
      if (seen[to]) continue;
      seen[to] = true;
      open.push_back({to, 0});
    }
    std::ranges::reverse(order_);
    for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  void findDominators() {
    dominator_.assign(body_.blockCount, kNone);
    dominator_[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b : order_) {
        if (b == 0) continue;
        uint32_t best = kNone;
        for (uint32_t from : before_[b])
          if (dominator_[from] != kNone) best = best == kNone ? from : common(best, from);
        changed |= dominator_[b] != best;
        dominator_[b] = best;
      }
    }
  }

  uint32_t common(uint32_t a, uint32_t b) const {
    while (a != b)
      if (place_[a] > place_[b])
        a = dominator_[a];
      else
        b = dominator_[b];
    return a;
  }

  std::vector<uint32_t> between(uint32_t meeting) const {
    std::vector<uint32_t> found;
    std::vector<bool> seen(body_.blockCount, false);
    seen[meeting] = seen[dominator_[meeting]] = true;
    auto add = [&](uint32_t b) {
      for (uint32_t from : before_[b])
        if (!seen[from]) {
          seen[from] = true;
          found.push_back(from);
        }
    };
    add(meeting);
    for (size_t next = 0; next < found.size(); ++next) add(found[next]);
    return found;
  }

  const model::Unit &unit_;
  const model::Function &body_;
  std::vector<std::vector<uint32_t>> before_; // [block]
  std::vector<uint32_t> order_;               // reverse post-order
  std::vector<uint32_t> place_;               // [block]: in that order
  std::vector<uint32_t> dominator_;           // [block]: the immediate one
};

} // namespace

std::vector<Meeting> findMeetings(const Code &code, FuncId function) { return Finder(code, function).run(); }

} // namespace deadheat::link
