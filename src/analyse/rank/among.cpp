#include "analyse/rank/among.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace deadheat::analyse {

static const finding::Demotion kWeak = {
    "weak-evidence",
    "only points-to says that both may be the same object, little else speaks for it, and for many other "
    "variables of this program as little"};

static const finding::Demotion kNothing = {
    "weak-evidence", "only points-to says that both may be the same object, and nothing else speaks for it"};

using Weak = std::map<VariableKey, double>; // the best score of each; 0: others demote them all

static bool isWeak(const Ranked &one, const Weak &weak) {
  return one.finding.demotions.empty() && !one.isNamed && weak.contains(one.variable);
}

static void keepBestFew(const std::vector<Ranked> &found, Weak &weak) {
  auto isShown = [&](const Ranked &one) { return one.finding.demotions.empty() && !isWeak(one, weak); };
  if (std::ranges::any_of(found, isShown)) return;
  std::vector<std::pair<double, VariableKey>> order;
  for (const auto &[variable, score] : weak)
    if (score >= kFewScore) order.push_back({-score, variable});
  std::ranges::sort(order);
  for (size_t i = 0; i < std::min(order.size(), kBestFew); ++i) weak.erase(order[i].second);
}

void demoteWeak(std::vector<Ranked> &found) {
  Weak best;
  for (const Ranked &one : found) {
    if (one.isNamed || (one.isLibrary && !one.finding.demotions.empty())) continue;
    double &score = best.try_emplace(one.variable, 0.0).first->second;
    if (one.finding.demotions.empty()) score = std::max(score, one.finding.score);
  }
  std::erase_if(best, [](const auto &of) { return of.second >= kWeakScore; });
  const bool areMany = best.size() >= kManyWeak;
  if (!areMany) std::erase_if(best, [](const auto &of) { return of.second >= kNoScore; });
  keepBestFew(found, best);
  for (Ranked &one : found)
    if (isWeak(one, best)) one.finding.demotions.push_back(areMany ? kWeak : kNothing);
}

void spread(std::vector<Ranked> &found) {
  std::vector<size_t> order(found.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(-found[i].finding.score, i); });
  std::map<VariableKey, unsigned> before;
  for (size_t i : order) {
    double share = std::pow(0.93, before[found[i].variable]++);
    if (found[i].copy) share *= std::pow(0.8, before[*found[i].copy]++);
    found[i].finding.score = std::round(found[i].finding.score * share * 100.0) / 100.0;
  }
}

} // namespace deadheat::analyse
