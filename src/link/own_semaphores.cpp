#include "link/own_semaphores.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "link/definitions.h"
#include "link/field_names.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Row;
using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr int kMaxParameter = 3;

constexpr Row semaphore(Action action, signed char object) {
  return {.name = "semaphore of the program", .action = action, .object = object, .kind = knowledge::Kind::Semaphore};
}

constexpr Row lock(Action action, signed char object, knowledge::Mode mode = knowledge::Mode::Exclusive) {
  return {.name = "lock of the program",
          .action = action,
          .object = object,
          .kind = knowledge::Kind::ReadWrite,
          .mode = mode};
}

constexpr Row recursive(Action action, signed char object) {
  return {.name = "lock of the program", .action = action, .object = object, .kind = knowledge::Kind::Recursive};
}

// By parameter.
using enum knowledge::Mode;
constexpr Row kWaits[] = {semaphore(Action::Wait, 0), semaphore(Action::Wait, 1), semaphore(Action::Wait, 2)};
constexpr Row kPosts[] = {semaphore(Action::Post, 0), semaphore(Action::Post, 1), semaphore(Action::Post, 2)};
constexpr Row kTakes[] = {lock(Action::Acquire, 0), lock(Action::Acquire, 1), lock(Action::Acquire, 2)};
constexpr Row kShares[] = {lock(Action::Acquire, 0, Shared), lock(Action::Acquire, 1, Shared),
                           lock(Action::Acquire, 2, Shared)};
constexpr Row kGives[] = {lock(Action::Release, 0), lock(Action::Release, 1), lock(Action::Release, 2)};
constexpr Row kEnters[] = {recursive(Action::Acquire, 0), recursive(Action::Acquire, 1), recursive(Action::Acquire, 2)};
constexpr Row kLeaves[] = {recursive(Action::Release, 0), recursive(Action::Release, 1), recursive(Action::Release, 2)};

using Members = std::set<std::string>; // of what a parameter points to, in the words of accesses

bool haveCommon(const Members &a, const Members &b) {
  return std::ranges::any_of(a, [&](const std::string &member) { return b.contains(member); });
}

// What a function does to the members of what a parameter points to.
struct Use {
  int parameter = -1;
  Members written;
  Members set;    // of these, those that get a number other than 0
  Members waited; // what it waits for says

  // It waits until nobody has it, and has it then.
  bool isTaking() const { return haveCommon(set, waited); }
};

class Judge {
public:
  Judge(const Code &code, FuncId id)
      : code_(code), id_(id), unit_(code.unitOf(id)), body_(code.bodyOf(id)), definitions_(code, id) {}

  // It waits until members of its parameter say something, and writes others or these.
  std::optional<Use> waiting() const {
    std::optional<Use> use = writing(Action::ConditionWait);
    if (use) use->waited = testedInWait(use->parameter);
    return use && !use->waited.empty() ? use : std::nullopt;
  }

  std::optional<Use> posting() const {
    std::optional<Use> use = writing(Action::Signal);
    return use ? use : writing(Action::Broadcast);
  }

  // It takes a lock in what a parameter points to, or gives it back, unless a test says that this is not the last time; `asks`: whether it asks
  // who it is.
  std::optional<Use> nesting(Action action, bool &asks) const {
    Use use;
    bool does = false, only = true, tests = false;
    code_.forEachStatement(id_, [&](model::BlockId, model::StatementId, const Statement &statement) {
      tests = tests || statement.kind == StatementKind::Branch;
      const bool isStore = statement.kind == StatementKind::Store || statement.kind == StatementKind::AtomicStore;
      if (isStore && !isOnStack(statement.a)) only = only && addWrite(statement, use);
      if (statement.kind != StatementKind::Call) return;
      const FuncId callee = calleeOf(statement);
      const Function *called = callee.valid() ? &code_.function(callee) : nullptr;
      asks = asks || (called && isIdentity(called->name));
      if (std::optional<Action> done = actionOf(statement)) {
        const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
        only = only && done == action && parameterOf(argumentOf(unit_, call, called->known->object)) >= 0;
        does = true;
      } else
        only = only && called && (called->external() || (called->flags & model::kLibrary) != 0);
    });
    const bool isOne = does && only && tests && use.parameter >= 0 && use.parameter < kMaxParameter;
    return isOne ? std::optional(use) : std::nullopt;
  }

private:
  static bool isIdentity(std::string_view function) {
    static constexpr std::string_view kNames[] = {"pthread_self", "gettid", "thrd_current",
                                                  "_ZNSt11this_thread6get_idEv"};
    return std::ranges::find(kNames, function) != std::end(kNames);
  }

  // What it writes, if it calls only what synchronises, one of these does `action`, and all is about one parameter.
  std::optional<Use> writing(Action action) const {
    Use use;
    bool does = false, only = true;
    code_.forEachStatement(id_, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind == StatementKind::Call) {
        const std::optional<Action> done = actionOf(statement);
        only = only && (done || isHarmless(statement));
        does = does || done == action;
        // What waits does not post.
        only = only && !(done == Action::ConditionWait && action != Action::ConditionWait);
      }
      if (statement.kind == StatementKind::Return) only = only && !isRead(statement.a);
      if (statement.kind != StatementKind::Store) {
        only = only && statement.kind != StatementKind::Transfer && statement.kind != StatementKind::Fill;
        return;
      }
      if (isOnStack(statement.a)) return;
      only = only && isCounted(statement.b) && addWrite(statement, use);
    });
    const bool isOne = does && only && use.parameter >= 0 && use.parameter < kMaxParameter;
    return isOne ? std::optional(use) : std::nullopt;
  }

  // False: it is of another parameter, or of none.
  bool addWrite(const Statement &store, Use &use) const {
    const int parameter = parameterOf(store.a);
    if (parameter < 0 || !store.site.valid() || (use.parameter >= 0 && use.parameter != parameter)) return false;
    use.parameter = parameter;
    use.written.insert(memberAt(store.site));
    if (store.b.isNumber() && store.b.index != 0) use.set.insert(memberAt(store.site));
    return true;
  }

  bool isOnStack(Operand address) const {
    const Operand base = originOf(definitions_, address).base;
    const Statement *made = base.isValue() ? definitions_.of(base.value()) : nullptr;
    return made && made->kind == StatementKind::Stack;
  }

  const Statement *madeBy(Operand operand) const {
    operand = definitions_.strip(operand);
    return operand.isValue() ? definitions_.of(operand.value()) : nullptr;
  }

  // What it hands out is more than a count.
  bool isRead(Operand operand) const {
    const Statement *made = madeBy(operand);
    return made && made->kind == StatementKind::Load;
  }

  bool isCounted(Operand operand) const {
    const Statement *made = madeBy(operand);
    return operand.isNumber() || (made && made->kind == StatementKind::Compute);
  }

  FuncId calleeOf(const Statement &call) const {
    return code_.directCallee(code_.function(id_).unit, unit_.calls[model::CallId(static_cast<uint32_t>(call.number))]);
  }

  // `changed.wait(guard, [this] { return count > 0; })`
  bool isWaitFor(FuncId callee) const {
    return code_.function(callee).display.contains("std::condition_variable::wait<");
  }

  // How it synchronises; nothing: it does not.
  std::optional<Action> actionOf(const Statement &call) const {
    static constexpr Action kSynchronises[] = {Action::Acquire, Action::Release, Action::ConditionWait, Action::Signal,
                                               Action::Broadcast};
    FuncId callee = calleeOf(call);
    if (!callee.valid()) return std::nullopt;
    if (isWaitFor(callee)) return Action::ConditionWait;
    const Row *row = code_.function(callee).known;
    const bool does = row && std::ranges::find(kSynchronises, row->action) != std::end(kSynchronises);
    return does ? std::optional(row->action) : std::nullopt;
  }

  bool isHarmless(const Statement &statement) const {
    const FuncId callee = calleeOf(statement);
    if (!callee.valid()) return false;
    if (!code_.function(callee).known) return code_.function(callee).external();
    return (unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))].flags & model::kNoReturn) != 0;
  }

  // Of tests on whose ways out a loop with a wait is left, or that the library makes for it.
  Members testedInWait(int parameter) const {
    const Loops loops = findLoops(code_, id_);
    std::set<uint32_t> waiting; // loops
    Members tested;
    code_.forEachStatement(id_, [&](model::BlockId block, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Call || actionOf(statement) != Action::ConditionWait) return;
      if (isWaitFor(calleeOf(statement)))
        addPredicates(calleeOf(statement), tested);
      else
        waiting.insert(loops.innermost[block.value() - body_.firstBlock.value()]);
    });
    waiting.erase(Loops::kNone);
    code_.forEachStatement(id_, [&](model::BlockId block, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Branch ||
          !waiting.contains(loops.innermost[block.value() - body_.firstBlock.value()]))
        return;
      const Statement *read = madeBy(statement.a);
      if (read && read->kind == StatementKind::Load && read->site.valid() && parameterOf(read->a) == parameter)
        tested.insert(memberAt(read->site));
    });
    return tested;
  }

  // What the functions read that the library calls to ask whether to wait on.
  void addPredicates(FuncId wait, Members &tested) const {
    code_.forEachStatement(wait, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Call) return;
      const model::Call &call = code_.unitOf(wait).calls[model::CallId(static_cast<uint32_t>(statement.number))];
      const FuncId asked = code_.directCallee(code_.function(wait).unit, call);
      if (!asked.valid() || code_.function(asked).external() || (code_.function(asked).flags & model::kLibrary)) return;
      const model::Unit &unit = code_.unitOf(asked);
      code_.forEachStatement(asked, [&](model::BlockId, model::StatementId, const Statement &read) {
        if (read.kind == StatementKind::Load && read.site.valid()) tested.insert(memberAt(unit, read.site));
      });
    });
  }

  // The parameter into which the address points; -1: none.
  int parameterOf(Operand address) const {
    for (const Statement *made = madeBy(address); made && made->kind == StatementKind::Field; made = madeBy(address))
      address = made->a;
    return definitions_.parameter(address);
  }

  std::string memberAt(model::SiteId site) const { return memberAt(unit_, site); }
  static std::string memberAt(const model::Unit &unit, model::SiteId site) {
    const model::Site &row = unit.sites[site];
    return std::string(unit.strings[row.type]) + "." + std::string(unit.strings[row.field]);
  }

  const Code &code_;
  FuncId id_;
  const model::Unit &unit_;
  const model::Function &body_;
  Definitions definitions_;
};

bool callsAny(const Code &code, FuncId id, std::initializer_list<Action> actions) {
  bool found = false;
  code.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (found || statement.kind != StatementKind::Call) return;
    FuncId callee = code.directCallee(code.function(id).unit,
                                      code.unitOf(id).calls[model::CallId(static_cast<uint32_t>(statement.number))]);
    const Row *row = callee.valid() ? code.function(callee).known : nullptr;
    found = row && std::ranges::find(actions, row->action) != actions.end();
  });
  return found;
}

// Locks that who has them may take again: `if (owner == self()) depth++; else { lock(m); owner = self(); depth = 1; }`.
void adoptRecursive(const Code &code, Symbols &symbols) {
  std::map<FuncId, Use> enters, leaves;
  code.forEachFunction([&](FuncId id) {
    const Function &function = code.function(id);
    if (function.external() || function.known || (function.flags & model::kLibrary) != 0) return;
    bool asks = false;
    if (callsAny(code, id, {Action::Acquire})) {
      if (std::optional<Use> use = Judge(code, id).nesting(Action::Acquire, asks); use && asks)
        enters.emplace(id, std::move(*use));
    } else if (callsAny(code, id, {Action::Release}))
      if (std::optional<Use> use = Judge(code, id).nesting(Action::Release, asks)) leaves.emplace(id, std::move(*use));
  });
  auto adopt = [&](const std::map<FuncId, Use> &uses, const std::map<FuncId, Use> &others, const Row *rows) {
    for (const auto &[id, use] : uses)
      if (std::ranges::any_of(others, [&](const auto &row) { return haveCommon(use.written, row.second.written); }))
        symbols.functions[id].known = &rows[use.parameter];
  };
  adopt(enters, leaves, kEnters);
  adopt(leaves, enters, kLeaves);
}

} // namespace

void adoptSemaphores(const std::vector<model::LinkedUnit> &units, Symbols &symbols) {
  const Code code{units, symbols};
  adoptRecursive(code, symbols);
  std::map<FuncId, Use> waits, posts;
  code.forEachFunction([&](FuncId id) {
    if (code.function(id).external() || code.function(id).known) return;
    if (!callsAny(code, id, {Action::ConditionWait, Action::Signal, Action::Broadcast})) return;
    Judge judge(code, id);
    if (std::optional<Use> use = judge.waiting())
      waits.emplace(id, std::move(*use));
    else if (std::optional<Use> post = judge.posting())
      posts.emplace(id, std::move(*post));
  });
  Members waited, posted, taken, shared;
  auto isAny = [](const std::map<FuncId, Use> &uses, auto holds) {
    return std::ranges::any_of(uses, [&](const auto &row) { return holds(row.second); });
  };
  // Beside those who take it for themselves: they wait for each other.
  auto isSharing = [&](const Use &use) {
    return !use.isTaking() && isAny(waits, [&](const Use &other) {
      return other.isTaking() && haveCommon(use.waited, other.written) && haveCommon(use.written, other.waited);
    });
  };
  auto isOfLock = [&](const Use &use) { return haveCommon(use.written, taken) || haveCommon(use.written, shared); };
  for (const auto &[id, use] : posts) posted.insert(use.written.begin(), use.written.end());
  for (const auto &[id, use] : waits)
    if (haveCommon(use.written, posted)) {
      if (use.isTaking())
        taken.insert(use.set.begin(), use.set.end());
      else if (isSharing(use))
        shared.insert(use.written.begin(), use.written.end());
      else
        std::ranges::set_intersection(use.written, use.waited, std::inserter(waited, waited.end()));
    }
  for (const auto &[id, use] : waits)
    if (haveCommon(use.written, posted)) {
      if (use.isTaking() || isSharing(use))
        symbols.functions[id].known = &(use.isTaking() ? kTakes : kShares)[use.parameter];
      else if (haveCommon(use.written, use.waited))
        symbols.functions[id].known = &kWaits[use.parameter];
    }
  for (const auto &[id, use] : posts)
    if (isOfLock(use) || haveCommon(use.written, waited))
      symbols.functions[id].known = &(isOfLock(use) ? kGives : kPosts)[use.parameter];
}

} // namespace deadheat::link
