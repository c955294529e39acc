#include "link/given_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "link/definitions.h"

namespace deadheat::link {

namespace {

using Functions = std::vector<FuncId>; // sorted

// Whether it grew. Sets of a kernel have hundreds of members, and are mostly there already.
bool unite(Functions &known, const Functions &more) {
  if (std::ranges::includes(known, more)) return false;
  Functions both;
  std::ranges::set_union(known, more, std::back_inserter(both));
  known = std::move(both);
  return true;
}

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
    Functions all; // what nobody gives by name is left as it was
    for (const auto &[site, functions] : gives_) {
      found.gives[site] = functions;
      unite(all, functions);
    }
    for (const auto &[slot, sites] : calledAt_)
      for (CallSiteId site : sites)
        std::ranges::set_intersection(given_[slot], all, std::inserter(found.inside[site], found.inside[site].end()));
    return found;
  }

private:
  using Slot = std::pair<FuncId, int>; // a function and its parameter
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
    auto callees = calls_.callees[id];
    Functions called(callees.begin(), callees.end());
    std::ranges::sort(called);
    grow(slot, called);
  }

  bool isOpen(FuncId id) const { return isEntered_(id) || calls_.callers[id].empty(); }

  void grow(const Slot &slot, const Functions &more) {
    if (unite(reached_[slot], more)) pending_.push_back(slot);
  }

  void askCallers(const Slot &slot) {
    const Functions reached = reached_[slot]; // a copy: a caller that is the function itself adds to it
    for (CallSiteId id : calls_.callers[slot.first]) {
      if (calls_.sites[id].caller.valid()) give(slot, id, reached);
    }
  }

  // What one call of the function gives it.
  void give(const Slot &slot, CallSiteId id, const Functions &reached) {
    const CallSite &site = calls_.sites[id];
    const model::Call &call = rowOf(site);
    const bool isHandedOver = call.callee.isSymbol() && code_.directCallee(site.unit, call) != slot.first;
    const model::Operand argument =
        isHandedOver ? model::Operand() : argumentOf(code_.unit(site.unit), call, slot.second);
    giveOne(slot, id, argument, reached, kMaxChoices);
  }

  void giveOne(const Slot &slot, CallSiteId id, const model::Operand &argument, const Functions &reached, int depth) {
    if (argument.isNumber()) return; // null
    const CallSite &site = calls_.sites[id];
    if (argument.isSymbol()) {
      FuncId function = code_.symbols.target(site.unit, argument.symbol()).function;
      if (function.valid() && std::ranges::binary_search(reached, function)) note(slot, id, {function});
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

  void note(const Slot &slot, CallSiteId id, const Functions &functions) {
    unite(gives_[id], functions);
    unite(given_[slot], functions);
  }

  const Code &code_;
  const CallGraph &calls_;
  const std::function<bool(FuncId)> &isEntered_;
  std::map<FuncId, Definitions> definitions_;
  std::map<Slot, std::vector<CallSiteId>> calledAt_;
  std::map<Slot, Functions> reached_; // by calls through the parameter, here or further on
  std::map<Slot, Functions> given_;   // of these, what callers give
  std::map<CallSiteId, Functions> gives_;
  std::vector<Slot> pending_;
};

} // namespace

GivenCalls findGivenCalls(const Code &code, const CallGraph &calls, const std::function<bool(FuncId)> &isEntered) {
  return Finder(code, calls, isEntered).run();
}

} // namespace deadheat::link
