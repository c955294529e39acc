#include "link/thread_finder.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include "link/components.h"
#include "link/entry_tables.h"
#include "link/given_calls.h"
#include "link/started_again.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Context;

class Finder {
public:
  Finder(const ThreadInput &input, Gaps &gaps, const std::set<ThreadId> &inTurn)
      : input_(input), code_(input.code), gaps_(gaps), inTurn_(inTurn) {}

  FoundThreads run() {
    addMain();
    found_.startedAt.resize(input_.entered.size());
    for (size_t i = 0; i < input_.entered.size(); ++i) addEntered(i);
    addOutside();
    findLoopsOfSites();
    findTables();
    threads().once = findOnce(code_, input_.calls, input_.entered);
    findLeadingToStart();
    countExecutions();
    findExecuting();
    findHosts();
    for (uint32_t i = 0; i < threads().list.size(); ++i) judge(ThreadId(i));
    return std::move(found_);
  }

private:
  Threads &threads() { return found_.threads; }
  const Threads &threads() const { return found_.threads; }

  // Constructors of globals, main, then what runs at exit: one after the other.
  void addMain() {
    Thread thread{.kind = ThreadKind::Main};
    auto add = [&](auto fits) {
      code_.forEachFunction([&](FuncId id) {
        if (!code_.function(id).external() && fits(code_.function(id))) thread.entries.push_back(id);
      });
    };
    add([](const Function &function) { return (function.flags & model::kStartUp) != 0; });
    size_t before = thread.entries.size();
    add([](const Function &function) { return function.name == "main" && function.visible; });
    hasMain_ = thread.entries.size() > before;
    for (const Entered &row : input_.entered)
      if (row.row->action == Action::AtExit)
        thread.entries.insert(thread.entries.end(), row.functions.begin(), row.functions.end());
    add([](const Function &function) { return (function.flags & model::kShutDown) != 0; });
    std::vector<FuncId> unique;
    for (FuncId id : thread.entries)
      if (std::ranges::find(unique, id) == unique.end()) unique.push_back(id);
    thread.entries = std::move(unique);
    if (!thread.entries.empty()) threads().list.add(std::move(thread));
  }

  void addEntered(size_t index) {
    const Entered &row = input_.entered[index];
    if (row.row->action != Action::Spawn && row.row->action != Action::Handler) return;
    if (row.functions.empty() && !row.none && !isReplaced(input_.calls.sites[row.site].caller)) noteUnknown(row);
    for (FuncId entry : row.functions) found_.startedAt[index].push_back(threadOf(row, entry));
  }

  // Nobody enters it: its row stands for it.
  bool isReplaced(FuncId id) const {
    return id.valid() && code_.function(id).known && replacesBody(*code_.function(id).known);
  }

  // What needs no thread of its own to start it has one for all places that arm it.
  ThreadId threadOf(const Entered &row, FuncId entry) {
    bool handler = row.row->action == Action::Handler;
    bool shared = handler || row.row->context != Context::Thread;
    if (shared)
      if (auto known = byEntry_.find({row.row->context, entry}); known != byEntry_.end()) return known->second;
    Thread thread{.kind = handler                              ? ThreadKind::Signal
                          : row.row->context >= Context::Timer ? ThreadKind::Interrupt
                                                               : ThreadKind::Spawned,
                  .context = row.row->context,
                  .entries = {entry},
                  .createdAt = row.site,
                  .many = row.row->has(knowledge::kMany),
                  .argument = givenBy(row)};
    if (row.through.valid()) thread.chosen = row.handed;
    if (thread.many) thread.manyWhy = ManyWhy::Several;
    ThreadId id = threads().list.add(std::move(thread));
    if (shared) byEntry_[{row.row->context, entry}] = id;
    return id;
  }

  Location givenBy(const Entered &row) const {
    if (!row.through.valid()) return row.argument;
    if (row.handed == model::Operand()) return {};
    return input_.pointsTo.of(input_.calls.sites[row.site].caller, row.handed);
  }

  void noteUnknown(const Entered &row) {
    const CallSite &site = input_.calls.sites[row.site];
    const model::Unit &unit = code_.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    gaps_.add(GapKind::UnknownThreadEntry, unit.strings[call.file], call.line,
              std::string(code_.function(site.caller).display));
  }

  // Functions that only the outside can call: roots of the table and, in a program without main, all that nothing calls.
  void addOutside() {
    Thread thread{.kind = ThreadKind::Outside, .many = true, .manyWhy = ManyWhy::Outside};
    std::vector<bool> entered(code_.symbols.functions.size(), false);
    for (const Thread &other : threads().list)
      for (FuncId entry : other.entries) entered[entry.value()] = true;
    for (const Entered &row : input_.entered)
      if (row.through.valid()) entered[row.through.value()] = true;
    code_.forEachFunction([&](FuncId id) {
      const Function &function = code_.function(id);
      if (function.external() || entered[id.value()]) return;
      bool root = function.known && function.known->action == Action::Root;
      bool uncalled = !hasMain_ && function.visible && input_.calls.callers[id].empty();
      if (root || uncalled) thread.entries.push_back(id);
    });
    if (!thread.entries.empty()) threads().list.add(std::move(thread));
  }

  void findLoopsOfSites() {
    found_.often.inLoop.assign(input_.calls.sites.size(), false);
    ListsBuilder<FuncId, uint32_t> builder(code_.symbols.functions.size());
    for (uint32_t i = 0; i < input_.calls.sites.size(); ++i)
      if (FuncId caller = input_.calls.sites[CallSiteId(i)].caller; caller.valid()) builder.add(caller, i);
    sitesOf_ = builder.finish();
    for (uint32_t i = 0; i < input_.entered.size(); ++i) enteredAt_[input_.entered[i].site].push_back(i);
    code_.forEachFunction([&](FuncId id) {
      if (sitesOf_[id].empty() || code_.bodyOf(id).blockCount < 2) return;
      Loops loops = findLoops(code_, id);
      for (uint32_t site : sitesOf_[id]) {
        uint32_t block = input_.calls.sites[CallSiteId(site)].block.value() - code_.bodyOf(id).firstBlock.value();
        found_.often.inLoop[site] = loops.repeats(block);
      }
    });
  }

  // Loops that start each function of a table.
  void findTables() {
    for (size_t i = 0; i < input_.entered.size(); ++i) {
      const Entered &row = input_.entered[i];
      if (row.row->entryIs != knowledge::Entry::Pointer || row.row->action != Action::Spawn ||
          row.row->has(knowledge::kMany) || row.functions.size() < 2 || !found_.often.inLoop[row.site.value()])
        continue;
      for (FuncId entry : startedOnceEach(code_, input_.calls.sites[row.site], row.row->entry))
        onceInLoop_.insert({row.site, entry});
    }
  }

  // How often the call is executed, of a start: with this entry.
  uint8_t timesOf(CallSiteId site, FuncId entry) const {
    if (onceInLoop_.contains({site, entry})) return found_.often.function[input_.calls.sites[site].caller.value()];
    return found_.often.site(site, input_.calls);
  }

  // Over calls and starts together, callers first.
  void countExecutions() {
    uint32_t count = static_cast<uint32_t>(code_.symbols.functions.size());
    ListsBuilder<FuncId, uint32_t> builder(count);
    forEachWay([&](FuncId from, FuncId to, CallSiteId, bool) { builder.add(from, to.value()); });
    Lists<FuncId, uint32_t> ways = builder.finish();
    Components found = findComponents(count, [&](uint32_t id) { return ways[FuncId(id)]; });
    std::vector<bool> cyclic(found.count, false);
    forEachWay([&](FuncId from, FuncId to, CallSiteId, bool) {
      if (found.of[from.value()] == found.of[to.value()]) cyclic[found.of[from.value()]] = true;
    });
    std::vector<uint8_t> &often = found_.often.function;
    often.assign(count, 0);
    for (const Thread &thread : threads().list)
      if (thread.kind == ThreadKind::Main || thread.kind == ThreadKind::Outside)
        for (FuncId entry : thread.entries) often[entry.value()] = thread.many ? 2 : 1;
    ListsBuilder<ComponentId, uint32_t> members(found.count);
    for (uint32_t i = 0; i < count; ++i) members.add(ComponentId(found.of[i]), i);
    Lists<ComponentId, uint32_t> components = members.finish();
    for (uint32_t c = found.count; c-- > 0;) spread(components[ComponentId(c)], cyclic[c]);
  }

  void spread(std::span<const uint32_t> members, bool cyclic) {
    std::vector<uint8_t> &often = found_.often.function;
    bool reached = std::ranges::any_of(members, [&](uint32_t id) { return often[id] != 0; });
    auto runsOnce = [&](FuncId id) { return threads().once.inside[id.value()].valid(); };
    for (uint32_t id : members) {
      if (cyclic && reached) often[id] = runsOnce(FuncId(id)) ? 1 : 2; // it is a cycle through once
      if (threads().once.isEntry(FuncId(id))) often[id] = std::min<uint8_t>(often[id], 1);
    }
    for (uint32_t id : members) {
      std::map<FuncId, std::vector<CallSiteId>> starting; // ways to what leads to a start
      forEachWayFrom(FuncId(id), [&](FuncId to, CallSiteId site, bool many) {
        if (cyclic && runsOnce(to) && std::ranges::find(members, to.value()) != members.end()) return;
        uint8_t times = many && often[id] ? 2 : timesOf(site, to);
        if (isInTurn(site, to)) times = std::min<uint8_t>(times, 1);
        if (times == 1 && leadsToStart_[to.value()])
          starting[to].push_back(site);
        else
          often[to.value()] = std::min(2, often[to.value()] + times);
      });
      for (const auto &[to, sites] : starting)
        often[to.value()] = std::min(2, often[to.value()] + (areAlternatives(FuncId(id), sites) ? 1 : 2));
    }
  }

  // What is executed by one instance after the other is executed once at a time.
  bool isInTurn(CallSiteId site, FuncId entry) const {
    auto rows = enteredAt_.find(site);
    return rows != enteredAt_.end() && std::ranges::any_of(rows->second, [&](uint32_t index) {
             return std::ranges::any_of(found_.startedAt[index], [&](ThreadId id) {
               return inTurn_.contains(id) && threads().list[id].entries.front() == entry;
             });
           });
  }

  // No two of them are on one way through the function.
  bool areAlternatives(FuncId id, const std::vector<CallSiteId> &sites) const {
    uint32_t first = code_.bodyOf(id).firstBlock.value();
    std::vector<uint32_t> blocks;
    for (CallSiteId site : sites) blocks.push_back(input_.calls.sites[site].block.value() - first);
    return std::ranges::all_of(blocks, [&](uint32_t from) {
      std::vector<bool> after = reachableFrom(code_, id, from);
      return std::ranges::count(blocks, from) == 1 &&
             std::ranges::none_of(blocks, [&](uint32_t other) { return other != from && after[other]; });
    });
  }

  // Callees first.
  void findLeadingToStart() {
    leadsToStart_.resize(code_.symbols.functions.size());
    for (uint32_t c = 0; c < input_.calls.components.size(); ++c) {
      auto members = input_.calls.components[ComponentId(c)];
      bool leads = std::ranges::any_of(members, [&](FuncId id) {
        return std::ranges::any_of(sitesOf_[id], [&](uint32_t site) {
          return enteredAt_.contains(CallSiteId(site)) ||
                 std::ranges::any_of(input_.calls.callees[CallSiteId(site)],
                                     [&](FuncId callee) { return bool(leadsToStart_[callee.value()]); });
        });
      });
      if (leads)
        for (FuncId id : members) leadsToStart_.set(id.value());
    }
  }

  // visit(from, to, site, the row starts many)
  template <typename Visit> void forEachWay(Visit visit) {
    code_.forEachFunction([&](FuncId from) {
      forEachWayFrom(from, [&](FuncId to, CallSiteId site, bool many) { visit(from, to, site, many); });
    });
  }

  template <typename Visit> void forEachWayFrom(FuncId from, Visit visit) {
    for (uint32_t s : sitesOf_[from]) {
      CallSiteId site(s);
      for (FuncId to : input_.calls.callees[site]) visit(to, site, false);
      auto rows = enteredAt_.find(site);
      if (rows == enteredAt_.end()) continue;
      for (uint32_t index : rows->second)
        for (FuncId to : input_.entered[index].functions)
          visit(to, site, input_.entered[index].row->has(knowledge::kMany));
    }
  }

  GivenCalls givenCalls() const {
    std::vector<bool> isEntry(code_.symbols.functions.size());
    for (const Thread &thread : threads().list)
      for (FuncId entry : thread.entries) isEntry[entry.value()] = true;
    return findGivenCalls(code_, input_.calls, [&](FuncId id) { return isEntry[id.value()]; });
  }

  // Down the call graph, callers first. One bit a thread: unions of thousands are the rule in a kernel.
  void findExecuting() {
    const CallGraph &calls = input_.calls;
    const GivenCalls given = givenCalls();
    std::vector<llvm::BitVector> sets(calls.components.size());
    auto of = [&](FuncId id) -> llvm::BitVector & { return sets[calls.componentOf[id.value()].value()]; };
    for (uint32_t t = 0; t < threads().list.size(); ++t)
      for (FuncId entry : threads().list[ThreadId(t)].entries) {
        of(entry).resize(threads().list.size());
        of(entry).set(t);
      }
    for (uint32_t c = static_cast<uint32_t>(calls.components.size()); c-- > 0;) {
      auto enter = [&](FuncId callee) {
        if (calls.componentOf[callee.value()] != ComponentId(c) && sets[c].any()) of(callee) |= sets[c];
      };
      for (FuncId id : calls.components[ComponentId(c)])
        for (uint32_t s : sitesOf_[id]) {
          const CallSiteId site(s);
          for (FuncId callee : calls.callees[site])
            if (!given.isGiven(site, callee)) enter(callee);
          if (auto more = given.gives.find(site); more != given.gives.end()) std::ranges::for_each(more->second, enter);
        }
    }
    keep(sets);
  }

  void findHosts() {
    for (size_t i = 0; i < input_.entered.size(); ++i) {
      const knowledge::Row &row = *input_.entered[i].row;
      if (!row.has(knowledge::kJob)) continue;
      auto pool = std::ranges::find(input_.wrappers.pools, std::string_view(row.name), &Pool::member);
      for (CallSiteId site : pool->calls)
        for (ThreadId host : threads().executing[input_.calls.sites[site].caller])
          for (ThreadId job : found_.startedAt[i])
            if (auto &hosts = threads().list[job].hosts; std::ranges::find(hosts, host) == hosts.end())
              hosts.push_back(host);
    }
  }

  void keep(std::vector<llvm::BitVector> &sets) {
    auto &executing = threads().executing;
    llvm::DenseMap<llvm::BitVector, uint32_t> numbers;
    std::vector<uint32_t> ofComponent;
    for (llvm::BitVector &bits : sets) {
      bits.resize(threads().list.size() + 1); // one without bits is the map's own
      auto [at, fresh] = numbers.try_emplace(bits, static_cast<uint32_t>(executing.sets.size()));
      ofComponent.push_back(at->second);
      if (!fresh) continue;
      auto &members = executing.sets.emplace_back();
      for (unsigned t : bits.set_bits()) members.push_back(ThreadId(t));
    }
    for (ComponentId component : input_.calls.componentOf) executing.setOf.push_back(ofComponent[component.value()]);
  }

  // Who starts it, and why it may have more than one instance. Creators come first in the list but for cycles.
  void judge(ThreadId id) {
    Thread &thread = threads().list[id];
    if (!thread.createdAt.valid()) return;
    FuncId caller = input_.calls.sites[thread.createdAt].caller;
    auto creators = threads().executing[caller];
    // No handler starts threads: what it reaches that does, it reaches by calls that points-to cannot tell apart.
    std::ranges::copy_if(creators, std::back_inserter(thread.creators),
                         [&](ThreadId creator) { return threads().list[creator].kind != ThreadKind::Signal; });
    if (thread.creators.empty()) thread.creators.assign(creators.begin(), creators.end());
    if (thread.many || thread.kind == ThreadKind::Signal) return;
    if (timesOf(thread.createdAt, thread.entries.front()) < 2) return;
    thread.inTurn = inTurn_.contains(id);
    thread.many = !thread.inTurn;
    if (thread.inTurn) return;
    thread.manyWhy = whyMany(thread, caller);
  }

  ManyWhy whyMany(const Thread &thread, FuncId starter) const {
    StartedAgain again(input_, found_.often, leadsToStart_, sitesOf_);
    if (found_.often.inLoop[thread.createdAt.value()] || again.isCalledInLoop(thread.createdAt)) return ManyWhy::Loop;
    if (startsItself(thread)) return ManyWhy::Itself;
    if (input_.calls.recursive[input_.calls.componentOf[starter.value()].value()]) return ManyWhy::Recursive;
    if (isOnlyCreatorMany(thread)) return ManyWhy::CreatorMany;
    return again.isCalledTwice(thread.createdAt) ? ManyWhy::CalledTwice : ManyWhy::CalledOften;
  }

  // What begins in the library are threads of many functions.
  bool startsItself(const Thread &thread) const {
    if (code_.function(thread.entries.front()).flags & model::kLibrary) return false;
    return std::ranges::any_of(thread.creators, [&](ThreadId creator) { return &threads().list[creator] == &thread; });
  }

  bool isOnlyCreatorMany(const Thread &thread) const {
    return std::ranges::any_of(thread.creators, [&](ThreadId id) { return threads().list[id].many; });
  }

  const ThreadInput &input_;
  const Code &code_;
  llvm::BitVector leadsToStart_; // [function]
  Gaps &gaps_;
  const std::set<ThreadId> &inTurn_;
  bool hasMain_ = false;
  std::map<std::pair<Context, FuncId>, ThreadId> byEntry_;
  std::map<CallSiteId, std::vector<uint32_t>> enteredAt_;
  std::set<std::pair<CallSiteId, FuncId>> onceInLoop_; // starts, with an entry that one round at most begins in
  Lists<FuncId, uint32_t> sitesOf_;
  FoundThreads found_;
};

} // namespace

FoundThreads findThreads(const ThreadInput &input, Gaps &gaps, const std::set<ThreadId> &inTurn) {
  return Finder(input, gaps, inTurn).run();
}

} // namespace deadheat::link
