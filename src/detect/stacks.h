// Call stacks of threads, interned: an access keeps the number of the stack it was made in.
//
// A thread tells the calls it enters with the address of their return address, and does not tell returns: a frame is gone
// once another one begins at or above it. So the innermost frames may have returned already when an access comes; whoever
// shows a stack drops the frames inside that of the access's own function (trim()).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "support/id.h"
#include "trace/event.h"

namespace deadheat::detect {

using StackId = Id<struct StackTag>;

struct StackFrame {
  static constexpr uint64_t kNoFunction = UINT64_MAX; // known by its return address only
  uint64_t function = kNoFunction;
  uint64_t place = 0; // return address: where it was called

  auto operator<=>(const StackFrame &) const = default;
};

// All stacks of a process: a tree whose roots are the threads.
class StackTable {
public:
  // Past this many stacks new ones are not told apart from the thread's root.
  static constexpr size_t kMaxStacks = size_t(4) << 20;

  StackId root(trace::ThreadNumber thread);
  StackId push(StackId parent, StackFrame frame);

  trace::ThreadNumber threadOf(StackId stack) const { return nodes_[stack].thread; }
  std::vector<StackFrame> frames(StackId stack) const; // innermost first

  uint64_t dropped() const { return dropped_; }

private:
  struct Node {
    StackId parent;
    StackFrame frame;
    trace::ThreadNumber thread;
    StackId root;
  };
  IdTable<StackId, Node> nodes_;
  std::map<trace::ThreadNumber, StackId> roots_;
  std::map<std::pair<StackId, StackFrame>, StackId> ids_;
  uint64_t dropped_ = 0;
};

// The stack of one thread as it changes.
class ThreadStack {
public:
  explicit ThreadStack(StackId root) : root_(root) {}

  StackId current() const { return frames_.empty() ? root_ : frames_.back().stack; }
  void enter(const trace::Event &event, StackTable &table);
  void replace(const trace::Event &event, StackTable &table); // by a Stack event
  void jump(StackId stack);                                   // by an At event, where calls are not entered one by one
  void enterSignal();
  void leaveSignal();

private:
  struct Frame {
    uint64_t address; // of its return address
    StackId stack;
    StackFrame frame;
  };
  void popBelow(uint64_t address);

  StackId root_;
  std::vector<Frame> frames_;                   // outermost first
  std::vector<std::vector<Frame>> interrupted_; // by signal handlers
};

} // namespace deadheat::detect
