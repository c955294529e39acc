// Which functions a pointer to a function may hold, judged by the members of records through which it goes.
//
// Points-to takes the contents of many records for one another once they have met in a list, a pool or a cast. Names do not mix: a
// function whose address is only ever put into `close` of `struct ops` is not what a call through `free` of `struct list` reaches,
// though both take a pointer and return nothing. In the manner of multi-layer type analysis (Lu and Hu 2019), but with values followed
// through members, variables, parameters and results, where they keep to types.
//
// Claim   allows(narrowing(site), f) is false only if no way that the program's code names leads from &f to the call, and &f is nowhere
//         without a name. What the library is only given to be called (a thread's entry) is not.
// Assumes a record is written and read under one name: a member that is read by another type's name holds nothing of the first one's.
// Cost    one pass over the statements; nodes are members, parameters and results.
// Misses  nothing is narrowed where nobody stores anything under the name, or where a pointer on the way was loaded from a place without a name, computed, or looked up (dlsym). A function that is
//         loaded from a named member without the name, and handed on by a call through a pointer, is not seen to arrive.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "link/call_graph.h"
#include "link/field_names.h"
#include "link/set_pool.h"
#include "link/wrappers.h"

namespace deadheat::link {

class FieldTargets {
public:
  static constexpr uint32_t kAnything = UINT32_MAX;

  FieldTargets(const Code &code, const CallGraph &sites, const Wrappers &wrappers, const ArrayTypes &arrays);

  // What is known of the pointer that is called, by the call or by what it starts, a number to compare; kAnything: nothing.
  uint32_t narrowing(CallSiteId site) const {
    auto found = narrowings_.find(site.value());
    return found == narrowings_.end() ? kAnything : found->second;
  }
  // Leaves of the functions, sorted, those that may be there. Many that are there only because they are somewhere without a name are
  // there by mistake, if there are others; so are very many.
  void keep(uint32_t narrowing, std::vector<FuncId> &functions) const;
  // The functions that lead to it by name, sorted.
  std::span<const uint32_t> named(uint32_t narrowing) const { return sets_[narrowing >> 1]; }
  // Its address was put somewhere without a name.
  bool isAnywhere(FuncId function) const { return free_[function.value()]; }
  // Code without a model made it, perhaps.
  static bool isOpen(uint32_t narrowing) { return narrowing & 1; }

private:
  // A member, a variable, a parameter, a result, the callee of a call; kFree: anywhere.
  using Node = uint32_t;
  static constexpr Node kFree = 0, kNoNode = UINT32_MAX;
  struct Facts {
    bool unknown = false;  // it may hold what went ways without names
    bool external = false; // it may hold what code without a model made
    bool stored = false;   // somebody gives it something

    void operator|=(const Facts &other) {
      unknown |= other.unknown;
      external |= other.external;
      stored |= other.stored;
    }
  };
  // A component of the graph.
  struct Solved {
    Facts facts;
    SetPool::Set set = SetPool::kEmpty;
    std::vector<SetPool::Set> flowing; // until the set is made

    void take(const Solved &source) {
      facts |= source.facts;
      flowing.push_back(source.set);
    }
  };

  Node addNode() {
    facts_.emplace_back();
    return static_cast<Node>(facts_.size() - 1);
  }
  Node variableNode(GlobalId variable);
  void number();
  void addInitialisers();
  void addFunction(FuncId id);
  void addCall(FuncId id, const Definitions &definitions, const model::Statement &statement);
  void addEntry(FuncId id, const Definitions &definitions, const model::Call &call, const knowledge::Row &row,
                CallSiteId site);
  Node placeOf(FuncId id, const Definitions &definitions, const model::Statement &access);
  void flow(FuncId id, const Definitions &definitions, model::Operand value, Node to);
  void flowValue(FuncId id, const Definitions &definitions, model::ValueId value, Node to);
  void flowResult(FuncId id, const model::Statement &call, Node to);
  void solve();
  void conclude(const std::vector<Solved> &solved, const std::vector<uint32_t> &componentOf);

  const Code &code_;
  const CallGraph &sites_;
  const Wrappers &wrappers_;
  FieldNames names_;
  std::vector<Facts> facts_; // [node]
  Node firstField_ = 0;
  std::vector<Node> firstParameter_, result_; // [function]
  llvm::DenseMap<uint32_t, Node> variables_;
  std::vector<std::pair<Node, Node>> edges_; // from, to
  std::vector<std::pair<Node, FuncId>> held_;
  std::vector<std::pair<CallSiteId, Node>> callees_;

  SetPool sets_;
  std::vector<bool> free_;                        // [function]
  llvm::DenseMap<uint32_t, uint32_t> narrowings_; // by call site
};

} // namespace deadheat::link
