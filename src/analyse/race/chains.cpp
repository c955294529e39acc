#include "analyse/race/chains.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/DenseSet.h"

namespace deadheat::analyse {

static constexpr size_t kMaxSteps = 24;
static constexpr size_t kMaxWays = 6;      // from the user's code into the library
static constexpr size_t kMaxClimbed = 400; // functions of the library that are looked at for them

namespace {

class Walk {
public:
  Walk(const Environment &environment, size_t limit) : environment_(environment), limit_(limit) {}

  // Every entry is walked once for each statement of the outermost function and all that is started and joined on the
  // way: one chain for an access is enough, and recursion ends.
  void down(link::FuncId function, uint32_t entry) {
    const std::vector<Entry> &entries = environment_.summary(function).entries;
    if (steps_.size() >= kMaxSteps || entry >= entries.size()) return;
    for (const Source &source : entries[entry].sources) {
      if (leaves_.size() >= limit_) return;
      if (steps_.empty()) seen_.clear();
      steps_.push_back({function, source.statement, entry});
      if (source.site.valid())
        leaves_.push_back({environment_.program.function(function).unit, source.site, steps_});
      else if (source.callee.valid())
        enter(entries[entry], source);
      steps_.pop_back();
    }
  }

  std::vector<Leaf> leaves_;

private:
  using Change = std::pair<uint32_t, uint32_t>; // of Threads::sets: joined, started

  // In a recursive component that was not repeated until it settled, a source may number the entries as they were.
  bool isSameAccess(const Entry &entry, const Source &source) const {
    const std::vector<Entry> &entries = environment_.summary(source.callee).entries;
    if (source.entry >= entries.size()) return false;
    const Entry &inner = entries[source.entry];
    return entry.field == inner.field && entry.size == inner.size && entry.traits.write == inner.traits.write &&
           entry.traits.atomic == inner.traits.atomic;
  }

  void enter(const Entry &entry, const Source &source) {
    size_t before = changes_.size();
    if (Change change = changeAt(steps_.back()); change != Change()) changes_.push_back(change);
    uint64_t inner = static_cast<uint64_t>(source.callee.value()) << 32 | source.entry;
    if (isSameAccess(entry, source) && seen_.insert({inner, numberOfChanges()}).second)
      down(source.callee, source.entry);
    changes_.resize(before);
  }

  uint32_t numberOfChanges() {
    if (changes_.empty()) return 0;
    return numbers_.try_emplace(changes_, static_cast<uint32_t>(numbers_.size() + 1)).first->second;
  }

  Change changeAt(const Step &step) const {
    auto rows = environment_.program.threads.changes[step.function];
    auto after = std::ranges::upper_bound(rows, step.statement, {}, &link::Threads::Change::statement);
    if (after == rows.begin()) return {};
    return {std::prev(after)->joined, std::prev(after)->started};
  }

  const Environment &environment_;
  size_t limit_;
  std::vector<Step> steps_;
  std::vector<Change> changes_; // those of steps_ that change anything
  std::map<std::vector<Change>, uint32_t> numbers_;
  llvm::DenseSet<std::pair<uint64_t, uint32_t>> seen_; // function and entry, number of changes on the way
};

} // namespace

static bool isLibrary(const link::Program &program, link::FuncId function) {
  return (program.function(function).flags & model::kLibrary) != 0;
}

// The shortest ways from functions that the user wrote, each from another call.
static std::vector<std::vector<Step>> waysInto(const link::Program &program, link::FuncId function) {
  std::vector<std::vector<Step>> found;
  std::vector<std::pair<link::FuncId, std::vector<Step>>> pending = {{function, {}}};
  std::set<link::FuncId> seen = {function};
  for (size_t i = 0; i < pending.size() && i < kMaxClimbed && found.size() < kMaxWays; ++i)
    for (link::CallSiteId id : program.calls.callers[pending[i].first]) {
      const link::CallSite &site = program.calls.sites[id];
      if (!site.caller.valid() || found.size() >= kMaxWays) continue;
      std::vector<Step> way = {{site.caller, site.statement}};
      way.insert(way.end(), pending[i].second.begin(), pending[i].second.end());
      if (!isLibrary(program, site.caller))
        found.push_back(std::move(way));
      else if (seen.insert(site.caller).second)
        pending.push_back({site.caller, std::move(way)});
    }
  return found;
}

std::vector<Leaf> leavesOf(const World &world, const WorldAccess &access, size_t limit) {
  const link::Program &program = world.environment.program;
  Walk walk(world.environment, limit);
  walk.down(access.function, access.entry);
  if (!isLibrary(program, access.function)) return std::move(walk.leaves_);
  std::vector<std::vector<Step>> ways = waysInto(program, access.function);
  std::vector<Leaf> led;
  for (const Leaf &leaf : walk.leaves_) {
    bool isLed = std::ranges::any_of(leaf.steps, [&](const Step &step) { return !isLibrary(program, step.function); });
    for (const std::vector<Step> &way : ways) {
      if (isLed || led.size() >= limit) break;
      Leaf longer = leaf;
      longer.steps.insert(longer.steps.begin(), way.begin(), way.end());
      longer.settledAt = static_cast<uint32_t>(way.size());
      led.push_back(std::move(longer));
    }
    if (isLed || ways.empty()) led.push_back(leaf);
  }
  return led;
}

} // namespace deadheat::analyse
