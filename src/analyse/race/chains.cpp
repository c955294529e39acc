#include "analyse/race/chains.h"

#include <set>
#include <utility>

namespace deadheat::analyse {

static constexpr size_t kMaxSteps = 24;

namespace {

class Walk {
public:
  Walk(const Environment &environment, size_t limit) : environment_(environment), limit_(limit) {}

  // Every entry is walked once for each statement of the outermost function: one chain for an access is enough, and
  // recursion ends.
  void down(link::FuncId function, uint32_t entry) {
    const std::vector<Entry> &entries = environment_.summary(function).entries;
    if (steps_.size() >= kMaxSteps || entry >= entries.size()) return;
    for (const Source &source : entries[entry].sources) {
      if (leaves_.size() >= limit_) return;
      if (steps_.empty()) seen_.clear();
      steps_.push_back({function, source.statement});
      if (source.site.valid())
        leaves_.push_back({environment_.program.function(function).unit, source.site, steps_});
      else if (source.callee.valid() && seen_.insert({source.callee, source.entry}).second)
        down(source.callee, source.entry);
      steps_.pop_back();
    }
  }

  std::vector<Leaf> leaves_;

private:
  const Environment &environment_;
  size_t limit_;
  std::vector<Step> steps_;
  std::set<std::pair<link::FuncId, uint32_t>> seen_;
};

} // namespace

std::vector<Leaf> leavesOf(const World &world, const WorldAccess &access, size_t limit) {
  Walk walk(world.environment, limit);
  walk.down(access.function, access.entry);
  return std::move(walk.leaves_);
}

} // namespace deadheat::analyse
