#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/StringRef.h"

#include "link/definitions.h"
#include "link/field_names.h"
#include "link/thread_finder.h"

namespace deadheat::link {

namespace {

constexpr int kMaxCallsOut = 2; // from who starts to its callers

constexpr int64_t kHeader = 8; // bytes of the pointer to the table of virtual functions

using model::Operand;
using model::Statement;
using model::StatementKind;

// Judges the argument of one start, in the function that has it.
class Judge {
public:
  Judge(const ThreadInput &input, const Often &often, CallSiteId site, int callsOut = 0)
      : input_(input), often_(often), callsOut_(callsOut), site_(input.calls.sites[site]),
        definitions_(input.code, site_.caller), loops_(findLoops(input.code, site_.caller)),
        unit_(input.code.unitOf(site_.caller)) {}

  // The address of an element chosen by the loop, or a pointer that the loop moves on.
  bool isIndexed(Operand operand) { return isIndexed(operand, here()); }
  bool isIndexed(Operand operand, uint32_t loop) {
    for (int steps = 0; operand.isValue() && steps < kMaxSteps; ++steps) {
      const Statement *made = definitions_.of(operand.value());
      if (!made) return false;
      if (Element element = elementOf(input_.code, site_.unit, *made); element.index.isValue())
        return changes(element.index, loop);
      if (made->kind == StatementKind::Phi) return moves(operand.value(), loop);
      if (made->kind == StatementKind::Call) {
        LibraryCall library = libraryCall(*made);
        if (isElementOfRound(library, loop)) return true;
        operand = library.isPassed ? library.object : Operand();
        continue;
      }
      if (made->kind != StatementKind::Copy && made->kind != StatementKind::Field) return false;
      operand = made->a;
    }
    return false;
  }

  // No pointer, but the number of the round, or one that was computed from it.
  bool isNumber(Operand operand) { return changes(operand, here()); }

  // Bytes of objects, whichever, in which the loop around the start keeps the number of the round: of the argument, mostly.
  // `header`: what the library has there before the user's object, where its code is part of the function.
  void addNumbers(int64_t header, std::vector<int64_t> &numbers) {
    if (here() == Loops::kNone) return;
    input_.code.forEachStatement(
        site_.caller, [&](model::BlockId block, model::StatementId, const Statement &statement) {
          if (statement.kind != StatementKind::Store || loops_.innermost[blockOf(block)] != here()) return;
          if (!isMadeBy(definitions_.strip(statement.b), StatementKind::Phi) || !changes(statement.b, here())) return;
          int64_t offset = originOf(definitions_, statement.a).offset;
          for (int64_t byte : {offset, offset - header}) {
            auto place = std::ranges::lower_bound(numbers, byte);
            if (byte >= 0 && (place == numbers.end() || *place != byte)) numbers.insert(place, byte);
          }
        });
  }

  int64_t offsetOf(Operand operand) const { return originOf(definitions_, operand).offset; }

  // A block that the same iteration allocated.
  bool isAllocated(const std::vector<ObjectId> &objects) {
    return !objects.empty() && std::ranges::all_of(objects, [&](ObjectId id) {
      return isMadeInRound(input_.pointsTo.objects()[id], here());
    });
  }

  // Likewise, in a function that returns it: the block is one of its callers' then.
  bool isReturnedBlock(Operand argument) const {
    Operand base = originOf(definitions_, argument).base;
    if (!isMadeBy(base, StatementKind::Call) || loopOf(base.value()) != here()) return false;
    model::CallId call(static_cast<uint32_t>(definitions_.of(base.value())->number));
    return input_.wrappers.inner[input_.calls.site(site_.unit, call).value()];
  }

  // The handle goes into the object: one that gets another thread has lost the one before.
  bool keepsHandle(Operand object, Operand handle) {
    const Origin given = originOf(definitions_, object);
    if (!given.base.isValue() || isMadeBy(given.base, StatementKind::Stack) || isOutside(given.base)) return false;
    if (isKeptIn(given, handle)) return true;
    bool isKept = false;
    input_.code.forEachStatement(site_.caller, [&](model::BlockId, model::StatementId, const Statement &statement) {
      bool isMoved = statement.kind == StatementKind::Transfer || statement.kind == StatementKind::Store;
      if (isMoved && definitions_.strip(statement.b) == definitions_.strip(handle))
        isKept |= isKeptIn(given, statement.a);
      if (statement.kind == StatementKind::Call) isKept |= isAssigned(statement, given, handle);
    });
    return isKept;
  }

  // Every pointer that the call gets, in slots of the stack or in a block that was made for it, is to an element that the
  // loop chooses, or to an object that keeps the handle. What the handle's own slot holds is no argument.
  bool givesElements(const model::Call &call, Operand handle) {
    bool found = false;
    std::vector<Operand> holders;
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      Operand given = definitions_.strip(argumentOf(unit_, call, static_cast<int>(i)));
      if (given != definitions_.strip(handle)) holders.push_back(given);
    }
    for (size_t next = 0; next < holders.size() && next < kMaxHolders; ++next)
      for (Operand value : storedIn(holders[next])) {
        if (!value.isValue() || isCode(value) || !input_.pointsTo.of(site_.caller, value).valid()) continue;
        if (isIndexed(value) || (handle.isValue() && keepsHandle(value, handle)))
          found = true;
        else if (isMadeBy(value, StatementKind::Call))
          holders.push_back(value);
        else
          return false;
      }
    return found;
  }

  // Objects of which each thread gets another one than those that the same loop starts, or another element, by one pointer, and no pointer to
  // others of it. `given`: what it is started with, or records of its own that hold that; the loop that fills them in may be one before the start.
  std::vector<ObjectId> elementsIn(const std::vector<Operand> &given) {
    std::map<ObjectId, Operand> elements;
    std::set<ObjectId> others;
    std::vector<Operand> holders;
    auto add = [&](Operand value, uint32_t loop) {
      const Places places = input_.pointsTo.places(input_.pointsTo.of(site_.caller, value));
      const bool isOwn = places.complete && isOfRound(value, places, loop);
      if (isMadeBy(value, StatementKind::Call) && !isIndexed(value, loop)) holders.push_back(value);
      for (const Place &place : places.list)
        if (!isOwn || elements.try_emplace(place.object, value).first->second != value) others.insert(place.object);
    };
    for (Operand each : given) {
      holders.push_back(originOf(definitions_, each).base);
      if (isFound(each, here())) add(definitions_.strip(each), here());
    }
    for (size_t next = 0; next < holders.size() && next < kMaxHolders; ++next)
      for (const Kept &kept : keptIn(holders[next])) add(kept.value, kept.loop);
    std::vector<ObjectId> found;
    for (const auto &[object, pointer] : elements)
      if (!others.contains(object)) found.push_back(object);
    return found;
  }

  std::vector<Operand> argumentsOf(const model::Call &call) const {
    std::vector<Operand> arguments;
    for (uint32_t i = 0; i < call.argumentCount; ++i) arguments.push_back(argumentOf(unit_, call, static_cast<int>(i)));
    return arguments;
  }

  // Where a call of the library that makes a thread leaves it, if that is a place of this function's own.
  Operand madeInto(const model::Call &call, const Statement &statement) {
    if (statement.result.valid()) return Operand::value(statement.result);
    Operand first = definitions_.strip(argumentOf(unit_, call, 0));
    return isMadeBy(first, StatementKind::Stack) ? first : Operand();
  }

private:
  static constexpr int kMaxSteps = 16;

  // A call of the library that leads from one object to another.
  struct LibraryCall {
    llvm::StringRef name; // empty: it is another call
    Operand object;       // its first argument
    Operand index;        // its second one
    bool isPassed = false;
  };

  LibraryCall libraryCall(const Statement &statement) const {
    static constexpr llvm::StringLiteral kPassing[] = {" std::ref<", " std::addressof<", " std::forward<",
                                                       " std::move<"};
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = input_.code.directCallee(site_.unit, call);
    if (!callee.valid() || (input_.code.function(callee).flags & model::kLibrary) == 0) return {};
    llvm::StringRef name = input_.code.function(callee).display;
    bool isPassed = std::ranges::any_of(kPassing, [&](llvm::StringRef each) { return name.contains(each); }) ||
                    (name.starts_with("std::unique_ptr<") && name.contains("::get("));
    return {name, definitions_.strip(argumentOf(unit_, call, 0)), argumentOf(unit_, call, 1), isPassed};
  }

  // `all[i]`, `*each` of an iterator that the loop moves on, `all.back()` where it adds to `all`.
  bool isElementOfRound(const LibraryCall &call, uint32_t loop) {
    if (call.name.contains("::operator[](") || call.name.contains("::at(")) return changes(call.index, loop);
    if (call.name.contains("::emplace_back<") || call.name.contains("::emplace_back(")) return true;
    if (call.name.contains("_iterator<") && call.name.contains("::operator*("))
      return hasInRound({"::operator++("}, call.object, loop);
    return call.name.contains("::back(") && hasInRound({"::push_back(", "::emplace_back"}, call.object, loop);
  }

  // The loop calls such a member of the object.
  bool hasInRound(std::initializer_list<llvm::StringRef> members, Operand object, uint32_t loop) const {
    bool found = false;
    input_.code.forEachStatement(
        site_.caller, [&](model::BlockId block, model::StatementId, const Statement &statement) {
          if (found || statement.kind != StatementKind::Call || loop == Loops::kNone) return;
          if (loops_.innermost[blockOf(block)] != loop) return;
          LibraryCall call = libraryCall(statement);
          found = call.object == object &&
                  std::ranges::any_of(members, [&](llvm::StringRef member) { return call.name.contains(member); });
        });
    return found;
  }

  // `object.thread = made` and `object.thread.reset(made)`, as calls of the library.
  bool isAssigned(const Statement &statement, const Origin &object, Operand handle) const {
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = input_.code.directCallee(site_.unit, call);
    if (!callee.valid() || call.argumentCount != 2) return false;
    const Function &called = input_.code.function(callee);
    if ((called.flags & model::kLibrary) == 0 && !called.display.starts_with("std::")) return false;
    if (!llvm::StringRef(called.display).contains("::operator=(") &&
        !llvm::StringRef(called.display).contains("::reset("))
      return false;
    return isKeptIn(object, argumentOf(unit_, call, 0)) &&
           definitions_.strip(argumentOf(unit_, call, 1)) == definitions_.strip(handle);
  }

  static constexpr size_t kMaxHolders = 16;

  // The place is one for the whole object: an array of the object has room for the handles of many threads.
  bool isKeptIn(const Origin &object, Operand place) const {
    const Origin kept = originOf(definitions_, place);
    return kept.base == object.base && (object.indexed || !kept.indexed);
  }

  // The loop around the start has the same one in all its rounds.
  bool isOutside(Operand base) const {
    return here() != Loops::kNone && (!definitions_.of(base.value()) || loopOf(base.value()) != here());
  }

  bool isMadeBy(Operand value, StatementKind kind) const {
    const Statement *made = value.isValue() ? definitions_.of(value.value()) : nullptr;
    return made && made->kind == kind;
  }

  // A function, or a vtable.
  bool isCode(Operand value) const {
    Operand base = originOf(definitions_, value).base;
    if (!base.isSymbol()) return false;
    const model::Symbol &symbol = unit_.symbols[base.symbol()];
    return symbol.kind == model::SymbolKind::Function || unit_.strings[symbol.name].starts_with("_ZTV");
  }

  // Found in an element that the loop chooses: `all[i]`, `(*each).get()`.
  bool isFound(Operand value, uint32_t loop) {
    value = definitions_.strip(value);
    const Statement *made = value.isValue() ? definitions_.of(value.value()) : nullptr;
    if (!made) return false;
    if (made->kind == StatementKind::Load) return isIndexed(made->a, loop);
    if (made->kind != StatementKind::Call) return false;
    const LibraryCall call = libraryCall(*made);
    return call.name.starts_with("std::unique_ptr<") && isIndexed(call.object, loop);
  }

  // An element that the loop chooses, or one of many blocks, made in its round or found in such an element.
  bool isOfRound(Operand value, const Places &places, uint32_t loop) {
    const bool isFoundThere = isFound(value, loop);
    if (!isFoundThere && isIndexed(value, loop)) return true;
    return !places.list.empty() && std::ranges::all_of(places.list, [&](const Place &place) {
      const Object &object = input_.pointsTo.objects()[place.object];
      if (!isFoundThere) return loop != Loops::kNone && isMadeInRound(object, loop);
      return object.kind == ObjectKind::Heap && object.call.valid() && often_.site(object.call, input_.calls) > 1;
    });
  }

  bool isMadeInRound(const Object &object, uint32_t loop) const {
    if (object.kind != ObjectKind::Heap || object.function != site_.caller || !object.call.valid()) return false;
    return loops_.innermost[blockOf(input_.calls.sites[object.call].block)] == loop;
  }

  std::vector<Operand> storedIn(Operand holder) const {
    std::vector<Operand> found;
    if (!isMadeBy(holder, StatementKind::Stack) && !isMadeBy(holder, StatementKind::Call)) return found;
    for (const Kept &kept : keptIn(holder)) found.push_back(kept.value);
    return found;
  }

  struct Kept {
    Operand value;
    uint32_t loop; // in which it is stored
  };
  std::vector<Kept> keptIn(Operand holder) const {
    std::vector<Kept> found;
    input_.code.forEachStatement(
        site_.caller, [&](model::BlockId block, model::StatementId, const Statement &statement) {
          if (statement.kind == StatementKind::Store && originOf(definitions_, statement.a).base == holder)
            found.push_back({definitions_.strip(statement.b), loops_.innermost[blockOf(block)]});
        });
    return found;
  }

  uint32_t blockOf(model::BlockId block) const { return input_.code.blockOf(site_.caller, block); }
  uint32_t here() const { return loops_.innermost[blockOf(site_.block)]; }

  uint32_t loopOf(model::ValueId value) const {
    return loops_.innermost[input_.code.blockOf(site_.caller, definitions_.statementOf(value))];
  }

  // What the function gets from the one place that calls it, in a loop that has another one in each iteration: `for (i...) start(i);`.
  bool isGivenInRounds(model::ValueId value, uint32_t loop) const {
    auto callers = input_.calls.callers[site_.caller];
    if (loop != Loops::kNone || value.value() >= input_.code.bodyOf(site_.caller).parameterCount) return false;
    if (callers.size() != 1 || !callsOut_) return false;
    const CallSite &outer = input_.calls.sites[callers[0]];
    const model::Unit &unit = input_.code.unit(outer.unit);
    const model::Call &call = unit.calls[outer.call];
    if (input_.code.directCallee(outer.unit, call) != site_.caller) return false;
    Judge judge(input_, often_, callers[0], callsOut_ - 1);
    return judge.isNumber(argumentOf(unit, call, static_cast<int>(value.value())));
  }

  // Computed from a value that each iteration of the loop has another of.
  bool changes(Operand operand, uint32_t loop) {
    for (int steps = 0; operand.isValue() && steps < kMaxSteps; ++steps) {
      const Statement *made = definitions_.of(operand.value());
      if (!made) return isGivenInRounds(operand.value(), loop);
      if (made->kind == StatementKind::Phi) return loopOf(operand.value()) == loop && loop != Loops::kNone;
      if (made->kind != StatementKind::Copy && made->kind != StatementKind::Compute) return false;
      if (made->kind == StatementKind::Compute && made->number == model::kFolds)
        return false; // two rounds may have one
      operand = made->a.isValue() ? made->a : made->b;
    }
    return false;
  }

  bool moves(model::ValueId phi, uint32_t loop) {
    if (loopOf(phi) != loop || loop == Loops::kNone) return false;
    bool found = false;
    definitions_.forEachSource(phi, [&](Operand source) {
      const Statement *made = source.isValue() ? definitions_.of(source.value()) : nullptr;
      if (made && (made->kind == StatementKind::Field || made->kind == StatementKind::Index))
        found |= made->a == Operand::value(phi) && (made->number != 0);
    });
    return found;
  }

  const ThreadInput &input_;
  const Often &often_;
  int callsOut_; // to callers that may still be looked at
  const CallSite &site_;
  Definitions definitions_;
  Loops loops_;
  const model::Unit &unit_;
};

// None: not all are known.
std::vector<ObjectId> objectsAt(const PointsTo &pointsTo, Location where) {
  const Places places = pointsTo.places(where);
  std::vector<ObjectId> objects;
  if (places.complete)
    for (const Place &place : places.list) objects.push_back(place.object);
  return objects;
}

// Among those that one call of the creator starts.
DistinctWhy judge(const ThreadInput &input, const Often &often, const Entered &row, const Thread &thread) {
  if (!thread.many) return DistinctWhy::OneInstance;
  if (row.row->has(knowledge::kMany)) return DistinctWhy::Not;
  const CallSite &site = input.calls.sites[row.site];
  const model::Unit &unit = input.code.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  if (row.row->entryIs == knowledge::Entry::Virtual) return DistinctWhy::Allocated; // the library's own, one each
  int index = row.row->entryIs == knowledge::Entry::Member ? row.row->entry : row.row->argument;
  if (index < 0 || static_cast<uint32_t>(index) >= call.argumentCount) return DistinctWhy::Not;
  Operand argument = unit.arguments[model::ArgumentId(call.firstArgument.value() + index)].value;
  const std::vector<ObjectId> objects = objectsAt(input.pointsTo, row.argument);
  Judge judge(input, often, row.site);
  if (judge.isAllocated(objects) || judge.isReturnedBlock(argument)) return DistinctWhy::Allocated;
  if (judge.isIndexed(argument)) return DistinctWhy::Indexed;
  Operand handle = argumentOf(unit, call, row.row->object);
  if (handle.isValue() && judge.keepsHandle(argument, handle)) return DistinctWhy::Allocated;
  return objects.empty() && judge.isNumber(argument) ? DistinctWhy::Numbered : DistinctWhy::Not;
}

std::optional<int64_t> numberGiven(const ThreadInput &input, const Entered &row) {
  if (row.row->entryIs != knowledge::Entry::Pointer || row.row->argument < 0) return std::nullopt;
  const CallSite &site = input.calls.sites[row.site];
  const model::Unit &unit = input.code.unit(site.unit);
  Operand argument = argumentOf(unit, unit.calls[site.call], row.row->argument);
  return argument.isNumber() ? std::optional(argument.index) : std::nullopt;
}

// Where the user's code calls into the library that starts the thread.
std::vector<CallSiteId> usersStarts(const ThreadInput &input, CallSiteId start) {
  constexpr size_t kMaxFunctions = 64;
  std::vector<CallSiteId> found;
  std::vector<CallSiteId> pending{start};
  std::vector<FuncId> seen;
  while (!pending.empty() && seen.size() < kMaxFunctions) {
    CallSiteId site = pending.back();
    pending.pop_back();
    FuncId caller = input.calls.sites[site].caller;
    if (!caller.valid()) continue;
    if ((input.code.function(caller).flags & model::kLibrary) == 0) {
      if (std::ranges::find(found, site) == found.end()) found.push_back(site);
      continue;
    }
    if (std::ranges::find(seen, caller) != seen.end()) continue;
    seen.push_back(caller);
    auto callers = input.calls.callers[caller];
    pending.insert(pending.end(), callers.begin(), callers.end());
  }
  std::ranges::sort(found);
  return found;
}

void judgeUsersStarts(const ThreadInput &input, const Often &often, const Entered &row, Thread &thread) {
  thread.usersStarts = usersStarts(input, row.site);
  thread.ownPointers = !thread.usersStarts.empty() && std::ranges::all_of(thread.usersStarts, [&](CallSiteId site) {
    const CallSite &where = input.calls.sites[site];
    const model::Unit &unit = input.code.unit(where.unit);
    const model::Call &call = unit.calls[where.call];
    Judge judge(input, often, site);
    Operand handle = site == row.site ? argumentOf(unit, call, row.row->object) : Operand();
    if (!handle.isValue()) handle = judge.madeInto(call, unit.statements[where.statement]);
    return judge.givesElements(call, handle);
  });
}

// What a function gets that the library's code is given to call: std::async's own record, in which it keeps what the task gets.
void judgeChosen(const ThreadInput &input, const Often &often, const Entered &row, Thread &thread) {
  if (!thread.many || !row.handed.isValue()) return;
  Judge judge(input, often, row.site);
  if (!judge.isAllocated(objectsAt(input.pointsTo, thread.argument))) return;
  thread.withinCall = thread.distinct = DistinctWhy::Allocated;
  judge.addNumbers(judge.offsetOf(row.handed), thread.numbers);
}

// Two places that start it may give out the same elements.
std::vector<ObjectId> elementsGiven(const ThreadInput &input, const Often &often, const Entered &row) {
  const bool isLibrarys = row.through.valid() || row.row->entryIs == knowledge::Entry::Virtual;
  const std::vector<CallSiteId> starts = isLibrarys ? usersStarts(input, row.site) : std::vector{row.site};
  if (starts.size() != 1) return {};
  const CallSite &site = input.calls.sites[starts[0]];
  Judge judge(input, often, starts[0], kMaxCallsOut);
  return judge.elementsIn(judge.argumentsOf(input.code.unit(site.unit).calls[site.call]));
}

} // namespace

bool isElementOf(const Thread &thread, const PointsTo &pointsTo, Location where) {
  if (thread.elements.empty() || !where.valid()) return false;
  const Places places = pointsTo.places(where);
  return places.complete && !places.list.empty() && std::ranges::all_of(places.list, [&](const Place &place) {
           return std::ranges::binary_search(thread.elements, place.object);
         });
}

void judgeArguments(const ThreadInput &input, FoundThreads &found) {
  for (size_t i = 0; i < input.entered.size(); ++i)
    for (ThreadId id : found.startedAt[i]) {
      Thread &thread = found.threads.list[id];
      if (thread.createdAt != input.entered[i].site) continue; // armed at several places
      const Entered &row = input.entered[i];
      thread.elements = elementsGiven(input, found.often, row);
      if (row.through.valid()) { // the record is the library's, not the entry's
        judgeChosen(input, found.often, row, thread);
        continue;
      }
      thread.withinCall = judge(input, found.often, row, thread);
      thread.number = numberGiven(input, row);
      bool isOneCall = found.often.function[input.calls.sites[row.site].caller.value()] == 1;
      bool needsOneCall = thread.withinCall == DistinctWhy::Indexed || thread.withinCall == DistinctWhy::Numbered;
      thread.distinct = needsOneCall && !isOneCall ? DistinctWhy::Not : thread.withinCall;
      if (row.row->entryIs == knowledge::Entry::Virtual && thread.many)
        judgeUsersStarts(input, found.often, row, thread);
      if (thread.withinCall == DistinctWhy::Indexed || thread.withinCall == DistinctWhy::Allocated) {
        int64_t header = row.row->entryIs == knowledge::Entry::Virtual ? kHeader : 0;
        Judge(input, found.often, row.site).addNumbers(header, thread.numbers);
        for (CallSiteId site : thread.usersStarts) Judge(input, found.often, site).addNumbers(header, thread.numbers);
      }
    }
}

} // namespace deadheat::link
