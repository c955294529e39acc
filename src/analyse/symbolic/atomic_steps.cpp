#include "analyse/symbolic/atomic_steps.h"

#include <algorithm>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Operand;
using model::Statement;
using model::StatementKind;

namespace {

constexpr uint32_t kMaxBlocks = 32;
constexpr unsigned kMaxDepth = 4; // wrappers of wrappers

bool isParameter(const Operand &operand, const model::Function &body) {
  return operand.isValue() && operand.value().value() < body.parameterCount;
}

// It touches no memory but its own.
bool computes(const link::Code &code, FuncId function, unsigned depth) {
  if (depth == 0 || code.function(function).external() || code.bodyOf(function).blockCount > kMaxBlocks) return false;
  bool does = true;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    switch (statement.kind) {
    case StatementKind::Load:
    case StatementKind::Store:
    case StatementKind::AtomicLoad:
    case StatementKind::AtomicStore:
    case StatementKind::AtomicUpdate:
    case StatementKind::Transfer:
    case StatementKind::Fill: does = false; break;
    case StatementKind::Call: {
      const link::UnitId unit = code.function(function).unit;
      FuncId callee =
          code.directCallee(unit, code.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))]);
      does = does && callee.valid() && computes(code, callee, depth - 1);
      break;
    }
    default: break;
    }
  });
  return does;
}

} // namespace

static std::optional<AtomicStep> ofStatement(const Statement &statement) {
  switch (statement.kind) {
  case StatementKind::AtomicUpdate:
    return AtomicStep{statement.result.valid(), statement.a, 0, statement.b, model::moveOf(statement), statement.site};
  case StatementKind::AtomicStore:
    return AtomicStep{false, statement.a, 0, statement.b, model::moveOf(statement), statement.site};
  case StatementKind::Store: return AtomicStep{false, statement.a, 0, statement.b, {}, statement.site};
  default: return std::nullopt;
  }
}

class AtomicWrapperFinder {
public:
  AtomicWrapperFinder(const link::Code &code, AtomicSteps::Wrappers &found) : code_(code), found_(found) {}

  // What is met too deep inside another one is sought on its own, too.
  void search(FuncId function, unsigned depth = kMaxDepth) {
    if (depth == 0 || code_.function(function).external() || code_.bodyOf(function).blockCount > kMaxBlocks) return;
    unsigned &sought = seen_[function];
    if (sought >= depth || found_.contains(function)) return;
    sought = depth;
    if (std::optional<AtomicStep> step = read(function, depth)) found_.emplace(function, *step);
  }

private:
  std::optional<AtomicStep> read(FuncId function, unsigned depth) {
    const link::UnitId unit = code_.function(function).unit;
    const model::Function &body = code_.bodyOf(function);
    const link::Definitions definitions(code_, function);
    std::optional<AtomicStep> whole;
    bool isOne = true, isTold = false;
    auto add = [&](AtomicStep step) {
      for (const Statement *made; step.address.isValue() && (made = definitions.of(step.address.value()));) {
        if (made->kind != StatementKind::Copy && made->kind != StatementKind::Field) break;
        step.offset += made->kind == StatementKind::Field ? made->number : 0;
        step.address = made->a;
      }
      step.value = definitions.strip(step.value);
      if (!isParameter(step.address, body)) return isOne = false;
      if (!step.value.isNumber() && !isParameter(step.value, body)) step.value = {};
      if (!whole) return whole = step, true;
      if (!(whole->value == step.value)) whole->value = {};
      if (whole->move != step.move) whole->move = {};
      return isOne = isOne && whole->isSamePlace(step) && whole->isUpdate == step.isUpdate;
    };
    code_.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (!isOne) return;
      if (statement.kind == StatementKind::Store)
        isOne = isKept(definitions, body, statement);
      else if (statement.kind == StatementKind::Transfer || statement.kind == StatementKind::Fill)
        isOne = false;
      else if (statement.kind == StatementKind::Call)
        readCall(unit, statement, depth, add, isOne);
      else if (statement.kind == StatementKind::Return)
        isTold |= !(statement.a == Operand{});
      else if (std::optional<AtomicStep> step = ofStatement(statement))
        add(*step);
    });
    return isOne && whole && (isTold || !whole->isUpdate) && !hasLoop(function) ? whole : std::nullopt;
  }

  // It waits, perhaps.
  bool hasLoop(FuncId function) const {
    const link::Loops loops = link::findLoops(code_, function);
    return std::ranges::any_of(loops.outermost, [](uint32_t loop) { return loop != link::Loops::kNone; });
  }

  template <typename Add>
  void readCall(link::UnitId unit, const Statement &statement, unsigned depth, Add add, bool &isOne) {
    const model::Call &call = code_.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = code_.directCallee(unit, call);
    if (!callee.valid()) return void(isOne = false);
    search(callee, depth - 1);
    if (auto wrapper = found_.find(callee); wrapper != found_.end())
      add(inCaller(wrapper->second, code_.unit(unit), call, statement));
    else
      isOne = isOne && computes(code_, callee, depth - 1);
  }

  // In a variable of its own, or in another parameter's.
  bool isKept(const link::Definitions &definitions, const model::Function &body, const Statement &store) const {
    return isParameter(definitions.strip(store.a), body) || definitions.isStack(store.a);
  }

  friend class AtomicSteps;
  static AtomicStep inCaller(AtomicStep step, const model::Unit &unit, const model::Call &call,
                             const Statement &statement) {
    auto given = [&](const Operand &parameter) {
      return link::argumentOf(unit, call, static_cast<int>(parameter.value().value()));
    };
    step.address = given(step.address);
    if (step.value.isValue()) step.value = given(step.value);
    step.isUpdate = step.isUpdate && statement.result.valid();
    step.site = {};
    return step;
  }

  const link::Code &code_;
  AtomicSteps::Wrappers &found_;
  std::map<FuncId, unsigned> seen_; // how deep it was looked into
};

AtomicSteps::AtomicSteps(const link::Program &program) : code_{program.units, program.symbols} {
  AtomicWrapperFinder finder(code_, wrappers_);
  code_.forEachFunction([&](FuncId function) { finder.search(function); });
}

bool AtomicSteps::areUpdatedIn(link::FuncId function) const {
  bool isFound = false;
  code_.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    const std::optional<AtomicStep> step = at(code_.function(function).unit, statement);
    isFound |= step && step->isUpdate;
  });
  return isFound;
}

std::optional<AtomicStep> AtomicSteps::at(link::UnitId unit, const Statement &statement) const {
  if (statement.kind != StatementKind::Call) return ofStatement(statement);
  const model::Call &call = code_.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))];
  auto wrapper = wrappers_.find(code_.directCallee(unit, call));
  if (wrapper == wrappers_.end()) return std::nullopt;
  return AtomicWrapperFinder::inCaller(wrapper->second, code_.unit(unit), call, statement);
}

} // namespace deadheat::analyse
