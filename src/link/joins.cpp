#include "link/joins.h"

#include <algorithm>
#include <tuple>

#include "link/definitions.h"
#include "link/field_names.h"
#include "link/moved_handles.h"

namespace deadheat::link {

constexpr size_t kMaxMoves = 8; // of a handle, in the function that starts the thread

// Functions that return the handle of who calls them.
constexpr std::string_view kOwnHandles[] = {"pthread_self", "thrd_current"};

std::string lastMember(std::string_view words) {
  std::string_view suffix;
  if (words.ends_with(']')) {
    words = words.substr(0, words.rfind('['));
    suffix = "[]";
  }
  size_t cut = words.find_last_of(">.");
  std::string_view name = cut == std::string_view::npos ? words : words.substr(cut + 1);
  if (name.empty() || name.find_first_of("*&()[]{}@? ") != std::string_view::npos) return {};
  return std::string(name) + std::string(suffix);
}

const knowledge::Row *joinOf(const ThreadInput &input, FuncId callee) {
  const knowledge::Row *row = input.code.function(callee).known;
  bool isJoin = row && row->action == knowledge::Action::Join && !row->has(knowledge::kTry);
  return isJoin ? row : input.wrappers.joins[callee.value()];
}

model::Operand Joins::handleOf(CallSiteId site, const knowledge::Row &row) const {
  const CallSite &where = input_.calls.sites[site];
  const model::Unit &unit = input_.code.unit(where.unit);
  return argumentOf(unit, unit.calls[where.call], row.object);
}

// The destructor of a task's shared state joins its thread; but who gives up a reference to it is seldom the last.
static bool isDroppedTask(const Function &function) {
  return function.display.find("::~_Async_state_impl()") != std::string::npos;
}

ThreadBits Joins::of(CallSiteId site, const knowledge::Row &row) const {
  if (isDroppedTask(input_.code.function(input_.calls.sites[site].caller))) return {};
  model::Operand operand = handleOf(site, row);
  Location handle = input_.pointsTo.of(input_.calls.sites[site].caller, operand);
  ThreadBits joined = row.has(knowledge::kByAddress) ? startedInto(handle) : ThreadBits();
  if (joined.empty()) joined = heldIn(row.has(knowledge::kByAddress) ? input_.pointsTo.content(handle) : handle);
  const bool isNarrowed = joined.count() > 1 && !isElement(site, operand);
  if (!row.has(knowledge::kByAddress) && (joined.empty() || isNarrowed))
    if (ThreadBits named = heldUnderName(site, operand); !named.empty()) joined = named;
  if (joined.empty()) joined = heldAsOwn(site, operand);
  addCopies(joined);
  return joined;
}

bool Joins::isMovedAway(CallSiteId site, const knowledge::Row &row) const {
  if (!row.has(knowledge::kByAddress)) return false;
  const CallSite &join = input_.calls.sites[site];
  std::vector<StartInto> starts;
  for (const Entered &entered : input_.entered)
    if (const CallSite &start = input_.calls.sites[entered.site];
        start.caller == join.caller && entered.row->object >= 0 && entered.row->has(knowledge::kByAddress))
      starts.push_back({start.statement, handleOf(entered.site, *entered.row)});
  return joinsNothingNew(input_.code, join, handleOf(site, row), starts);
}

// A start in the source is several where the library was inlined: `emplace_back` has one for when the vector grows.
void Joins::addCopies(ThreadBits &joined) const {
  auto startOf = [&](const Thread &thread) {
    const CallSite &site = input_.calls.sites[thread.createdAt];
    const model::Call &call = input_.code.unit(site.unit).calls[site.call];
    return std::tuple(site.caller, call.file, call.line, call.column);
  };
  ThreadBits known = joined;
  for (uint32_t t = 0; t < found_.threads.list.size(); ++t) {
    const Thread &thread = found_.threads.list[ThreadId(t)];
    if (!thread.createdAt.valid() || (thread.many && !isByOne(thread))) continue;
    for (uint32_t other : known) {
      const Thread &ended = found_.threads.list[ThreadId(other)];
      if (ended.createdAt.valid() && ended.entries == thread.entries && startOf(ended) == startOf(thread))
        joined.set(t);
    }
  }
}

// No call of the function overlaps another one.
bool Joins::isByOneAtATime(FuncId function) const {
  if (found_.often.function[function.value()] == 1) return true;
  return !input_.calls.recursive[input_.calls.componentOf[function.value()].value()] && onlyOne(function).valid();
}

// One of an array may be that of another round.
bool Joins::isOnePerRound(CallSiteId site, model::Operand handle, const ThreadBits &joined) const {
  const CallSite &where = input_.calls.sites[site];
  if (!isByOneAtATime(where.caller)) return false;
  Definitions definitions(input_.code, where.caller);
  handle = definitions.strip(handle);
  const model::Statement *read = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  bool isLoad = read && read->kind == model::StatementKind::Load;
  if (originOf(definitions, isLoad ? read->a : handle).indexed) return false;
  Loops loops = findLoops(input_.code, where.caller);
  auto loopOf = [&](const CallSite &call) { return loops.innermost[input_.code.blockOf(where.caller, call.block)]; };
  for (uint32_t t : joined) {
    CallSiteId createdAt = found_.threads.list[ThreadId(t)].createdAt;
    if (!createdAt.valid()) return false;
    const CallSite &start = input_.calls.sites[createdAt];
    if (start.caller != where.caller || loopOf(start) != loopOf(where)) return false;
  }
  return true;
}

// The handle is in a variable of the call, and one start of the function, in the same loop, has put it there: whoever executes it at the same
// time has a variable of its own.
ThreadBits Joins::ofCall(CallSiteId site, const knowledge::Row &row) const {
  const CallSite &where = input_.calls.sites[site];
  Definitions definitions(input_.code, where.caller);
  const model::Operand handle = definitions.strip(handleOf(site, row));
  const model::Statement *read = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  const bool isLoad = read && read->kind == model::StatementKind::Load;
  const Origin origin = originOf(definitions, isLoad ? read->a : handle);
  const model::Statement *variable = origin.base.isValue() ? definitions.of(origin.base.value()) : nullptr;
  if (origin.indexed || !variable || variable->kind != model::StatementKind::Stack) return {};
  const Loops loops = findLoops(input_.code, where.caller);
  const uint32_t first = input_.code.bodyOf(where.caller).firstBlock.value();
  CallSiteId started;
  for (const Entered &entered : input_.entered) {
    const CallSite &start = input_.calls.sites[entered.site];
    if (start.caller != where.caller || entered.row->object < 0) continue;
    const Origin kept = originOf(definitions, handleOf(entered.site, *entered.row));
    if (kept.base != origin.base || kept.offset != origin.offset || kept.indexed) continue;
    const bool isOther = started.valid() && started != entered.site;
    if (isOther || loops.innermost[start.block.value() - first] != loops.innermost[where.block.value() - first])
      return {};
    started = entered.site;
  }
  ThreadBits found;
  for (uint32_t t = 0; started.valid() && t < found_.threads.list.size(); ++t)
    if (isStartedBy(found_.threads.list[ThreadId(t)], started)) found.set(t);
  return found;
}

// One of an array that the first parameter has, or has a pointer to.
bool Joins::isElementOfFirst(FuncId function, model::Operand address) const {
  Definitions definitions(input_.code, function);
  Origin origin = originOf(definitions, address);
  if (!origin.indexed) return false;
  const model::Statement *read = origin.base.isValue() ? definitions.of(origin.base.value()) : nullptr;
  if (read && read->kind == model::StatementKind::Load) origin = originOf(definitions, read->a);
  return definitions.parameter(origin.base) == 0;
}

ThreadBits Joins::ofObject(CallSiteId site, const knowledge::Row &row) const {
  const CallSite &where = input_.calls.sites[site];
  Definitions definitions(input_.code, where.caller);
  const model::Operand handle = definitions.strip(handleOf(site, row));
  const model::Statement *read = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  const bool isLoad = read && read->kind == model::StatementKind::Load && read->site.valid();
  if (!isLoad || !isElementOfFirst(where.caller, read->a)) return {};
  const Loops loops = findLoops(input_.code, where.caller);
  if (loops.innermost[input_.code.blockOf(where.caller, where.block)] == Loops::kNone) return {};
  const model::Unit &unit = input_.code.unit(where.unit);
  const std::string name = lastMember(unit.strings[unit.sites[read->site].path]);
  const Location readFrom = input_.pointsTo.of(where.caller, read->a);
  ThreadBits found;
  for (size_t i = 0; i < input_.entered.size() && !name.empty(); ++i) {
    const Entered &entered = input_.entered[i];
    if (found_.startedAt[i].empty()) continue;
    const Named kept = keptUnder(entered);
    if (lastMember(kept.words) != name || !input_.pointsTo.mayAlias(readFrom, kept.place)) continue;
    if (!isElementOfFirst(input_.calls.sites[entered.site].caller, handleOf(entered.site, *entered.row))) return {};
    for (ThreadId id : found_.startedAt[i]) found.set(id.value());
  }
  return found;
}

// Where the function puts what it finds in `from`.
template <typename Visit>
static void forEachMove(const Code &code, FuncId function, const Definitions &definitions, model::Operand from,
                        Visit visit) {
  auto isThere = [&](model::Operand address) { return definitions.strip(address) == from; };
  auto isRead = [&](model::Operand value) {
    const model::Statement *made = value.isValue() ? definitions.of(value.value()) : nullptr;
    return made && made->kind == model::StatementKind::Load && isThere(made->a);
  };
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    const bool isMoved = statement.kind == model::StatementKind::Transfer && isThere(statement.b);
    const bool isStored = statement.kind == model::StatementKind::Store && isRead(definitions.strip(statement.b));
    if (isMoved || isStored) visit(definitions.strip(statement.a));
  });
}

// Where a start leaves the handle, and where its function moves it from there: `thread_ = std::thread(f)`.
std::vector<Place> Joins::writtenBy(const Entered &row) const {
  std::vector<Place> written = input_.pointsTo.places(row.handle).list;
  const CallSite &start = input_.calls.sites[row.site];
  if (row.row->entryIs != knowledge::Entry::Virtual || !start.caller.valid()) return written;
  Definitions definitions(input_.code, start.caller);
  std::vector<model::Operand> holders{definitions.strip(handleOf(row.site, *row.row))};
  for (size_t next = 0; next < holders.size() && next < kMaxMoves; ++next)
    forEachMove(input_.code, start.caller, definitions, holders[next], [&](model::Operand to) {
      if (std::ranges::find(holders, to) != holders.end()) return;
      holders.push_back(to);
      std::ranges::copy(input_.pointsTo.places(input_.pointsTo.of(start.caller, to)).list, std::back_inserter(written));
    });
  for (const Place &place : std::vector(written)) addHandedOn(place, start.caller, written);
  std::ranges::sort(written);
  return written;
}

// A handle that a function returns: its caller hands it to the library, `threads.push_back(start())`, `thread_ = start()`.
void Joins::addHandedOn(const Place &handle, FuncId starter, std::vector<Place> &written) const {
  const Object &object = input_.pointsTo.objects()[handle.object];
  if (object.kind != ObjectKind::Stack || object.function == starter) return;
  const UnitId unitId = input_.code.function(object.function).unit;
  const model::Unit &unit = input_.code.unit(unitId);
  auto placesOf = [&](Location location) { return input_.pointsTo.places(location).list; };
  input_.code.forEachStatement(object.function, [&](model::BlockId, model::StatementId, const model::Statement &row) {
    if (row.kind != model::StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(row.number))];
    const FuncId callee = input_.code.directCallee(unitId, call);
    if (!callee.valid() || (input_.code.function(callee).flags & model::kLibrary) == 0) return;
    const model::Operand into = argumentOf(unit, call, 0), moved = argumentOf(unit, call, 1);
    const Location holder = input_.pointsTo.of(object.function, into);
    if (!moved.isValue()) return;
    const std::vector<Place> from = placesOf(input_.pointsTo.of(object.function, moved));
    if (std::ranges::find(from, handle) == from.end()) return;
    std::ranges::copy(placesOf(holder), std::back_inserter(written));
    std::ranges::copy(placesOf(input_.pointsTo.content(holder)), std::back_inserter(written));
  });
}

// Threads whose start wrote the handle to one of these places itself. Helpers of std::thread are shared by all, and so is
// what they leave in it: where it was built says more.
ThreadBits Joins::startedInto(Location handle) const {
  Places places = input_.pointsTo.places(handle);
  ThreadBits found;
  if (!places.complete) return found;
  for (size_t i = 0; i < input_.entered.size(); ++i) {
    if (!input_.entered[i].handle.valid() || found_.startedAt[i].empty()) continue;
    std::vector<Place> written = writtenBy(input_.entered[i]);
    bool same = std::ranges::any_of(places.list,
                                    [&](const Place &place) { return std::ranges::binary_search(written, place); });
    if (same && !addStartedAt(input_.entered[i].site, found)) return {};
  }
  return found;
}

// Threads whose handles may be held there; none if anything else may be.
ThreadBits Joins::heldIn(Location handle) const {
  Places places = input_.pointsTo.places(handle);
  ThreadBits found;
  if (!places.complete) return found;
  for (const Place &place : places.list) {
    const Object &object = input_.pointsTo.objects()[place.object];
    if (object.kind != ObjectKind::Thread || !addStartedAt(object.call, found)) return {};
  }
  return found;
}

// The words for the place that the handle goes to, and the place; none: it goes nowhere that has a name.
Joins::Named Joins::keptUnder(const Entered &row) const {
  const CallSite &start = input_.calls.sites[row.site];
  const model::Unit &unit = input_.code.unit(start.unit);
  const model::Call &call = unit.calls[start.call];
  if (row.row->object >= 0) {
    if (!row.handle.valid() || static_cast<uint32_t>(row.row->object) >= call.argumentCount) return {};
    model::ArgumentId argument(call.firstArgument.value() + row.row->object);
    return {unit.strings[unit.arguments[argument].path], row.handle};
  }
  Named kept;
  if (row.row->object != knowledge::kResult || !start.caller.valid()) return kept;
  Definitions definitions(input_.code, start.caller);
  auto isResult = [&](model::Operand value) {
    value = definitions.strip(value);
    const model::Statement *made = value.isValue() ? definitions.of(value.value()) : nullptr;
    return made && made->kind == model::StatementKind::Call && made->number == start.call.value();
  };
  input_.code.forEachStatement(
      start.caller, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.kind != model::StatementKind::Store || !statement.site.valid() || !isResult(statement.b)) return;
        kept = {unit.strings[unit.sites[statement.site].path], input_.pointsTo.of(start.caller, statement.a)};
      });
  return kept;
}

// One of an array: its name says which array, not which thread.
bool Joins::isElement(CallSiteId site, model::Operand handle) const {
  Definitions definitions(input_.code, input_.calls.sites[site].caller);
  handle = definitions.strip(handle);
  const model::Statement *read = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  return read && read->kind == model::StatementKind::Load && originOf(definitions, read->a).indexed;
}

// Threads that were started into what is called as the place that the handle was read from, and may be that place. In
// one function, the same words are the same place; elsewhere the member's name has to do.
ThreadBits Joins::heldUnderName(CallSiteId site, model::Operand handle) const {
  const CallSite &where = input_.calls.sites[site];
  Definitions definitions(input_.code, where.caller);
  handle = definitions.strip(handle);
  const model::Statement *read = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  if (!read || read->kind != model::StatementKind::Load || !read->site.valid()) return {};
  const model::Unit &unit = input_.code.unit(where.unit);
  std::string_view words = unit.strings[unit.sites[read->site].path];
  std::string name = lastMember(words);
  Location readFrom = input_.pointsTo.of(where.caller, read->a);
  ThreadBits found;
  for (size_t i = 0; i < input_.entered.size(); ++i) {
    const Entered &row = input_.entered[i];
    if (found_.startedAt[i].empty()) continue;
    Named kept = keptUnder(row);
    if (kept.words.empty()) continue;
    const bool isSameFunction = input_.calls.sites[row.site].caller == where.caller;
    if (!(isSameFunction && kept.words == words) && (name.empty() || lastMember(kept.words) != name)) continue;
    if (!input_.pointsTo.mayAlias(readFrom, kept.place)) continue;
    if (!addStartedAt(row.site, found)) return {};
  }
  if (!found.empty()) addAlike(input_.pointsTo.of(where.caller, handle), found);
  return found;
}

// Others that have the same entry and may be held there: a pool that grows keeps its new threads beside the old ones.
void Joins::addAlike(Location handle, ThreadBits &joined) const {
  ThreadBits named = joined;
  for (const Place &place : input_.pointsTo.places(handle).list) {
    const Object &object = input_.pointsTo.objects()[place.object];
    if (object.kind != ObjectKind::Thread) continue;
    ThreadBits more;
    if (!addStartedAt(object.call, more)) continue;
    for (uint32_t t : more)
      for (uint32_t other : named)
        if (found_.threads.list[ThreadId(t)].entries == found_.threads.list[ThreadId(other)].entries) joined.set(t);
  }
}

// Who alone executes the function, in one instance; invalid: nobody does.
ThreadId Joins::onlyOne(FuncId function) const {
  auto executing = found_.threads.executing[function];
  return executing.size() == 1 && !found_.threads.list[executing.front()].many ? executing.front() : ThreadId();
}

// `main_thread = pthread_self()`, and another thread joins `main_thread`.
ThreadBits Joins::heldAsOwn(CallSiteId site, model::Operand handle) const {
  const CallSite &where = input_.calls.sites[site];
  Definitions here(input_.code, where.caller);
  handle = here.strip(handle);
  const model::Statement *read = handle.isValue() ? here.of(handle.value()) : nullptr;
  if (!read || read->kind != model::StatementKind::Load || !read->a.isSymbol()) return {};
  const Location variable = input_.pointsTo.of(where.caller, read->a);
  ThreadBits found;
  auto addStored = [&](FuncId function, model::CallId self) {
    Definitions definitions(input_.code, function);
    input_.code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Store || !statement.a.isSymbol()) return;
      model::Operand value = definitions.strip(statement.b);
      const model::Statement *made = value.isValue() ? definitions.of(value.value()) : nullptr;
      if (!made || made->kind != model::StatementKind::Call || made->number != self.value()) return;
      ThreadId own = onlyOne(function);
      if (own.valid() && input_.pointsTo.of(function, statement.a) == variable) found.set(own.value());
    });
  };
  input_.code.forEachFunction([&](FuncId id) {
    if (std::ranges::find(kOwnHandles, input_.code.function(id).name) == std::ranges::end(kOwnHandles)) return;
    for (CallSiteId call : input_.calls.callers[id])
      if (const CallSite &self = input_.calls.sites[call]; self.caller.valid()) addStored(self.caller, self.call);
  });
  return found.count() == 1 ? found : ThreadBits();
}

// A handle that a wrapper makes is that of a thread which a call of the wrapper starts.
bool Joins::isStartedBy(const Thread &thread, CallSiteId site) const {
  if (thread.createdAt == site) return true;
  if (!thread.createdAt.valid() || !input_.wrappers.innerSpawn[site.value()]) return false;
  const CallSite &created = input_.calls.sites[thread.createdAt];
  return input_.code.directCallee(created.unit, input_.code.unit(created.unit).calls[created.call]) ==
         input_.calls.sites[site].caller;
}

// All instances have the same thread to end them.
bool Joins::isByOne(const Thread &thread) const {
  return thread.creators.size() == 1 && !found_.threads.list[thread.creators[0]].many;
}

// False: some of what was started there cannot be joined as a whole.
bool Joins::addStartedAt(CallSiteId site, ThreadBits &joined) const {
  bool found = false;
  for (uint32_t t = 0; t < found_.threads.list.size(); ++t) {
    const Thread &thread = found_.threads.list[ThreadId(t)];
    if (!isStartedBy(thread, site)) continue;
    if (thread.many && !isByOne(thread)) return false;
    joined.set(t);
    found = true;
  }
  return found;
}

} // namespace deadheat::link
