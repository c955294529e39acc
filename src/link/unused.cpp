#include "link/unused.h"

#include "llvm/ADT/BitVector.h"

namespace deadheat::link {

static bool isCopy(const Function &function) {
  return !function.external() && (function.flags & model::kLibrary) != 0 && !function.addressTaken &&
         !function.lookedUp;
}

void leaveOutUnused(const std::vector<model::LinkedUnit> &units, Symbols &symbols) {
  const Code code{units, symbols};
  llvm::BitVector isUsed(symbols.functions.size());
  std::vector<FuncId> toVisit;
  auto use = [&](FuncId id) {
    if (isUsed[id.value()]) return;
    isUsed.set(id.value());
    toVisit.push_back(id);
  };
  code.forEachFunction([&](FuncId id) {
    if (!isCopy(code.function(id))) use(id);
  });
  while (!toVisit.empty()) {
    const FuncId caller = toVisit.back();
    toVisit.pop_back();
    const model::Unit &unit = code.unitOf(caller);
    code.forEachStatement(caller, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
      if (FuncId callee = code.directCallee(code.function(caller).unit, call); callee.valid()) use(callee);
    });
  }
  for (uint32_t i = 0; i < symbols.functions.size(); ++i) {
    Function &function = symbols.functions[FuncId(i)];
    if (isUsed[i]) continue;
    symbols.bodies[function.unit.value()][function.body.value()] = {};
    function.body = {};
  }
}

} // namespace deadheat::link
