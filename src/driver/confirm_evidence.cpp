#include "driver/confirm_evidence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/directed_run.h"
#include "confirm/minimise.h"
#include "driver/confirm_text.h"

namespace deadheat::driver {
namespace {

using confirm::Decisions;
using confirm::Direction;
using confirm::Outcome;
using confirm::Verdict;
using finding::Level;

constexpr unsigned kMinimiseBudget = 100;

// `loosely`: whatever else the program prints.
bool same(const Outcome &outcome, const Verdict &verdict, bool loosely = false) {
  return outcome.deadlock == verdict.outcome.deadlock && outcome.hit() == verdict.outcome.hit() &&
         outcome.exit == verdict.outcome.exit && outcome.signal == verdict.outcome.signal &&
         (loosely || !verdict.harm || verdict.harm->kind != "output" || outcome.output == verdict.outcome.output);
}

// Recordings of runs that were the same: in the first part of it to be tried, all that came after the hit is left out.
Decisions until(const Decisions &decisions, const Outcome &outcome) {
  if (outcome.hitList.empty()) return decisions;
  Decisions early;
  for (const abi::Decision &decision : decisions)
    if (decision.point <= outcome.hitList.front().point + 1) early.push_back(decision);
  return early;
}

class Shortener {
public:
  Shortener(const Verdict &verdict, const confirm::Runner &runner)
      : verdict_(verdict), runner_(runner), best_(verdict.outcome.decisions) {}

  // The fewest decisions that give the same: a hit, and the same harm. Without time for that, all of them.
  Decisions run() {
    const Decisions all = best_;
    tryCalmly();
    if (best_.size() > kMany) {
      loosely_ = true;
      tryCalmly();
    }
    auto follow = [this](const Decisions &decisions) { return attempt(direction(abi::StrategyId::Follow, decisions)); };
    if (auto early = follow(until(all, verdict_.outcome))) take(std::move(*early));
    best_ = confirm::minimise(std::move(best_), follow, kMinimiseBudget);
    // What was followed must also be repeated, by points. Some decisions only kept others in their places.
    auto replay = [this](const Decisions &decisions) { return attempt(direction(abi::StrategyId::Replay, decisions)); };
    const auto end = std::exchange(end_, confirm::Clock::time_point::max()); // this one run must be
    if (!replay(best_)) return all;
    end_ = end;
    return best_.size() < kFew ? confirm::minimise(std::move(best_), replay, kMinimiseBudget) : best_;
  }

private:
  Direction direction(abi::StrategyId strategy, Decisions decisions) const {
    Direction same = verdict_.direction;
    same.strategy = strategy;
    same.decisions = std::move(decisions);
    return same;
  }

  // What was recorded; null: it is not the same.
  std::optional<Decisions> attempt(const Direction &direction) const {
    if (confirm::Clock::now() > end_) return std::nullopt;
    auto outcome = runner_(direction);
    if (!outcome || outcome->cut || outcome->lostDecisions != 0 || !same(*outcome, verdict_, loosely_))
      return std::nullopt;
    return std::move(outcome->decisions);
  }

  void take(Decisions decisions) {
    if (decisions.size() < best_.size()) best_ = std::move(decisions);
  }

  // A strategy that aims needs few switches besides those that hold a thread back.
  void tryCalmly() {
    struct Mood {
      uint32_t calm;
      bool hasty;
    };
    constexpr Mood kMoods[] = {{~0u, true}, {~0u, true}, {~0u, false}, {64, true}, {64, false}, {8, false}};
    Direction calm = verdict_.direction;
    for (const Mood &mood : kMoods) {
      calm.calm = mood.calm;
      calm.hasty = mood.hasty;
      if (auto decisions = attempt(calm)) take(std::move(*decisions));
      if (best_.size() < kFew) return;
      ++calm.seed;
    }
  }

  static constexpr size_t kFew = 64, kMany = 500;
  const Verdict &verdict_;
  const confirm::Runner &runner_;
  Decisions best_;
  // A server runs until its limit, each time.
  confirm::Clock::time_point end_ = confirm::Clock::now() + std::chrono::seconds(15);
  bool loosely_ = false; // nobody reads thousands of decisions: a shorter schedule with other output is worth more
};

// As a user will see it. What cannot be run again has nothing to show.
Outcome replay(Direction direction, const confirm::Runner &runner) {
  direction.strategy = abi::StrategyId::Replay;
  auto outcome = runner(direction);
  return outcome ? std::move(*outcome) : Outcome{};
}

Expected<std::string> store(const confirm::Schedule &schedule, const std::string &directory) {
  llvm::SmallString<256> path(directory);
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return fail(path.str().str() + ": " + error.message(), "choose another --db");
  llvm::sys::path::append(path, schedule.finding + ".schedule");
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << confirm::print(schedule);
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error) return fail(path.str().str() + ": " + error.message(), "choose another --db");
  return path.str().str();
}

void climb(finding::Finding &finding, finding::Evidence evidence) {
  finding.level = std::max(finding.level, evidence.level);
  finding.notClimbed.reset();
  finding.demotions.clear(); // doubts about the text, and it happened
  if (!llvm::is_contained(finding.votes, "racefuzzer")) finding.votes.push_back("racefuzzer");
  finding.evidence.push_back(std::move(evidence));
}

// What a user should know before a replay does something else.
std::string caveats(const Verdict &verdict, const Outcome &replayed) {
  std::string words;
  const bool strays = replayed.strayed != 0 || !same(replayed, verdict, true);
  if (replayed.directed && !replayed.cut && strays)
    words += "; a replay of it strays: what the program gets from elsewhere differs from run to run";
  if (verdict.outcome.directed && !verdict.outcome.fixedLayout)
    words += "; the system does not let addresses be the same in each run";
  if (verdict.unstable) words += "; what the program prints also differs between schedules of one order";
  return words;
}

} // namespace

Expected<void> addEvidence(finding::Finding &finding, const Verdict &verdict, const EvidenceRequest &request) {
  confirm::Schedule schedule{.finding = finding.id, .command = request.command};
  llvm::SmallString<256> here;
  (void)llvm::sys::fs::current_path(here);
  schedule.directory = here.str().str();
  schedule.direction = verdict.direction;
  schedule.direction.decisions = Shortener(verdict, request.runner).run();
  Verdict shown = verdict;
  Outcome replayed = replay(schedule.direction, request.runner);
  const std::string doubts = caveats(verdict, replayed);
  if (same(replayed, verdict, true)) shown.outcome = std::move(replayed); // what a user will see
  schedule.notes = decisionNotes(schedule.direction, shown.outcome, request.index);
  auto file = store(schedule, request.directory);
  if (!file) return std::unexpected(file.error());
  climb(finding, {.level = verdict.harm ? Level::Harmful : Level::Confirmed,
                  .by = std::string(confirm::name(verdict.direction.strategy)),
                  .detail = interleavingText(finding, shown, request.index) + doubts,
                  .seed = verdict.direction.seed,
                  .schedule = *file,
                  .runs = verdict.runs,
                  .hits = verdict.hits,
                  .probability = verdict.probability,
                  .harm = verdict.harm,
                  .steps = interleavingSteps(schedule.direction, shown.outcome, request.index)});
  return {};
}

} // namespace deadheat::driver
