#include "link/once.h"

#include <algorithm>

#include "llvm/ADT/BitVector.h"

namespace deadheat::link {

namespace {

using knowledge::Action;

class Finder {
public:
  Finder(const Code &code, const CallGraph &calls) : code_(code), calls_(calls) {
    elsewhere_.resize(code.symbols.functions.size());
    once_.inside.resize(code.symbols.functions.size());
  }

  Once find(const std::vector<Entered> &entered) {
    for (const Entered &row : entered)
      if (row.row->action != Action::Once)
        for (FuncId id : row.functions) elsewhere_.set(id.value());
    bool hasMain = false;
    code_.forEachFunction([&](FuncId id) {
      const Function &function = code_.function(id);
      hasMain |= !function.external() && function.name == "main";
    });
    std::vector<FuncId> open; // callers first: what is not inside of another by then hardly ever needs a second look
    for (uint32_t c = static_cast<uint32_t>(calls_.components.size()); c-- > 0;)
      for (FuncId id : calls_.components[ComponentId(c)])
        if (!elsewhere_[id.value()] && (hasMain || !code_.function(id).visible)) open.push_back(id);
    while (std::erase_if(open, [&](FuncId id) { return (once_.inside[id.value()] = judge(id)).valid(); }) != 0)
      continue;
    return std::move(once_);
  }

private:
  FuncId judge(FuncId id) const {
    auto callers = calls_.callers[id];
    if (callers.empty() || code_.function(id).external()) return {};
    if (std::ranges::all_of(callers, [&](CallSiteId site) { return callsOnce(site); })) return id;
    FuncId inside = insideOf(callers.front());
    bool same = std::ranges::all_of(callers, [&](CallSiteId site) { return insideOf(site) == inside; });
    return same ? inside : FuncId();
  }

  FuncId insideOf(CallSiteId site) const {
    FuncId caller = calls_.sites[site].caller;
    return caller.valid() ? once_.inside[caller.value()] : FuncId();
  }

  bool callsOnce(CallSiteId site) const {
    return std::ranges::any_of(calls_.callees[site], [&](FuncId callee) {
      const knowledge::Row *row = code_.function(callee).known;
      return row && row->action == Action::Once;
    });
  }

  const Code &code_;
  const CallGraph &calls_;
  llvm::BitVector elsewhere_; // entered by a thread, a handler, at exit
  Once once_;
};

} // namespace

Once findOnce(const Code &code, const CallGraph &calls, const std::vector<Entered> &entered) {
  return Finder(code, calls).find(entered);
}

} // namespace deadheat::link
