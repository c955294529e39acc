#include "analyse/race/world.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include "analyse/race/context.h"
#include "analyse/race/import.h"
#include "analyse/race/own_parameters.h"
#include "link/followed.h"

namespace deadheat::analyse {

using link::FuncId;
using link::ThreadId;

static constexpr size_t kMaxUpwards = 256; // functions that are looked at on the way to a thread's entry
static constexpr size_t kNarrowCall = 8;   // targets of a call that is likely to go to each of them

namespace {

class Gatherer {
public:
  explicit Gatherer(const Environment &environment) : world_(environment), ownParameters_(environment.program) {}

  World run() {
    const link::Program &program = world_.environment.program;
    world_.crews = crewsOf(program.threads);
    world_.crewOf.resize(program.threads.list.size());
    for (const auto &[first, crew] : world_.crews)
      for (ThreadId thread : crew) {
        world_.crewOf[thread.value()] = first;
        for (FuncId entry : program.threads.list[thread].entries)
          if (auto &known = world_.startingAt[entry]; known.empty() || known.back() != thread) known.push_back(thread);
      }
    findFollowed();
    findBeforeExit();
    CallLocks locks(world_);
    for (const auto &[first, crew] : world_.crews) contexts_[first] = contextsOf(world_, locks, crew);
    findWaitedFor();
    for (uint32_t function = 0; function < program.symbols.functions.size(); ++function)
      if (world_.environment.summary(FuncId(function)).ready) addFunction(FuncId(function));
    return std::move(world_);
  }

private:
  void findWaitedFor() {
    const link::Program &program = world_.environment.program;
    auto add = [&](uint32_t field, link::Location where) {
      if (field != 0)
        world_.waitedFields.insert(field);
      else if (where.valid())
        world_.waitedVariables.push_back(where);
    };
    for (uint32_t f = 0; f < program.symbols.functions.size(); ++f) {
      if (!world_.environment.summary(FuncId(f)).ready) continue;
      for (const auto &[edge, all] : findWaitExits(program, FuncId(f), world_.environment.waiters))
        for (const Waited &waited : all) {
          if (waited.site.valid())
            add(world_.environment.fields.of(program.function(FuncId(f)).unit, waited.site),
                program.pointsTo.of(FuncId(f), waited.address));
          if (waited.call.valid())
            for (FuncId callee : program.calls.callees[waited.call])
              for (const Entry &entry : readBy(world_.environment.summary(callee))) add(entry.field, entry.where);
        }
    }
  }

  // It is asked for every two threads of every pair.
  void findFollowed() {
    const link::Threads &threads = world_.environment.program.threads;
    world_.followed.resize(threads.list.size() * threads.list.size());
    for (const auto &[first, crew] : world_.crews)
      for (const auto &[other, others] : world_.crews)
        world_.followed[first.value() * threads.list.size() + other.value()] = link::isFollowed(threads, first, other);
  }

  void findBeforeExit() {
    const link::Program &program = world_.environment.program;
    if (program.threads.list.empty() || program.threads.list[ThreadId(0)].kind != link::ThreadKind::Main) return;
    const std::vector<FuncId> &entries = program.threads.list[ThreadId(0)].entries;
    auto main = std::ranges::find_if(entries, [&](FuncId id) { return program.function(id).name == "main"; });
    if (main == entries.end() || std::next(main) == entries.end()) return;
    world_.beforeExit.resize(program.symbols.functions.size());
    std::vector<FuncId> pending(entries.begin(), std::next(main));
    std::vector<bool> &seen = world_.beforeExit;
    for (FuncId id : pending) seen[id.value()] = true;
    std::vector<FuncId> atExit(std::next(main), entries.end());
    std::ranges::sort(atExit);
    link::ListsBuilder<FuncId, FuncId> builder(seen.size());
    for (uint32_t i = 0; i < program.calls.sites.size(); ++i) {
      auto callees = program.calls.callees[link::CallSiteId(i)];
      FuncId caller = program.calls.sites[link::CallSiteId(i)].caller;
      if (!caller.valid()) continue;
      // What was registered for the end is called by that; that others of its type are called by pointers says little.
      for (FuncId callee : callees)
        if (callees.size() == 1 || !std::ranges::binary_search(atExit, callee)) builder.add(caller, callee);
    }
    auto calls = builder.finish();
    while (!pending.empty()) {
      FuncId id = pending.back();
      pending.pop_back();
      for (FuncId callee : calls[id]) {
        if (seen[callee.value()]) continue;
        seen[callee.value()] = true;
        pending.push_back(callee);
      }
    }
  }

  // Nobody executes the call that would start it: its function was copied into all its callers.
  static bool isStarted(const link::Thread &thread) {
    return thread.kind != link::ThreadKind::Spawned || !thread.creators.empty();
  }

  static Crews crewsOf(const link::Threads &threads) {
    std::map<std::tuple<link::ThreadKind, knowledge::Context, bool, uint32_t>, std::vector<ThreadId>> alike;
    bool areFew = threads.list.size() <= kMaxCrews;
    for (uint32_t i = 0; i < threads.list.size(); ++i) {
      const link::Thread &thread = threads.list[ThreadId(i)];
      if (isStarted(thread)) alike[{thread.kind, thread.context, thread.many, areFew ? i : 0}].push_back(ThreadId(i));
    }
    Crews crews;
    for (auto &[key, crew] : alike) crews.emplace(crew[0], std::move(crew));
    return crews;
  }

  void addFunction(FuncId function) {
    std::vector<ThreadId> passing;
    for (const auto &[first, contexts] : contexts_)
      if (contexts.contains(function.value())) passing.push_back(first);
    if (!passing.empty()) addEntries(function, {}, passing, true);
    if (!passing.empty() && world_.environment.order.blind[function.value()]) addEntries(function, {}, passing, false);
    auto starting = world_.startingAt.find(function);
    if (starting == world_.startingAt.end()) return;
    for (ThreadId thread : starting->second)
      if (ThreadId first = world_.crewOf[thread.value()]; std::ranges::binary_search(passing, first))
        addEntries(function, thread, {first}, false);
  }

  void addEntries(FuncId function, ThreadId asEntryOf, const std::vector<ThreadId> &threads, bool settled) {
    const Summary &summary = world_.environment.summary(function);
    Import import(world_, function, asEntryOf);
    for (const LockText &row : summary.lockTexts) world_.lockTexts.try_emplace(import.address(row.lock), row.text);
    llvm::DenseMap<uint32_t, std::vector<uint32_t>> known; // [of Summary::locksets]: many entries have the same
    for (uint32_t index = 0; index < summary.entries.size(); ++index) {
      const Entry &entry = summary.entries[index];
      if (entry.settled != settled) continue;
      Address lvalue = import.address(entry.lvalue);
      link::Location where = import.locationOf(lvalue);
      WorldAccess access{.function = function,
                         .entry = index,
                         .lvalue = lvalue,
                         .path = import.path(entry.lvalue),
                         .where = where.valid() ? where : entry.where,
                         .container = entry.container.node.valid() ? import.address(entry.container) : Address(),
                         .isOwn = isOwn(function, summary.names.nodes[objectOf(summary, entry)])};
      access.isFromOwn = isOwn(function, summary.names.nodes[summary.names.nodes.root(entry.lvalue.node)]);
      access.isSyntactic = isObject(world_.names.nodes[world_.names.nodes.root(lvalue.node)].kind);
      auto [held, isNew] = known.try_emplace(entry.locks);
      if (isNew) held->second = heldByEach(import, function, threads, summary.locksets[entry.locks]);
      std::vector<Performer> performers;
      performers.reserve(held->second.size());
      for (ThreadId thread : threads)
        for (const Context &context : contexts_[thread].find(function.value())->second)
          performers.push_back(performerOf(thread, context.live, held->second[performers.size()], access, summary));
      access.performers = *world_.performerLists.insert(std::move(performers)).first;
      if (tells(world_, entry, access.where))
        for (ThreadId thread : threads)
          (entry.traits.atomic ? world_.signals : world_.counts)[thread].insert(access.where);
      if (!entry.traits.signal) world_.accesses.push_back(std::move(access));
    }
  }

  static NodeId objectOf(const Summary &summary, const Entry &entry) {
    NodeId node = entry.lvalue.node;
    while (summary.names.nodes[node].kind == NodeKind::Element) node = summary.names.nodes[node].base;
    return node;
  }

  // In the function's own names: what points-to takes for the same object may be another call's. What a lambda captures is another function's.
  // A thread-local variable is the thread's.
  bool isOwn(FuncId function, const Node &object) const {
    if (object.kind == NodeKind::Global)
      return (world_.environment.program.variable(link::GlobalId(object.index)).flags & model::kThreadLocal) != 0;
    if (object.kind != NodeKind::Stack) return object.kind == NodeKind::Heap;
    const bool isElsewhere = object.owner != function.value();
    return !isElsewhere || !world_.environment.captures.has(FuncId(object.owner), model::StatementId(object.index));
  }

  Performer performerOf(ThreadId thread, uint32_t live, uint32_t locks, const WorldAccess &access,
                        const Summary &summary) const {
    const NodeTable &nodes = summary.names.nodes;
    const NodeId name = summary.entries[access.entry].lvalue.node;
    const Node &object = nodes[objectOf(summary, summary.entries[access.entry])];
    const bool isFollowed = world_.crews.at(thread).size() == 1;
    const bool isParameter = object.kind == NodeKind::Formal && isFollowed;
    auto isByNumber = [&](const Node &step) {
      return step.kind == NodeKind::Element && step.index >= kFormalKey && step.index < kOwnKey &&
             ownParameters_.isNumber(thread, access.function, step.index - kFormalKey);
    };
    // What the thread's own argument has a pointer to, where each thread has another one of these.
    auto isOwnElement = [&] {
      if (object.kind != NodeKind::Load || !isFollowed || nodes[object.base].kind != NodeKind::Formal) return false;
      const link::Program &program = world_.environment.program;
      const NodeId pointer = objectOf(summary, summary.entries[access.entry]);
      return ownParameters_.isOwn(thread, access.function, nodes[object.base].index) &&
             link::isElementOf(program.threads.list[thread], program.pointsTo,
                               summary.names.info[pointer.value()].points);
    };
    return {.thread = thread,
            .live = live,
            .locks = locks,
            .isOwn = isParameter && ownParameters_.isOwn(thread, access.function, object.index),
            .isMade = access.isOwn || (isParameter && ownParameters_.isMade(thread, access.function, object.index)),
            .isChosen = (isParameter && ownParameters_.isChosen(thread, access.function, object.index)) ||
                        (isFollowed && nodes.any(name, isByNumber)) || isOwnElement()};
  }

  HeldLocks ownLocks(Import &import, const Lockset &locks) {
    HeldLocks own;
    for (const HeldLock &local : locks.held()) {
      HeldLock held = import.lock(local);
      held.count = 1;
      held.onEntry = false;
      own.push_back(held);
    }
    std::ranges::sort(own);
    return own;
  }

  // By the threads in their order, by each in all its contexts.
  std::vector<uint32_t> heldByEach(Import &import, FuncId function, const std::vector<ThreadId> &threads,
                                   const Lockset &locks) {
    const HeldLocks own = ownLocks(import, locks);
    std::vector<uint32_t> all;
    for (ThreadId thread : threads)
      for (const Context &context : contexts_[thread].find(function.value())->second)
        all.push_back(heldBy(context.held, function, locks, own));
    return all;
  }

  uint32_t heldBy(const HeldLocks &onEntry, FuncId function, const Lockset &locks, const HeldLocks &own) {
    HeldLocks all = withoutReleased(world_, onEntry, function, locks.released());
    hold(all, own);
    auto [place, isNew] = locksetIds_.try_emplace(all, static_cast<uint32_t>(world_.locksets.size()));
    if (isNew) world_.locksets.push_back(std::move(all));
    return place->second;
  }

  World world_;
  OwnParameters ownParameters_;
  std::map<ThreadId, Contexts> contexts_; // by the first of a crew
  std::map<HeldLocks, uint32_t> locksetIds_;
};

} // namespace

// Up the calls, until a function is an entry of the crew.
static ThreadId nearestStart(const World &world, ThreadId first, FuncId function) {
  const link::CallGraph &calls = world.environment.program.calls;
  llvm::SmallSetVector<uint32_t, 32> open;
  open.insert(function.value());
  for (size_t i = 0; i < open.size() && i < kMaxUpwards; ++i) {
    if (auto starting = world.startingAt.find(FuncId(open[i])); starting != world.startingAt.end())
      for (ThreadId thread : starting->second)
        if (world.crewOf[thread.value()] == first) return thread;
    for (link::CallSiteId site : calls.callers[FuncId(open[i])])
      if (calls.callees[site].size() <= kNarrowCall && calls.sites[site].caller.valid())
        open.insert(calls.sites[site].caller.value());
  }
  return {};
}

ThreadId threadAt(const World &world, const Performer &performer, FuncId function) {
  const std::vector<ThreadId> &crew = world.crews.at(performer.thread);
  if (crew.size() == 1) return performer.thread;
  if (ThreadId nearest = nearestStart(world, performer.thread, function); nearest.valid()) return nearest;
  auto executing = world.environment.program.threads.executing[function];
  for (ThreadId thread : crew)
    if (std::ranges::binary_search(executing, thread)) return thread;
  return performer.thread;
}

bool isStartingUp(const World &world, const Performer &performer) {
  const link::Threads &threads = world.environment.program.threads;
  if (threads.list[performer.thread].kind != link::ThreadKind::Main) return false;
  const std::vector<ThreadId> &live = world.liveSets[performer.live];
  return std::ranges::any_of(world.crews, [&](const auto &crew) {
    return threads.list[crew.first].kind == link::ThreadKind::Spawned &&
           threads.startedBy(crew.first, performer.thread) && !std::ranges::binary_search(live, crew.first);
  });
}

bool tells(const World &world, const Entry &entry, link::Location where) {
  if (!entry.traits.write || !where.valid()) return false;
  if (entry.traits.atomic && entry.traits.unordered) return false;
  if (entry.traits.atomic || world.waitedFields.contains(entry.field)) return true;
  return entry.field == 0 && std::ranges::any_of(world.waitedVariables, [&](link::Location waited) {
           return world.foundOut.local().places.mayAlias(where, 1, waited, 1);
         });
}

bool isGuarded(const World &world, const Performer &performer) {
  return std::ranges::any_of(world.locksets[performer.locks],
                             [](const HeldLock &held) { return held.mode != LockMode::After; });
}

bool isDistinctPerThread(const World &world, NodeId node) {
  const NodeTable &nodes = world.names.nodes;
  const bool isLoaded = nodes[node].kind == NodeKind::Load;
  const Node &row = nodes[isLoaded ? nodes[node].base : node];
  if (row.kind != NodeKind::Formal || row.owner == 0) return false;
  const link::Thread &thread = world.environment.program.threads.list[link::ThreadId(row.owner - 1)];
  if (isLoaded) return thread.many && thread.ownPointers;
  return thread.distinct == link::DistinctWhy::Indexed || thread.distinct == link::DistinctWhy::Allocated;
}

bool isOneAtATime(const World &world, link::FuncId function) {
  const link::Threads &threads = world.environment.program.threads;
  auto executing = threads.executing[function];
  return executing.size() == 1 && !threads.list[executing.front()].many;
}

World gatherWorld(const Environment &environment) { return Gatherer(environment).run(); }

} // namespace deadheat::analyse
