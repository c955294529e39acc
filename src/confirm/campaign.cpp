#include "confirm/campaign.h"

#include <algorithm>
#include <cmath>

#include "confirm/judge.h"

namespace deadheat::confirm {

Campaign::Campaign(std::vector<abi::Target> targets, CampaignOptions options, Runner runner)
    : options_(std::move(options)), runner_(std::move(runner)) {
  base_.targets = std::move(targets);
  base_.strategy = options_.strategy;
}

Expected<bool> Campaign::advance(unsigned runs) {
  while (verdict_.runs < std::min<uint64_t>(runs, options_.runs) && !isEnough()) {
    base_.seed = options_.firstSeed + verdict_.runs;
    const bool isVaried = verdict_.hits == 0 && verdict_.runs >= options_.strict;
    base_.lax = isVaried && verdict_.runs % 2 == 0;
    base_.patient = isVaried && verdict_.runs % 2 == 1;
    auto outcome = runner_(base_);
    if (!outcome) return std::unexpected(outcome.error());
    if (outcome->cut) return false;
    take(std::move(*outcome));
  }
  verdict_.probability = probabilityOf(verdict_.hits, verdict_.runs);
  return judgeHang();
}

// Of a circle, at least two threads stand where it is. One that waits for itself has nobody beside it.
bool Campaign::isHit(const Outcome &outcome) const {
  if (!options_.wantsDeadlock) return outcome.hit();
  if (!outcome.deadlock) return false;
  const auto there = std::ranges::count_if(
      outcome.tasks, [](const abi::TaskView &task) { return task.state == abi::TaskState::Blocked && task.side != 0; });
  return there >= 2;
}

bool Campaign::isEnough() const {
  if (verdict_.limited == verdict_.runs && verdict_.runs >= options_.endless) return true;
  const bool unreached = verdict_.reached[0] == 0 || verdict_.reached[1] == 0;
  if (unreached && !options_.wantsDeadlock) return verdict_.runs >= options_.hopeless;
  return verdict_.hits >= options_.enough;
}

void Campaign::count(const Outcome &outcome) {
  verdict_.oneThread = outcome.oneThread && (verdict_.runs == 0 || verdict_.oneThread);
  ++verdict_.runs;
  verdict_.directed |= outcome.directed;
  const bool limited = outcome.timedOut || outcome.outOfMemory;
  verdict_.limited += limited;
  if (!limited) longest_ = std::max(longest_, outcome.seconds);
  countOrder(outcome);
}

void Campaign::countOrder(const Outcome &outcome) {
  for (int side : {0, 1}) verdict_.reached[side] += outcome.reached[side];
  const abi::Order before = verdict_.order;
  if (before.ordered == 0 && outcome.order.ordered != 0) {
    verdict_.order = outcome.order;
    verdict_.objects = outcome.objects;
    verdict_.order.met += before.met;
  } else {
    verdict_.order.met += outcome.order.met;
    verdict_.order.ordered += outcome.order.ordered;
  }
}

void Campaign::take(Outcome outcome) {
  count(outcome);
  if (!isHit(outcome)) return;
  ++verdict_.hits;
  auto harm = harmOf(outcome);
  if (harm && harm->kind == options_.usualHarm) harm.reset();
  if (outcome.timedOut && !hang_) {
    hang_ = base_;
    hangSeconds_ = outcome.seconds;
  }
  const bool first = !verdict_.confirmed, worse = harm && !verdict_.harm;
  verdict_.confirmed = true;
  if (worse) verdict_.harm = harm;
  if (first || worse) {
    verdict_.direction = base_;
    verdict_.outcome = std::move(outcome);
  }
}

Expected<bool> Campaign::judgeHang() {
  if (verdict_.harm || !hang_ || longest_ == 0 || hangSeconds_ < kHangFactor * longest_) return true;
  auto again = runner_(*hang_);
  if (!again) return std::unexpected(again.error());
  if (again->cut) return false;
  if (again->timedOut && isHit(*again)) {
    verdict_.harm = finding::Harm{"hang", "did not end within the limit, other schedules do"};
    verdict_.direction = *hang_;
    verdict_.outcome = std::move(*again);
  }
  hang_.reset();
  return true;
}

Expected<bool> Campaign::lookAround() {
  constexpr uint64_t kMeetings = 3;
  Direction direction = base_;
  direction.strategy = abi::StrategyId::Random;
  if (options_.wantsDeadlock || verdict_.limited == verdict_.runs) return true;
  for (unsigned index = 0; index != options_.around && verdict_.order.met < kMeetings; ++index) {
    direction.seed = options_.firstSeed + index;
    auto outcome = runner_(direction);
    if (!outcome) return std::unexpected(outcome.error());
    if (outcome->cut) return false;
    verdict_.oneThread &= outcome->oneThread || outcome->reached[0] + outcome->reached[1] == 0;
    countOrder(*outcome);
  }
  return true;
}

// Runs that hit, with different seeds: what else schedules change must show, or the order would be blamed for it. Fewer than were asked for:
// it is not hit often enough, or a run says nothing.
Expected<std::vector<Campaign::Kept>> Campaign::runsOf(uint32_t resolve, uint64_t skipped) {
  std::vector<Kept> runs;
  Direction direction = verdict_.direction;
  direction.resolve = resolve;
  direction.seed += skipped;
  for (unsigned tries = 0; runs.size() != options_.repeats && tries != 3 * options_.repeats;
       ++tries, ++direction.seed) {
    auto outcome = runner_(direction);
    if (!outcome) return std::unexpected(outcome.error());
    cut_ |= outcome->cut;
    if (outcome->cut || outcome->timedOut || outcome->outOfMemory || isHeldTooLong(*outcome)) return runs;
    if (outcome->hit()) runs.push_back({{outcome->exit, outcome->signal, outcome->output}, direction, *outcome});
  }
  return runs;
}

// Whether all of `some` can be seen to be the same, and none of `others` is like them.
bool Campaign::standsAlone(const std::vector<Kept> &some, const std::vector<Kept> &others) {
  auto isLike = [&](const Kept &run) { return run.visible == some.front().visible; };
  return std::ranges::all_of(some, isLike) && std::ranges::none_of(others, isLike);
}

Expected<bool> Campaign::compareOrders() {
  if (!verdict_.confirmed || verdict_.harm || options_.wantsDeadlock) return true;
  std::vector<Kept> orders[2];
  bool first = true, second = true;
  // Twice: what other races make of a schedule falls on one side by chance now and then.
  for (uint64_t skipped = 0; (first || second) && skipped <= 3 * options_.repeats; skipped += 3 * options_.repeats) {
    for (uint32_t side : {0, 1}) {
      auto runs = runsOf(side + 1, skipped);
      if (!runs) return std::unexpected(runs.error());
      if (runs->size() != options_.repeats) return !cut_;
      std::ranges::move(*runs, std::back_inserter(orders[side]));
    }
    first = standsAlone(orders[0], orders[1]);
    second = standsAlone(orders[1], orders[0]);
  }
  verdict_.unstable = !first && !second && orders[0].front().visible != orders[1].front().visible;
  if (!first && !second) return true;
  // The one that came to harm by itself; else the one that is not always the same, if there is such.
  std::optional<finding::Harm> harms[2] = {harmOf(orders[0].front().outcome), harmOf(orders[1].front().outcome)};
  const bool spoken = harms[0].has_value() != harms[1].has_value();
  const size_t worse = spoken ? (harms[1] ? 1 : 0) : (first ? 1 : 0);
  Kept &kept = orders[worse].front();
  const bool output = orders[0].front().visible.output != orders[1].front().visible.output;
  verdict_.harm = spoken ? *harms[worse]
                         : finding::Harm{"output", output ? "the two orders print different things"
                                                          : "the two orders end with different exit statuses"};
  verdict_.direction = std::move(kept.direction);
  verdict_.outcome = std::move(kept.outcome);
  return true;
}

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
  Campaign campaign(targets, options, runner);
  auto hunted = campaign.advance(options.runs);
  if (!hunted) return std::unexpected(hunted.error());
  if (auto compared = campaign.compareOrders(); !compared) return std::unexpected(compared.error());
  return campaign.verdict();
}

} // namespace deadheat::confirm
