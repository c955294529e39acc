#include "link/given_calls.h"

#include <iterator>
#include <utility>

#include "link/definitions.h"
#include "link/set_pool.h"

namespace deadheat::link {

namespace {

class Finder {
public:
  Finder(const Code &code, const CallGraph &calls, const std::function<bool(FuncId)> &isEntered)
      : code_(code), calls_(calls), isEntered_(isEntered) {}

  GivenCalls run() {
    for (uint32_t s = 0; s < calls_.sites.size(); ++s) lookAt(CallSiteId(s));
    for (size_t turns = 0; !pending_.empty() && turns < kMaxTurns; ++turns) {
      Slot slot = pending_.back();
      pending_.pop_back();
      askCallers(slot);
    }
    GivenCalls found;
    if (!pending_.empty()) return found;
    std::vector<Set> all; // what nobody gives by name is left as it was
    for (const auto &[site, functions] : gives_) {
      found.gives[site] = listOf(functions);
      all.push_back(functions);
    }
    const Set any = pool_.uniteAll(all);
    for (const auto &[slot, sites] : calledAt_)
      for (CallSiteId site : sites) found.inside[site] = inBoth(given_[slot], any);
    return found;
  }

private:
  using Slot = std::pair<FuncId, int>; // a function and its parameter
  using Set = SetPool::Set;            // of functions
  static constexpr size_t kMaxTurns = 100'000;
  static constexpr int kMaxChoices = 4; // one in the other

  const Definitions &definitions(FuncId id) {
    auto known = definitions_.find(id);
    if (known == definitions_.end()) known = definitions_.try_emplace(id, code_, id).first;
    return known->second;
  }

  const model::Call &rowOf(const CallSite &site) const { return code_.unit(site.unit).calls[site.call]; }

  void lookAt(CallSiteId id) {
    const CallSite &site = calls_.sites[id];
    if (!site.caller.valid() || isOpen(site.caller)) return;
    const model::Call &call = rowOf(site);
    if (!call.callee.isValue() || (call.flags & model::kVirtual) != 0 || calls_.callees[id].empty()) return;
    int parameter = definitions(site.caller).parameter(call.callee);
    if (parameter < 0) return;
    Slot slot{site.caller, parameter};
    calledAt_[slot].push_back(id);
    std::vector<Set> called;
    for (FuncId callee : calls_.callees[id]) called.push_back(pool_.single(callee.value()));
    grow(slot, pool_.uniteAll(called));
  }

  bool isOpen(FuncId id) const { return isEntered_(id) || calls_.callers[id].empty(); }

  GivenCalls::Functions listOf(Set set) const {
    GivenCalls::Functions list;
    for (uint32_t id : pool_[set]) list.push_back(FuncId(id));
    return list;
  }

  GivenCalls::Functions inBoth(Set a, Set b) const {
    GivenCalls::Functions first = listOf(a), second = listOf(b), both;
    std::ranges::set_intersection(first, second, std::back_inserter(both));
    return both;
  }

  // Whether the known set grew.
  bool unite(Set &known, Set more) {
    const Set before = std::exchange(known, pool_.unite(known, more));
    return known != before;
  }

  void grow(const Slot &slot, Set more) {
    if (unite(reached_[slot], more)) pending_.push_back(slot);
  }

  void askCallers(const Slot &slot) {
    const Set reached = reached_[slot];
    for (CallSiteId id : calls_.callers[slot.first]) {
      if (calls_.sites[id].caller.valid()) give(slot, id, reached);
    }
  }

  // What one call of the function gives it.
  void give(const Slot &slot, CallSiteId id, Set reached) {
    const CallSite &site = calls_.sites[id];
    const model::Call &call = rowOf(site);
    const bool isHandedOver = call.callee.isSymbol() && code_.directCallee(site.unit, call) != slot.first;
    const model::Operand argument =
        isHandedOver ? model::Operand() : argumentOf(code_.unit(site.unit), call, slot.second);
    giveOne(slot, id, argument, reached, kMaxChoices);
  }

  void giveOne(const Slot &slot, CallSiteId id, const model::Operand &argument, Set reached, int depth) {
    if (argument.isNumber()) return; // null
    const CallSite &site = calls_.sites[id];
    if (argument.isSymbol()) {
      FuncId function = code_.symbols.target(site.unit, argument.symbol()).function;
      if (function.valid() && std::ranges::binary_search(pool_[reached], function.value()))
        note(slot, id, pool_.single(function.value()));
      if (function.valid()) return;
    }
    int parameter = argument.isValue() ? definitions(site.caller).parameter(argument) : -1;
    if (parameter >= 0 && !isOpen(site.caller)) {
      unite(given_[slot], reached);
      return grow({site.caller, parameter}, reached);
    }
    auto giveSource = [&](const model::Operand &source) { giveOne(slot, id, source, reached, depth - 1); };
    const bool isChosen = depth > 0 && parameter < 0 && argument.isValue() &&
                          definitions(site.caller).forEachSource(argument.value(), giveSource);
    if (!isChosen) note(slot, id, reached);
  }

  void note(const Slot &slot, CallSiteId id, Set functions) {
    unite(gives_[id], functions);
    unite(given_[slot], functions);
  }

  const Code &code_;
  const CallGraph &calls_;
  const std::function<bool(FuncId)> &isEntered_;
  SetPool pool_;
  std::map<FuncId, Definitions> definitions_;
  std::map<Slot, std::vector<CallSiteId>> calledAt_;
  std::map<Slot, Set> reached_; // by calls through the parameter, here or further on
  std::map<Slot, Set> given_;   // of these, what callers give
  std::map<CallSiteId, Set> gives_;
  std::vector<Slot> pending_;
};

} // namespace

GivenCalls findGivenCalls(const Code &code, const CallGraph &calls, const std::function<bool(FuncId)> &isEntered) {
  return Finder(code, calls, isEntered).run();
}

} // namespace deadheat::link
