#include "confirm/whole_calls.h"

#include <map>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace deadheat::confirm {
namespace {

using model::FunctionId;
using model::Unit;

class Calls {
public:
  explicit Calls(const Unit &unit) : unit_(unit) {
    for (uint32_t index = 0; index != unit.functions.size(); ++index)
      ids_.try_emplace(unit.functions[FunctionId(index)].name, FunctionId(index));
  }

  // `take(call, callee)` for each call of the function whose callee the unit has.
  template <typename Take> void each(FunctionId id, Take take) const {
    const model::Function &function = unit_.functions[id];
    for (uint32_t block = 0; block != function.blockCount; ++block) {
      const model::Block &row = unit_.blocks[model::BlockId(function.firstBlock.value() + block)];
      for (uint32_t index = 0; index != row.statementCount; ++index) {
        const model::Statement &statement = unit_.statements[model::StatementId(row.firstStatement.value() + index)];
        if (statement.kind != model::StatementKind::Call) continue;
        const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
        if (!call.callee.isSymbol()) continue;
        auto callee = ids_.find(unit_.symbols[call.callee.symbol()].name);
        if (callee != ids_.end()) take(call, callee->second);
      }
    }
  }

  void addLibrary(FunctionId id, std::set<FunctionId> &all) const {
    std::vector<FunctionId> open = {id};
    while (!open.empty()) {
      const FunctionId one = open.back();
      open.pop_back();
      if (!(unit_.functions[one].flags & model::kLibrary) || !all.insert(one).second) continue;
      each(one, [&](const model::Call &, FunctionId callee) { open.push_back(callee); });
    }
  }

private:
  const Unit &unit_;
  std::map<model::StringId, FunctionId> ids_;
};

} // namespace

std::set<FunctionId> libraryFunctionsAt(const Unit &unit, FunctionId function, const finding::Place &place) {
  const Calls calls(unit);
  std::set<FunctionId> here, elsewhere;
  calls.each(function, [&](const model::Call &call, FunctionId callee) {
    const bool isFile = llvm::StringRef(unit.strings[call.file]).ends_with(place.file) ||
                        llvm::StringRef(place.file).ends_with(unit.strings[call.file]);
    calls.addLibrary(callee, call.line == place.line && isFile ? here : elsewhere);
  });
  for (FunctionId id : elsewhere) here.erase(id);
  return here;
}

} // namespace deadheat::confirm
