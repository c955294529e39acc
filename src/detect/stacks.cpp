#include "detect/stacks.h"

#include <algorithm>

namespace deadheat::detect {

StackId StackTable::root(trace::ThreadNumber thread) {
  auto [found, isNew] = roots_.try_emplace(thread);
  if (isNew) {
    found->second = nodes_.add({StackId(), {}, thread, StackId()});
    nodes_[found->second].root = found->second;
  }
  return found->second;
}

StackId StackTable::push(StackId parent, StackFrame frame) {
  auto known = ids_.find({parent, frame});
  if (known != ids_.end()) return known->second;
  if (nodes_.size() >= kMaxStacks) {
    ++dropped_;
    return nodes_[parent].root;
  }
  StackId id = nodes_.add({parent, frame, nodes_[parent].thread, nodes_[parent].root});
  ids_[{parent, frame}] = id;
  return id;
}

std::vector<StackFrame> StackTable::frames(StackId stack) const {
  std::vector<StackFrame> frames;
  for (; nodes_[stack].parent.valid(); stack = nodes_[stack].parent) frames.push_back(nodes_[stack].frame);
  return frames;
}

void ThreadStack::popBelow(uint64_t address) {
  while (!frames_.empty() && frames_.back().address <= address) frames_.pop_back();
}

void ThreadStack::enter(const trace::Event &event, StackTable &table) {
  popBelow(event.address);
  StackFrame frame{event.number, event.place};
  frames_.push_back({event.address, table.push(current(), frame), frame});
}

// The innermost frame may have told its call just before: it is the one that returns to the innermost caller, and stays.
void ThreadStack::replace(const trace::Event &event, StackTable &table) {
  std::span<const uint64_t> callers = event.callers;
  bool keepsTop = !frames_.empty() && !callers.empty() && frames_.back().frame.place == callers.front();
  Frame top = keepsTop ? frames_.back() : Frame{};
  frames_.clear();
  StackId stack = root_;
  for (size_t index = callers.size(); index > (keepsTop ? 1u : 0u); --index)
    stack = table.push(stack, {StackFrame::kNoFunction, callers[index - 1]});
  if (!callers.empty()) frames_.push_back({keepsTop ? UINT64_MAX : event.address, stack, {}});
  if (keepsTop) frames_.push_back({top.address, table.push(stack, top.frame), top.frame});
}

void ThreadStack::jump(StackId stack) { frames_.assign(1, {UINT64_MAX, stack, {}}); }

// A handler may run on a stack of its own, so addresses of the two cannot be compared.
void ThreadStack::enterSignal() { interrupted_.push_back(std::exchange(frames_, {})); }

void ThreadStack::leaveSignal() {
  if (interrupted_.empty()) return;
  frames_ = std::move(interrupted_.back());
  interrupted_.pop_back();
}

} // namespace deadheat::detect
