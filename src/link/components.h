// Strongly connected components, Tarjan's way, without recursion: graphs here have millions of nodes in a row.
//
// Claim   Components are numbered so that every edge leads to the same or a lower one.
// Cost    linear.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace deadheat::link {

struct Components {
  std::vector<uint32_t> of; // [node]
  uint32_t count = 0;
};

// `successors(node)` gives something with size() and operator[].
template <typename Successors> class ComponentFinder {
public:
  ComponentFinder(uint32_t count, Successors successors)
      : successors_(successors), index_(count, kUnseen), low_(count, 0) {
    result_.of.assign(count, kUnseen);
  }

  Components run() {
    for (uint32_t node = 0; node < index_.size(); ++node)
      if (index_[node] == kUnseen) visit(node);
    return std::move(result_);
  }

private:
  struct Frame {
    uint32_t node;
    uint32_t next;
  };

  void enter(uint32_t node) {
    index_[node] = low_[node] = clock_++;
    open_.push_back(node);
    path_.push_back({node, 0});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Frame &frame = path_.back();
      auto next = successors_(frame.node);
      if (frame.next == next.size()) {
        leave(frame.node);
        continue;
      }
      uint32_t successor = next[frame.next++];
      if (index_[successor] == kUnseen)
        enter(successor);
      else if (result_.of[successor] == kUnseen)
        low_[frame.node] = std::min(low_[frame.node], index_[successor]);
    }
  }

  void leave(uint32_t node) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[node]);
    if (low_[node] != index_[node]) return;
    uint32_t member;
    do {
      member = open_.back();
      open_.pop_back();
      result_.of[member] = result_.count;
    } while (member != node);
    ++result_.count;
  }

  static constexpr uint32_t kUnseen = UINT32_MAX;

  Successors successors_;
  std::vector<uint32_t> index_, low_, open_;
  std::vector<Frame> path_;
  uint32_t clock_ = 0;
  Components result_;
};

template <typename Successors> Components findComponents(uint32_t count, Successors successors) {
  return ComponentFinder<Successors>(count, successors).run();
}

} // namespace deadheat::link
