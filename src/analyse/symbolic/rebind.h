// A callee's names in the words of one call (RELAY, Fig. 5).
//
// Claim   A name of the callee stands for the address that the caller's name stands for, at the call.
// Differs from the paper: what the callee found in memory on entry is looked up in the caller's memory at the call.
#pragma once

#include <vector>

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

inline constexpr unsigned kMaxRecursiveDepth = 2;

class Rebinding {
public:
  Rebinding(FunctionAnalysis &caller, const FunctionAnalysis::CallContext &context, const Summary &callee,
            const State &before, bool isRecursive);

  Value value(const Value &callees);
  Value address(Address callees);
  // What was read from a place that may have been written since is named by the place all the same: for locks, and for
  // what is named in the same words as its lock.
  Value addressByPlace(Address callees);
  // Locks whose name becomes ambiguous are not held.
  Lockset locks(const Lockset &callees);

private:
  const Value &node(NodeId callees);
  Value make(NodeId callees);
  Value makeLoad(const Node &row, const NodeInfo &info);
  Value placeOf(const Value &from, const NodeInfo &info);
  bool beginsAtSome(const Value &value) const;
  bool isDeep(const Value &value) const;
  Value capturedIn(const NodeInfo &info);
  Choice choiceOf(const Node &node, uint32_t &key);
  Choice computedChoice(Choice callees);
  Value makeElement(const Node &row, const NodeInfo &info);
  Value chooser(uint32_t key, uint32_t &callers);
  link::Location placeOfFresh(NodeId callees, link::Location inside);
  Value makeObject(NodeId callees, const Node &row, const NodeInfo &info);
  Value some(const NodeInfo &info, bool folded);

  FunctionAnalysis &caller_;
  const FunctionAnalysis::CallContext &context_;
  const Summary &callee_;
  const State &before_;
  bool isRecursive_; // names that grow with each call are cut short
  bool isByPlace_ = false;
  std::vector<Value> memo_; // [callee's node]; bottom: not yet
  std::vector<Value> memoByPlace_;
};

} // namespace deadheat::analyse
