// The calls of a function, and what each is about.
#pragma once

#include <string_view>

#include "model/unit.h"

namespace deadheat::model {

// In order of its blocks.
template <typename Visit> void forEachCall(const Unit &unit, const Function &function, Visit visit) {
  for (uint32_t b = 0; b < function.blockCount; ++b) {
    const Block &block = unit.blocks[BlockId(function.firstBlock.value() + b)];
    for (uint32_t s = 0; s < block.statementCount; ++s) {
      const Statement &statement = unit.statements[StatementId(block.firstStatement.value() + s)];
      if (statement.kind == StatementKind::Call) visit(CallId(static_cast<uint32_t>(statement.number)));
    }
  }
}

// The words for the first argument that has some: the object of a member function.
inline std::string_view objectOf(const Unit &unit, const Call &call) {
  for (uint32_t i = 0; i < call.argumentCount; ++i) {
    const Argument &argument = unit.arguments[ArgumentId(call.firstArgument.value() + i)];
    if (std::string_view path = unit.strings[argument.path]; !path.empty()) return path;
  }
  return {};
}

} // namespace deadheat::model
