#include "link/wrappers.h"

#include "link/definitions.h"
#include "link/direct_callers.h"
#include "link/join_wrappers.h"
#include "link/stack_slots.h"
#include "link/trampoline.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Row;
using model::Operand;
using model::StatementKind;

class Finder {
public:
  Finder(const Code &code, const CallGraph &graph) : code_(code), graph_(graph) {
    size_t count = code.symbols.functions.size();
    found_.allocates.assign(count, false);
    found_.spawns.assign(count, nullptr);
    found_.inner.assign(graph.sites.size(), false);
    found_.innerSpawn.assign(graph.sites.size(), false);
  }

  Wrappers run() {
    callers_ = directCallers(code_, graph_);
    code_.forEachFunction([&](FuncId id) {
      if (isAllocator(code_.function(id).known) || isSpawn(code_.function(id).known)) enqueueCallers(id);
    });
    judgeQueued();
    for (int rounds = 0; rounds < kMaxRounds && addPools(); ++rounds) judgeQueued();
    found_.joins = findJoinWrappers(code_, callers_, found_.rows);
    return std::move(found_);
  }

private:
  static constexpr int kMaxRounds = 3; // jobs that submit to, or are, pools of their own

  void judgeQueued() {
    while (!queue_.empty()) {
      FuncId id = queue_.back();
      queue_.pop_back();
      bool more = judgeAllocation(id);
      if (judgeSpawn(id) || more) enqueueCallers(id);
    }
  }

  // Whether there are new ones.
  bool addPools() {
    auto startOf = [&](FuncId id) -> const Row * {
      const Row *known = code_.function(id).known;
      if (found_.spawns[id.value()]) return found_.spawns[id.value()];
      return isSpawn(known) && known->context == knowledge::Context::Thread ? known : nullptr;
    };
    bool isNew = false;
    for (const Submit &submit : PoolFinder(code_, graph_, callers_).find(startOf, found_.pools)) {
      if (found_.spawns[submit.function.value()]) continue;
      found_.rows.push_back(submit.row);
      found_.spawns[submit.function.value()] = &found_.rows.back();
      enqueueCallers(submit.function);
      isNew = true;
    }
    return isNew;
  }

  static bool isAllocator(const Row *row) {
    return row && (row->action == Action::Allocate || row->action == Action::Reallocate) &&
           row->object == knowledge::kResult;
  }
  static bool isSpawn(const Row *row) { return row && row->action == Action::Spawn; }

  void enqueueCallers(FuncId id) {
    for (FuncId caller : callers_[id]) queue_.push_back(caller);
  }

  bool mayWrap(FuncId id) const {
    const Function &function = code_.function(id);
    return !function.external() && !(function.known && replacesBody(*function.known));
  }

  bool judgeAllocation(FuncId id) {
    if (found_.allocates[id.value()] || !mayWrap(id)) return false;
    Definitions definitions(code_, id);
    Freshness fresh;
    bool returns = false;
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != StatementKind::Return) return;
      returns = true;
      judge(id, definitions, statement.a, fresh);
    });
    if (!returns || !fresh.only || fresh.calls.empty()) return false;
    found_.allocates[id.value()] = true;
    for (CallSiteId site : fresh.calls) found_.inner[site.value()] = true;
    return true;
  }

  struct Freshness {
    bool only = true;
    std::vector<CallSiteId> calls;
    std::vector<bool> seen;
    std::optional<StackSlots> slots; // once asked for
  };

  void judge(FuncId id, const Definitions &definitions, Operand operand, Freshness &fresh) const {
    std::vector<Operand> pending{operand};
    fresh.seen.resize(code_.function(id).valueCount);
    while (!pending.empty() && fresh.only) {
      Operand next = pending.back();
      pending.pop_back();
      if (next.isNumber() && next.index == 0) continue;
      if (!next.isValue()) {
        fresh.only = false;
      } else if (!fresh.seen[next.value().value()]) {
        fresh.seen[next.value().value()] = true;
        auto follow = [&](Operand source) { pending.push_back(source); };
        if (!definitions.forEachSource(next.value(), follow) && !isStored(id, definitions, next, fresh, follow))
          judgeCall(id, definitions.of(next.value()), fresh);
      }
    }
  }

  template <typename Visit>
  bool isStored(FuncId id, const Definitions &definitions, Operand loaded, Freshness &fresh, Visit visit) const {
    const model::Statement *made = definitions.of(loaded.value());
    if (!made || made->kind != StatementKind::Load) return false;
    if (!fresh.slots) fresh.slots.emplace(code_, id, definitions);
    return fresh.slots->forEachStored(*made, visit);
  }

  void judgeCall(FuncId id, const model::Statement *statement, Freshness &fresh) const {
    fresh.only = false;
    if (!statement || statement->kind != StatementKind::Call) return;
    model::CallId call(static_cast<uint32_t>(statement->number));
    UnitId unit = code_.function(id).unit;
    FuncId callee = code_.directCallee(unit, code_.unit(unit).calls[call]);
    if (!callee.valid()) return;
    if (!isAllocator(code_.function(callee).known) && !found_.allocates[callee.value()]) return;
    fresh.only = true;
    fresh.calls.push_back(graph_.site(unit, call));
  }

  bool judgeSpawn(FuncId id) {
    if (found_.spawns[id.value()] || !mayWrap(id)) return false;
    Definitions definitions(code_, id);
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind == StatementKind::Call) judgeSpawn(id, definitions, statement);
    });
    return found_.spawns[id.value()];
  }

  void judgeSpawn(FuncId id, const Definitions &definitions, const model::Statement &statement) {
    const model::Unit &unit = code_.unitOf(id);
    model::CallId callId(static_cast<uint32_t>(statement.number));
    const model::Call &call = unit.calls[callId];
    FuncId callee = code_.directCallee(code_.function(id).unit, call);
    if (!callee.valid() || callee == id) return;
    const Row *row =
        isSpawn(code_.function(callee).known) ? code_.function(callee).known : found_.spawns[callee.value()];
    if (!row || row->entryIs != knowledge::Entry::Pointer || row->secondEntry >= 0) return;
    auto parameter = [&](int argument) { return definitions.parameter(call, argument); };
    Row derived = *row;
    if (std::optional<Trampoline> by = findTrampoline(code_, id, definitions, call, *row)) {
      // Tables of what a library exports take its address; whoever starts threads calls it by name.
      if (code_.function(id).addressTaken && callers_[id].empty()) return;
      derived.entry = by->entry;
      derived.argument = by->argument;
      derived.parameter = by->parameter;
      derived.object = handleOf(id, definitions, call, statement.result, *row);
      return add(id, callId, derived);
    }
    if (code_.function(id).addressTaken) return;
    derived.entry = parameter(row->entry);
    derived.argument = parameter(row->argument);
    derived.object = handleOf(id, definitions, call, statement.result, *row);
    if (derived.entry < 0 || (row->argument >= 0 && derived.argument < 0)) return;
    add(id, callId, derived);
  }

  // Where the caller finds the thread's handle: as the result where all that is returned is what the start wrote.
  signed char handleOf(FuncId id, const Definitions &definitions, const model::Call &call, model::ValueId result,
                       const Row &row) const {
    if (signed char parameter = definitions.parameter(call, row.object); parameter >= 0) return parameter;
    Operand handle = Operand::value(result);
    if (row.object >= 0) {
      if (static_cast<uint32_t>(row.object) >= call.argumentCount) return knowledge::kNone;
      model::ArgumentId argument(call.firstArgument.value() + static_cast<uint32_t>(row.object));
      handle = definitions.strip(code_.unitOf(id).arguments[argument].value);
    }
    auto isHandle = [&](Operand returned) {
      returned = definitions.strip(returned);
      if (row.object == knowledge::kResult) return returned == handle;
      const model::Statement *made = returned.isValue() ? definitions.of(returned.value()) : nullptr;
      return made && made->kind == StatementKind::Load && definitions.strip(made->a) == handle;
    };
    bool returns = false, isOnly = handle.isValue();
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != StatementKind::Return) return;
      returns = true;
      isOnly = isOnly && isHandle(statement.a);
    });
    return returns && isOnly ? knowledge::kResult : knowledge::kNone;
  }

  // It may do the same in several places: with attributes and without.
  void add(FuncId id, model::CallId inner, const Row &derived) {
    const Row *known = found_.spawns[id.value()];
    auto same = [&](auto member) { return known->*member == derived.*member; };
    if (known && !(same(&Row::entry) && same(&Row::argument) && same(&Row::parameter) && same(&Row::object))) return;
    found_.innerSpawn[graph_.site(code_.function(id).unit, inner).value()] = true;
    if (known) return;
    found_.rows.push_back(derived);
    found_.spawns[id.value()] = &found_.rows.back();
  }

  const Code &code_;
  const CallGraph &graph_;
  Lists<FuncId, FuncId> callers_;
  std::vector<FuncId> queue_;
  Wrappers found_;
};

} // namespace

Wrappers findWrappers(const Code &code, const CallGraph &sites) { return Finder(code, sites).run(); }

} // namespace deadheat::link
