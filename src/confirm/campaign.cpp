#include "confirm/campaign.h"

#include <cmath>

#include "confirm/judge.h"

namespace deadheat::confirm {
namespace {

class Campaign {
public:
  Campaign(const std::vector<abi::Target> &targets, const CampaignOptions &options, const Runner &runner)
      : options_(options), runner_(runner) {
    base_.targets = targets;
    base_.strategy = options.strategy;
  }

  Expected<Verdict> run() {
    for (unsigned index = 0; index != options_.runs && !isEnough(); ++index) {
      base_.seed = options_.firstSeed + index;
      auto outcome = runner_(base_);
      if (!outcome) return std::unexpected(outcome.error());
      take(std::move(*outcome));
    }
    if (verdict_.confirmed && !verdict_.harm && !options_.wantsDeadlock)
      if (auto compared = compareOrders(); !compared) return std::unexpected(compared.error());
    verdict_.probability = probabilityOf(verdict_.hits, verdict_.runs);
    return std::move(verdict_);
  }

private:
  bool isHit(const Outcome &outcome) const { return options_.wantsDeadlock ? outcome.deadlock : outcome.hit(); }

  bool isEnough() const {
    const bool unreached = verdict_.reached[0] == 0 || verdict_.reached[1] == 0;
    if (unreached && !options_.wantsDeadlock) return verdict_.runs >= options_.hopeless;
    return verdict_.hits >= options_.enough;
  }

  void take(Outcome outcome) {
    verdict_.oneThread = outcome.oneThread && (verdict_.runs == 0 || verdict_.oneThread);
    ++verdict_.runs;
    verdict_.directed |= outcome.directed;
    for (int side : {0, 1}) verdict_.reached[side] += outcome.reached[side];
    if (!isHit(outcome)) return;
    ++verdict_.hits;
    auto harm = harmOf(outcome);
    const bool first = !verdict_.confirmed, worse = harm && !verdict_.harm;
    verdict_.confirmed = true;
    if (worse) verdict_.harm = harm;
    if (first || worse) {
      verdict_.direction = base_;
      verdict_.outcome = std::move(outcome);
    }
  }

  // What can be seen of a run from outside.
  struct Visible {
    std::optional<int> exit, signal;
    std::string output;
    bool operator==(const Visible &) const = default;
  };

  // Runs with one seed, so that nothing but the order of the race differs. Null: not stable, or not hit.
  Expected<std::optional<Visible>> visibleOf(uint32_t resolve) {
    std::optional<Visible> seen;
    Direction direction = verdict_.direction;
    direction.resolve = resolve;
    for (unsigned index = 0; index != options_.repeats; ++index) {
      auto outcome = runner_(direction);
      if (!outcome) return std::unexpected(outcome.error());
      if (!outcome->hit()) return std::optional<Visible>();
      Visible visible{outcome->exit, outcome->signal, outcome->output};
      if (!seen) {
        seen = visible;
        last_ = std::move(*outcome);
      } else if (*seen != visible) {
        verdict_.unstable = true;
        return std::optional<Visible>();
      }
    }
    lastDirection_ = direction;
    return seen;
  }

  Expected<void> compareOrders() {
    auto first = visibleOf(1);
    if (!first) return std::unexpected(first.error());
    if (!*first) return {};
    auto second = visibleOf(2);
    if (!second) return std::unexpected(second.error());
    if (!*second || **first == **second) return {};
    const bool output = (*first)->output != (*second)->output;
    verdict_.harm = finding::Harm{"output", output ? "the two orders print different things"
                                                   : "the two orders end with different exit statuses"};
    verdict_.direction = lastDirection_;
    verdict_.outcome = std::move(last_);
    return {};
  }

  const CampaignOptions &options_;
  const Runner &runner_;
  Direction base_;
  Direction lastDirection_;
  Outcome last_;
  Verdict verdict_;
};

} // namespace

Probability probabilityOf(uint64_t hits, uint64_t runs) {
  if (runs == 0) return {};
  constexpr double kZ = 1.96;
  const double n = static_cast<double>(runs), share = static_cast<double>(hits) / n;
  const double scale = 1 + kZ * kZ / n;
  const double centre = (share + kZ * kZ / (2 * n)) / scale;
  const double half = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n)) / scale;
  return {share, std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Expected<Verdict> runCampaign(const std::vector<abi::Target> &targets, const CampaignOptions &options,
                              const Runner &runner) {
  return Campaign(targets, options, runner).run();
}

} // namespace deadheat::confirm
