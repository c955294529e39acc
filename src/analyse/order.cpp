#include "analyse/order.h"

#include <algorithm>

#include "link/components.h"

namespace deadheat::analyse {

using link::CallSiteId;
using link::FuncId;

namespace {

// How many targets a call in a large component may have, turn by turn.
constexpr size_t kLimits[] = {32, 8, 2, 0};

class Cutter {
public:
  explicit Cutter(const link::Program &program) : program_(program), calls_(program.calls) {
    order_.followed.assign(calls_.sites.size(), true);
    order_.blind.assign(program.symbols.functions.size(), false);
  }

  CallOrder run() {
    findComponents();
    for (size_t limit : kLimits)
      if (cutAbove(limit)) findComponents();
    for (uint32_t function = 0; function < order_.componentOf.size(); ++function)
      order_.components[order_.componentOf[function]].push_back(FuncId(function));
    findBlind();
    return std::move(order_);
  }

private:
  // The call names its only callee.
  bool isDirect(CallSiteId site) const {
    const link::CallSite &row = calls_.sites[site];
    const model::Operand &named = program_.unit(row.unit).calls[row.call].callee;
    return named.isSymbol() && calls_.callees[site].size() <= 1;
  }

  void findComponents() {
    size_t count = program_.symbols.functions.size();
    link::ListsBuilder<FuncId, uint32_t> builder(count);
    for (uint32_t i = 0; i < calls_.sites.size(); ++i) {
      CallSiteId site(i);
      if (!order_.followed[i] || !calls_.sites[site].caller.valid()) continue;
      for (FuncId callee : calls_.callees[site]) builder.add(calls_.sites[site].caller, callee.value());
    }
    callees_ = builder.finish();
    link::Components found =
        link::findComponents(static_cast<uint32_t>(count), [&](uint32_t f) { return callees_[FuncId(f)]; });
    order_.componentOf = std::move(found.of);
    order_.components.assign(found.count, {});
    order_.recursive.assign(found.count, false);
    sizes_.assign(found.count, 0);
    for (uint32_t function = 0; function < count; ++function) {
      uint32_t component = order_.componentOf[function];
      bool callsItself = std::ranges::find(callees_[FuncId(function)], function) != callees_[FuncId(function)].end();
      if (++sizes_[component] > 1 || callsItself) order_.recursive[component] = true;
    }
  }

  bool cutAbove(size_t limit) {
    uint32_t before = order_.cut;
    for (uint32_t i = 0; i < calls_.sites.size(); ++i) {
      CallSiteId site(i);
      FuncId caller = calls_.sites[site].caller;
      if (!order_.followed[i] || !caller.valid() || isDirect(site) || calls_.callees[site].size() <= limit) continue;
      uint32_t component = order_.componentOf[caller.value()];
      auto isInside = [&](FuncId callee) { return order_.componentOf[callee.value()] == component; };
      if (sizes_[component] <= kMaxComponent || std::ranges::none_of(calls_.callees[site], isInside)) continue;
      order_.followed[i] = false;
      ++order_.cut;
    }
    return order_.cut != before;
  }

  void findBlind() {
    for (uint32_t i = 0; i < calls_.sites.size(); ++i)
      if (!order_.followed[i])
        for (FuncId callee : calls_.callees[CallSiteId(i)]) order_.blind[callee.value()] = true;
  }

  const link::Program &program_;
  const link::CallGraph &calls_;
  CallOrder order_;
  link::Lists<FuncId, uint32_t> callees_;
  std::vector<uint32_t> sizes_; // [component]
};

} // namespace

CallOrder orderCalls(const link::Program &program) { return Cutter(program).run(); }

} // namespace deadheat::analyse
