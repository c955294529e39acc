#include "link/trampoline.h"

#include <map>

#include "link/field_names.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::StatementKind;

constexpr int kMaxAccesses = 24; // of the helper: more is work of its own

// The bytes of a record from which its only parameter's members are read; nothing: it is no member.
std::optional<int64_t> memberOf(const Definitions &definitions, Operand value, Operand record) {
  value = definitions.strip(value);
  const model::Statement *read = value.isValue() ? definitions.of(value.value()) : nullptr;
  if (!read || read->kind != StatementKind::Load) return std::nullopt;
  Origin origin = originOf(definitions, read->a);
  if (origin.indexed || !(origin.base == record)) return std::nullopt;
  return origin.offset;
}

// Which members of its record the helper calls and passes on.
struct Passed {
  bool isItself = false; // the record is the function
  int64_t entry = 0;
  std::map<int64_t, uint32_t> arguments; // [bytes]: parameter of what is called
};

// Whoever calls again and again, or counts what everybody sees, is more than a way to what it calls.
bool worksItself(const Code &code, FuncId helper, uint32_t callsAt) {
  const UnitId unit = code.function(helper).unit;
  bool writes = false;
  code.forEachStatement(helper, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (!isMemory(statement.kind) || statement.kind == StatementKind::Load || !statement.a.isSymbol()) return;
    const GlobalId variable = code.symbols.target(unit, statement.a.symbol()).variable;
    writes |= variable.valid() && (code.symbols.variables[variable].flags & model::kThreadLocal) == 0;
  });
  return writes || findLoops(code, helper).repeats(callsAt);
}

std::optional<Passed> passedBy(const Code &code, FuncId helper, uint32_t parameter) {
  const model::Unit &unit = code.unitOf(helper);
  if (parameter >= code.bodyOf(helper).parameterCount) return std::nullopt;
  Definitions definitions(code, helper);
  Operand record = Operand::value(model::ValueId(parameter));
  std::optional<Passed> found;
  uint32_t callsAt = 0; // block
  int accesses = 0;
  bool isOnly = true;
  code.forEachStatement(helper, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
    accesses += statement.site.valid();
    if (statement.kind != StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    if (!call.callee.isValue()) return;
    const bool isItself = definitions.strip(call.callee) == record;
    std::optional<int64_t> entry = memberOf(definitions, call.callee, record);
    isOnly &= (entry || isItself) && !found;
    if (!isOnly) return;
    callsAt = code.blockOf(helper, block);
    found = Passed{isItself, entry.value_or(0), {}};
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      Operand value = unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value;
      if (std::optional<int64_t> member = memberOf(definitions, value, record)) found->arguments[*member] = i;
    }
  });
  if (!found || !isOnly || accesses > kMaxAccesses || worksItself(code, helper, callsAt)) return std::nullopt;
  return found;
}

} // namespace

std::optional<Trampoline> findTrampoline(const Code &code, FuncId creator, const Definitions &definitions,
                                         const model::Call &call, const knowledge::Row &row) {
  const model::Unit &unit = code.unitOf(creator);
  auto argument = [&](int index) {
    if (index < 0 || static_cast<uint32_t>(index) >= call.argumentCount) return Operand();
    return definitions.strip(unit.arguments[model::ArgumentId(call.firstArgument.value() + index)].value);
  };
  Operand entry = argument(row.entry), record = argument(row.argument);
  if (!entry.isSymbol() || !record.isValue()) return std::nullopt;
  FuncId helper = code.symbols.target(code.function(creator).unit, entry.symbol()).function;
  if (!helper.valid() || code.function(helper).external()) return std::nullopt;
  std::optional<Passed> passed = passedBy(code, helper, row.parameter);
  if (!passed) return std::nullopt;
  Trampoline found;
  if (passed->isItself) {
    found.entry = static_cast<signed char>(definitions.parameter(record));
    return found.entry >= 0 ? std::optional(found) : std::nullopt;
  }
  bool isOne = true;
  code.forEachStatement(creator, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != StatementKind::Store) return;
    Origin origin = originOf(definitions, statement.a);
    if (origin.indexed || !(origin.base == record)) return;
    int parameter = definitions.parameter(statement.b);
    if (origin.offset == passed->entry) {
      isOne &= found.entry == knowledge::kNone && parameter >= 0;
      found.entry = static_cast<signed char>(parameter);
    } else if (auto given = passed->arguments.find(origin.offset); given != passed->arguments.end() && parameter >= 0) {
      found.argument = static_cast<signed char>(parameter);
      found.parameter = static_cast<unsigned char>(given->second);
    }
  });
  return isOne && found.entry >= 0 ? std::optional(found) : std::nullopt;
}

} // namespace deadheat::link
