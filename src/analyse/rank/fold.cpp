#include "analyse/rank/fold.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "analyse/race/shown.h"

namespace deadheat::analyse {

namespace {

constexpr unsigned kMaxPairs = 32;       // of one variable
constexpr unsigned kMaxDemotedPairs = 4; // and of those that are less likely

using Line = std::tuple<link::FuncId, uint32_t, std::string_view>; // and what is accessed there
using LinePair = std::pair<Line, Line>;

Line lineOf(const World &world, const Leaf &leaf) {
  Shown shown = shownAt(world.environment.program, leaf);
  return {shown.function, shown.line, shown.path};
}

// Less is likelier.
auto costOf(const World &world, const Judged &judged) {
  const Candidate &candidate = *judged.candidate;
  bool areWrites = world.entryOf(world.accesses[candidate.pair->a]).traits.write &&
                   world.entryOf(world.accesses[candidate.pair->b]).traits.write;
  return std::tuple(judged.demotions.size(), !candidate.pair->isSameName, !areWrites,
                    candidate.a.steps.size() + candidate.b.steps.size());
}

std::vector<Judged> onePerLines(const World &world, std::vector<Judged> all) {
  std::map<LinePair, size_t> places;
  std::vector<Judged> kept;
  for (Judged &judged : all) {
    LinePair lines = std::minmax(lineOf(world, judged.candidate->a), lineOf(world, judged.candidate->b));
    auto [place, isNew] = places.try_emplace(lines, kept.size());
    if (isNew) {
      kept.push_back(std::move(judged));
      continue;
    }
    Judged &known = kept[place->second];
    judged.others = known.others + 1;
    if (costOf(world, judged) < costOf(world, known))
      known = std::move(judged);
    else
      known.others = judged.others;
  }
  return kept;
}

// By variable, the likeliest first; of equal ones in the order in which they come. A key costs more than comparing it.
std::vector<Judged> inOrder(const World &world, std::vector<Judged> all) {
  using Key = decltype(costOf(world, all[0]));
  std::vector<std::tuple<VariableKey, Key, size_t>> keys;
  keys.reserve(all.size());
  for (size_t i = 0; i < all.size(); ++i) keys.push_back({all[i].variable, costOf(world, all[i]), i});
  std::ranges::sort(keys);
  std::vector<Judged> ordered;
  ordered.reserve(all.size());
  for (const auto &key : keys) ordered.push_back(std::move(all[std::get<size_t>(key)]));
  return ordered;
}

// Those of one pair of functions after one another tell less than those of several.
std::vector<Judged> fewPerVariable(const World &world, std::vector<Judged> all, uint64_t &dropped) {
  all = inOrder(world, std::move(all));
  using Functions = std::tuple<VariableKey, bool, link::FuncId, link::FuncId>;
  std::map<Functions, unsigned> ofFunctions;
  std::vector<std::tuple<VariableKey, bool, unsigned, size_t>> order;
  for (size_t i = 0; i < all.size(); ++i) {
    auto functions = std::minmax(all[i].candidate->a.steps.back().function, all[i].candidate->b.steps.back().function);
    bool isDemoted = !all[i].demotions.empty();
    unsigned before = ofFunctions[{all[i].variable, isDemoted, functions.first, functions.second}]++;
    order.push_back({all[i].variable, isDemoted, before, i});
  }
  std::ranges::sort(order);
  std::vector<Judged> kept;
  std::map<std::pair<VariableKey, bool>, unsigned> count;
  for (const auto &[variable, isDemoted, before, i] : order)
    if (count[{variable, isDemoted}]++ < (isDemoted ? kMaxDemotedPairs : kMaxPairs))
      kept.push_back(std::move(all[i]));
    else
      ++dropped;
  return kept;
}

} // namespace

std::vector<Judged> foldAlike(const World &world, std::vector<Judged> all, uint64_t &dropped) {
  return fewPerVariable(world, onePerLines(world, std::move(all)), dropped);
}

} // namespace deadheat::analyse
