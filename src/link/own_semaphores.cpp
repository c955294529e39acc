#include "link/own_semaphores.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Row;
using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr int kMaxParameter = 3;

constexpr Row rowOf(Action action, signed char object) {
  return {.name = "semaphore of the program", .action = action, .object = object, .kind = knowledge::Kind::Semaphore};
}

// By parameter.
constexpr Row kWaits[] = {rowOf(Action::Wait, 0), rowOf(Action::Wait, 1), rowOf(Action::Wait, 2)};
constexpr Row kPosts[] = {rowOf(Action::Post, 0), rowOf(Action::Post, 1), rowOf(Action::Post, 2)};

// What a function does to the number of a semaphore.
struct Use {
  int parameter = -1;
  std::set<std::string>
      members; // of what it points to, in the words of accesses; those that it writes, and waits for if it waits
};

class Judge {
public:
  Judge(const Code &code, FuncId id)
      : code_(code), id_(id), unit_(code.unitOf(id)), body_(code.bodyOf(id)), definitions_(code, id) {}

  // It waits until a member of its parameter says something, and writes that.
  std::optional<Use> waiting() const {
    std::optional<Use> use = writing(Action::ConditionWait);
    if (!use) return {};
    const std::set<std::string> tested = testedInWait(use->parameter);
    std::erase_if(use->members, [&](const std::string &member) { return !tested.contains(member); });
    return use->members.empty() ? std::nullopt : use;
  }

  std::optional<Use> posting() const {
    std::optional<Use> use = writing(Action::Signal);
    return use ? use : writing(Action::Broadcast);
  }

private:
  // What it writes, if it calls only what synchronises, one of these does `action`, and all is about one parameter.
  std::optional<Use> writing(Action action) const {
    Use use;
    bool does = false, only = true;
    code_.forEachStatement(id_, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind == StatementKind::Call) {
        const Row *row = nullptr;
        only = only && isHarmless(statement, row);
        does = does || (row && row->action == action);
        // What waits does not post.
        only = only && !(row && row->action == Action::ConditionWait && action != Action::ConditionWait);
      }
      if (statement.kind == StatementKind::Return) only = only && !isRead(statement.a);
      if (statement.kind != StatementKind::Store) {
        only = only && statement.kind != StatementKind::Transfer && statement.kind != StatementKind::Fill;
        return;
      }
      const int parameter = parameterOf(statement.a);
      only = only && isCounted(statement.b) && parameter >= 0 && statement.site.valid() &&
             (use.parameter < 0 || use.parameter == parameter);
      if (!only) return;
      use.parameter = parameter;
      use.members.insert(memberAt(statement.site));
    });
    const bool isOne = does && only && use.parameter >= 0 && use.parameter < kMaxParameter;
    return isOne ? std::optional(use) : std::nullopt;
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

  bool isHarmless(const Statement &statement, const Row *&row) const {
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = code_.directCallee(code_.function(id_).unit, call);
    if (!callee.valid()) return false;
    static constexpr Action kSynchronises[] = {Action::Acquire, Action::Release, Action::ConditionWait, Action::Signal,
                                               Action::Broadcast};
    row = code_.function(callee).known;
    if (row)
      return std::ranges::find(kSynchronises, row->action) != std::end(kSynchronises) ||
             (call.flags & model::kNoReturn);
    return code_.function(callee).external();
  }

  // Of tests on whose ways out a loop with a wait is left.
  std::set<std::string> testedInWait(int parameter) const {
    const Loops loops = findLoops(code_, id_);
    std::set<uint32_t> waiting; // loops
    code_.forEachStatement(id_, [&](model::BlockId block, model::StatementId, const Statement &statement) {
      const Row *row = nullptr;
      if (statement.kind == StatementKind::Call && isHarmless(statement, row) && row &&
          row->action == Action::ConditionWait)
        waiting.insert(loops.innermost[block.value() - body_.firstBlock.value()]);
    });
    waiting.erase(Loops::kNone);
    std::set<std::string> tested;
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

  // The parameter into which the address points; -1: none.
  int parameterOf(Operand address) const {
    for (const Statement *made = madeBy(address); made && made->kind == StatementKind::Field; made = madeBy(address))
      address = made->a;
    return definitions_.parameter(address);
  }

  std::string memberAt(model::SiteId site) const {
    const model::Site &row = unit_.sites[site];
    return std::string(unit_.strings[row.type]) + "." + std::string(unit_.strings[row.field]);
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

} // namespace

void adoptSemaphores(const std::vector<model::LinkedUnit> &units, Symbols &symbols) {
  const Code code{units, symbols};
  std::map<FuncId, Use> waits, posts;
  std::set<std::string> waited, posted;
  code.forEachFunction([&](FuncId id) {
    if (code.function(id).external() || code.function(id).known) return;
    if (!callsAny(code, id, {Action::ConditionWait, Action::Signal, Action::Broadcast})) return;
    Judge judge(code, id);
    if (std::optional<Use> use = judge.waiting()) {
      waited.insert(use->members.begin(), use->members.end());
      waits.emplace(id, std::move(*use));
    } else if (std::optional<Use> post = judge.posting()) {
      posted.insert(post->members.begin(), post->members.end());
      posts.emplace(id, std::move(*post));
    }
  });
  auto adopt = [&](const std::map<FuncId, Use> &uses, const std::set<std::string> &others, const Row *rows) {
    for (const auto &[id, use] : uses)
      if (std::ranges::any_of(use.members, [&](const std::string &member) { return others.contains(member); }))
        symbols.functions[id].known = &rows[use.parameter];
  };
  adopt(waits, posted, kWaits);
  adopt(posts, waited, kPosts);
}

} // namespace deadheat::link
