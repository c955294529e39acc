#include "analyse/filter/lives.h"

#include <algorithm>

#include "llvm/ADT/StringRef.h"

#include "link/field_names.h"
#include "link/loops.h"

namespace deadheat::analyse {

using link::FuncId;
using link::ThreadId;
using model::Operand;
using model::Statement;
using model::StatementKind;

namespace {

constexpr int kMaxSteps = 8;        // of an expression
constexpr size_t kMaxPointers = 32; // that a start is given
constexpr size_t kMaxKept = 4096;   // in the whole program

// Of one function: which values are the same object.
class Objects {
public:
  Objects(const link::Code &code, FuncId function)
      : code_(code), function_(function), unit_(code.unitOf(function)), definitions_(code, function) {}

  const link::Definitions &definitions() const { return definitions_; }

  // Without the member at the end.
  Operand objectOf(Operand address) const {
    for (;;) {
      address = definitions_.strip(address);
      const Statement *made = madeBy(address);
      if (!made || made->kind != StatementKind::Field) return address;
      address = made->a;
    }
  }

  // Each without the member at the end; and of an element of an array in an object, that object too.
  void addHolders(std::vector<Operand> &addresses) const {
    for (size_t next = 0; next < addresses.size(); ++next) {
      addresses[next] = objectOf(addresses[next]);
      const Statement *made = madeBy(addresses[next]);
      if (made && made->kind == StatementKind::Index) addresses.push_back(made->a);
    }
  }

  const Statement *madeBy(Operand operand) const {
    return operand.isValue() ? definitions_.of(operand.value()) : nullptr;
  }

  // Where the pointer was read from, a smart one too; none: it was made otherwise.
  Operand pointerOf(Operand value) const {
    const Statement *made = madeBy(value);
    if (made && made->kind == StatementKind::Load) return made->a;
    if (!made || made->kind != StatementKind::Call || callOf(*made).argumentCount != 1) return {};
    FuncId callee = code_.directCallee(code_.function(function_).unit, callOf(*made));
    if (!callee.valid() || (code_.function(callee).flags & model::kLibrary) == 0) return {};
    llvm::StringRef name = code_.function(callee).display;
    bool isSmart = name.contains("::operator->(") || name.contains("::operator*(") || name.contains("::get(");
    return isSmart ? argumentsOf(callOf(*made)).front() : Operand();
  }

  bool isSame(Operand a, Operand b, int steps = kMaxSteps) const {
    a = definitions_.strip(a);
    b = definitions_.strip(b);
    if (a == b) return a.isValue() || a.isSymbol() || a.isNumber();
    const Statement *first = madeBy(a), *second = madeBy(b);
    if (!first || !second || first->kind != second->kind || steps == 0) return false;
    switch (first->kind) {
    case StatementKind::Field: return first->number == second->number && isSame(first->a, second->a, steps - 1);
    case StatementKind::Load: return isSame(first->a, second->a, steps - 1);
    case StatementKind::Index:
      return first->number == second->number && isSame(first->a, second->a, steps - 1) &&
             isSame(first->b, second->b, steps - 1);
    case StatementKind::Call: return isSameCall(callOf(*first), callOf(*second), steps - 1);
    default: return false;
    }
  }

  // Elements of two arrays that one number chooses, or what they point to.
  bool isParallel(Operand a, Operand b) const {
    Operand one = indexOf(a), other = indexOf(b);
    return one.isValue() && other.isValue() && isSame(one, other);
  }

  // One of these is one of those, or is chosen by the same number.
  bool isAny(const std::vector<Operand> &these, const std::vector<Operand> &those, bool orParallel) const {
    return std::ranges::any_of(these, [&](Operand one) {
      return std::ranges::any_of(
          those, [&](Operand other) { return isSame(one, other) || (orParallel && isParallel(one, other)); });
    });
  }

  std::vector<Operand> argumentsOf(const model::Call &call) const {
    std::vector<Operand> found;
    for (uint32_t i = 0; i < call.argumentCount; ++i)
      found.push_back(unit_.arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
    return found;
  }

  const model::Call &callOf(const Statement &statement) const {
    return unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
  }

private:
  Operand indexOf(Operand element) const {
    const Statement *made = madeBy(definitions_.strip(element));
    if (made && made->kind == StatementKind::Load) made = madeBy(definitions_.strip(made->a));
    return made ? link::elementOf(code_, code_.function(function_).unit, *made).index : Operand();
  }

  // The library's: `operator->`, `get`, `operator*` of one thing give one thing.
  bool isSameCall(const model::Call &a, const model::Call &b, int steps) const {
    const link::UnitId unit = code_.function(function_).unit;
    FuncId callee = code_.directCallee(unit, a);
    if (!callee.valid() || callee != code_.directCallee(unit, b) || a.argumentCount != b.argumentCount) return false;
    if ((code_.function(callee).flags & model::kLibrary) == 0) return false;
    std::vector<Operand> first = argumentsOf(a), second = argumentsOf(b);
    return std::ranges::equal(first, second, [&](Operand x, Operand y) { return isSame(x, y, steps); });
  }

  const link::Code &code_;
  FuncId function_;
  const model::Unit &unit_;
  link::Definitions definitions_;
};

} // namespace

Lives::Lives(const link::Program &program) : program_(program), code_{program.units, program.symbols} {
  addStarts(program);
  addJoins();
  spread();
}

void Lives::add(FuncId function, Turn turn) {
  if (!turn.objects.empty()) turns_[function].push_back(std::move(turn));
}

// What the call is given, in its arguments or in what they hold.
std::vector<Operand> Lives::givenBy(const link::CallSite &start) const {
  Objects objects(code_, start.caller);
  const model::Unit &unit = code_.unitOf(start.caller);
  std::vector<Operand> given = objects.argumentsOf(unit.calls[start.call]);
  for (size_t next = 0; next < given.size() && next < kMaxPointers; ++next) {
    given[next] = objects.objectOf(given[next]);
    if (!given[next].isValue()) continue;
    code_.forEachStatement(start.caller, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind == StatementKind::Store &&
          link::originOf(objects.definitions(), statement.a).base == given[next])
        given.push_back(statement.b);
    });
  }
  std::erase_if(given, [](Operand operand) { return !operand.isValue() && !operand.isSymbol(); });
  return given;
}

void Lives::addStarts(const link::Program &program) {
  for (uint32_t t = 0; t < program.threads.list.size(); ++t) {
    const link::Thread &thread = program.threads.list[ThreadId(t)];
    std::vector<link::CallSiteId> sites = thread.usersStarts;
    if (sites.empty() && thread.createdAt.valid()) sites.push_back(thread.createdAt);
    for (link::CallSiteId id : sites) {
      const link::CallSite &site = program.calls.sites[id];
      if (site.caller.valid()) add(site.caller, {site.statement, givenBy(site), {ThreadId(t)}});
    }
  }
}

// The object that the handle is in, or that has a pointer to it.
std::vector<Operand> Lives::handleOf(const link::CallSite &join, const knowledge::Row &row) const {
  Objects objects(code_, join.caller);
  std::vector<Operand> arguments = objects.argumentsOf(code_.unit(join.unit).calls[join.call]);
  if (row.object < 0 || static_cast<size_t>(row.object) >= arguments.size()) return {};
  Operand handle = objects.definitions().strip(arguments[static_cast<size_t>(row.object)]);
  std::vector<Operand> found;
  if (row.has(knowledge::kByAddress)) found.push_back(objects.objectOf(handle));
  if (Operand pointer = objects.pointerOf(handle); pointer.isValue() || pointer.isSymbol())
    found.push_back(objects.objectOf(pointer));
  return found;
}

void Lives::addJoins() {
  for (uint32_t i = 0; i < program_.calls.sites.size(); ++i) {
    const link::CallSite &site = program_.calls.sites[link::CallSiteId(i)];
    if (!site.caller.valid() || containsSorted(program_.threads.idleJoins, link::CallSiteId(i))) continue;
    for (FuncId callee : program_.calls.callees[link::CallSiteId(i)])
      if (const knowledge::Row *row = program_.function(callee).known;
          row && row->action == knowledge::Action::Join && !row->has(knowledge::kTry))
        add(site.caller, {site.statement, handleOf(site, *row), {}});
  }
}

// To callers by name, whose argument it is.
void Lives::spread() {
  std::vector<std::pair<FuncId, Turn>> pending;
  for (const auto &[function, turns] : turns_)
    for (const Turn &turn : turns) pending.push_back({function, turn});
  for (size_t next = 0; next < pending.size() && pending.size() < kMaxKept; ++next) {
    const auto [function, turn] = pending[next];
    link::Definitions definitions(code_, function);
    std::vector<int> parameters;
    for (Operand object : turn.objects)
      if (int parameter = definitions.parameter(object); parameter >= 0) parameters.push_back(parameter);
    size_t before = pending.size();
    for (link::CallSiteId id : program_.calls.callers[function]) {
      if (parameters.empty()) break;
      const link::CallSite &site = program_.calls.sites[id];
      if (!site.caller.valid() || site.caller == function) continue;
      const model::Call &call = code_.unit(site.unit).calls[site.call];
      if (code_.directCallee(site.unit, call) != function) continue;
      Objects objects(code_, site.caller);
      std::vector<Operand> arguments = objects.argumentsOf(call);
      Turn above{site.statement, {}, turn.threads};
      for (int parameter : parameters)
        if (static_cast<size_t>(parameter) < arguments.size())
          above.objects.push_back(objects.objectOf(arguments[static_cast<size_t>(parameter)]));
      add(site.caller, above);
      pending.push_back({site.caller, std::move(above)});
    }
    if (pending.size() == before)
      for (ThreadId thread : turn.threads) outermost_[thread].insert(function);
  }
}

// A join where an exception leaves the function leads to nothing that follows.
bool Lives::leadsTo(link::FuncId function, model::StatementId from, model::StatementId to) const {
  const uint32_t first = code_.blockOf(function, from), last = code_.blockOf(function, to);
  return first == last || link::reachableFrom(code_, function, first)[last];
}

Lives::When Lives::of(const Step &step, ThreadId thread, By by) const {
  auto known = turns_.find(step.function);
  if (known == turns_.end()) return When::Unknown;
  Objects objects(code_, step.function);
  const Statement &statement = code_.unitOf(step.function).statements[step.statement];
  std::vector<Operand> touched{statement.a};
  if (statement.kind == StatementKind::Call) touched = objects.argumentsOf(objects.callOf(statement));
  objects.addHolders(touched);
  link::Loops loops = link::findLoops(code_, step.function);
  const uint32_t here = code_.blockOf(step.function, step.statement);
  auto comes = [&](uint32_t loop, model::StatementId first, model::StatementId second) {
    const uint32_t from = code_.blockOf(step.function, first), to = code_.blockOf(step.function, second);
    return from == to ? first < second : link::leadsTo(code_, step.function, loops, loop, to)[from];
  };
  auto isAbout = [&](const Turn &turn) {
    return objects.isAny(touched, turn.objects, turn.threads.empty() || by == By::Number);
  };
  const Turn *before = nullptr, *after = nullptr; // the nearest
  for (const Turn &turn : known->second) {
    if (!turn.threads.empty() && std::ranges::find(turn.threads, thread) == turn.threads.end()) continue;
    if (turn.statement == step.statement || !isAbout(turn)) continue;
    const uint32_t loop = loops.innermost[code_.blockOf(step.function, turn.statement)];
    if (!loops.isIn(here, loop)) continue;
    if (comes(loop, turn.statement, step.statement) && (!before || before->statement < turn.statement)) before = &turn;
    if (comes(loop, step.statement, turn.statement) && (!after || after->statement > turn.statement)) after = &turn;
  }
  if (before) return before->threads.empty() ? When::After : When::Unknown;
  return after && !after->threads.empty() ? When::Before : When::Unknown;
}

// Of those that were started before the statement, there is one at least, and each has been joined.
bool Lives::areOver(const Step &step, ThreadId thread) const {
  auto known = turns_.find(step.function);
  if (known == turns_.end()) return false;
  Objects objects(code_, step.function);
  link::Loops loops = link::findLoops(code_, step.function);
  auto loopOf = [&](const Turn &turn) { return loops.innermost[code_.blockOf(step.function, turn.statement)]; };
  auto outermost = outermost_.find(thread);
  if (outermost == outermost_.end() || outermost->second != std::set{step.function}) return false;
  bool isStarted = false;
  for (const Turn &start : known->second) {
    if (std::ranges::find(start.threads, thread) == start.threads.end() || start.statement >= step.statement) continue;
    isStarted = true;
    bool isJoined = std::ranges::any_of(known->second, [&](const Turn &join) {
      return join.threads.empty() && join.statement > start.statement && join.statement < step.statement &&
             loopOf(join) == loopOf(start) && objects.isAny(start.objects, join.objects, true) &&
             leadsTo(step.function, join.statement, step.statement);
    });
    if (!isJoined) return false;
  }
  return isStarted;
}

Lives::When Lives::of(const Leaf &leaf, ThreadId thread, By by) const {
  for (const Step &step : leaf.steps)
    if (When when = of(step, thread, by); when != When::Unknown) return when;
  return When::Unknown;
}

bool Lives::areOver(const Leaf &leaf, ThreadId thread) const {
  return std::ranges::any_of(leaf.steps, [&](const Step &step) { return areOver(step, thread); });
}

} // namespace deadheat::analyse
