#include "driver/confirm_stage.h"

#include <atomic>
#include <mutex>
#include <thread>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/directed_run.h"
#include "confirm/minimise.h"
#include "confirm/targets.h"
#include "driver/confirm_text.h"
#include "driver/paths.h"
#include "driver/run_process.h"
#include "symbol/lines.h"

namespace deadheat::driver {
namespace {

using confirm::Direction;
using confirm::Outcome;
using confirm::TargetIndex;
using confirm::Verdict;
using finding::Finding;
using finding::Kind;
using finding::Level;

constexpr unsigned kMinimiseBudget = 60;

class Stage {
public:
  Stage(const std::vector<model::LinkedUnit> &units, const ConfirmRequest &request)
      : units_(units), request_(request), index_(units),
        launch_{.command = request.command, .environment = request.environment, .limit = request.limit} {}

  Expected<void> confirm(Finding &finding) const {
    const bool isDeadlock = finding.kind == Kind::Deadlock;
    std::vector<abi::Target> targets = isDeadlock ? deadlockTargets(finding) : raceTargets(finding);
    if (targets.empty())
      return doesNotClimb(finding, "optimised-away", "no instruction of the program came from it"), Expected<void>();
    confirm::CampaignOptions options = request_.campaign;
    options.wantsDeadlock = isDeadlock;
    confirm::Runner runner = [this](const Direction &direction) { return confirm::runDirected(launch_, direction); };
    auto verdict = confirm::runCampaign(targets, options, runner);
    if (!verdict) return std::unexpected(verdict.error());
    return verdict->confirmed ? climb(finding, *verdict) : explain(finding, *verdict);
  }

private:
  std::vector<abi::Target> raceTargets(const Finding &finding) const {
    if (finding.accesses.size() != 2) return {};
    const std::string &first = finding.accesses[0].site, &second = finding.accesses[1].site;
    if (first == second) return index_.targetsOf(first, abi::kFirstSide | abi::kSecondSide);
    std::vector<abi::Target> one = index_.targetsOf(first, abi::kFirstSide);
    std::vector<abi::Target> other = index_.targetsOf(second, abi::kSecondSide);
    if (one.empty() || other.empty()) return {};
    llvm::append_range(one, other);
    return one;
  }

  // The acquisitions of the cycle, by their lines.
  std::vector<abi::Target> deadlockTargets(const Finding &finding) const {
    std::vector<abi::Target> targets;
    for (const finding::CycleEdge &edge : finding.cycle) {
      auto ranges = symbol::rangesOfLine(request_.program, edge.place.file, edge.place.line);
      if (!ranges || units_.empty()) return {};
      // A return address is behind the call: the first byte after the range is in it, its first byte is not.
      for (const symbol::AddressRange &range : *ranges)
        targets.push_back({.checksum = units_.front().checksum,
                           .begin = range.begin + 1,
                           .end = range.end + 1,
                           .late = abi::kNoLate,
                           .side = abi::kFirstSide});
    }
    return targets;
  }

  static void doesNotClimb(Finding &finding, const char *reason, std::string by) {
    finding.notClimbed = finding::NotClimbed{reason, std::move(by)};
  }

  static Expected<void> explain(Finding &finding, const Verdict &verdict) {
    const bool race = finding.kind != Kind::Deadlock;
    if (!verdict.directed)
      doesNotClimb(finding, "never-executed", "no process of the command has this code");
    else if (race && (verdict.reached[0] == 0 || verdict.reached[1] == 0))
      doesNotClimb(finding, "never-executed", neverExecuted(finding, verdict));
    else if (verdict.oneThread)
      doesNotClimb(finding, "one-thread", "both accesses were executed by one thread only");
    else if (std::string lock = commonLock(finding); !lock.empty())
      doesNotClimb(finding, "always-ordered", lock);
    else
      doesNotClimb(finding, "not-hit", std::to_string(verdict.runs) + " schedules");
    return {};
  }

  static std::string neverExecuted(const Finding &finding, const Verdict &verdict) {
    const finding::Access &access = finding.accesses[verdict.reached[0] == 0 ? 0 : 1];
    return access.place.file + ":" + std::to_string(access.place.line);
  }

  static std::string commonLock(const Finding &finding) {
    if (finding.accesses.size() != 2) return {};
    for (const std::string &lock : finding.accesses[0].locks)
      if (llvm::is_contained(finding.accesses[1].locks, lock)) return lock;
    return {};
  }

  Expected<void> climb(Finding &finding, Verdict &verdict) const {
    confirm::Schedule schedule{.finding = finding.id, .command = request_.command};
    llvm::SmallString<256> here;
    (void)llvm::sys::fs::current_path(here);
    schedule.directory = here.str().str();
    schedule.direction = verdict.direction;
    schedule.direction.decisions = shortest(verdict);
    const Outcome replayed = replay(schedule.direction);
    schedule.notes = decisionNotes(schedule.direction, replayed, index_);
    auto file = store(schedule);
    if (!file) return std::unexpected(file.error());
    finding::Evidence evidence;
    evidence.level = verdict.harm ? Level::Harmful : Level::Confirmed;
    evidence.by = std::string(confirm::name(request_.campaign.strategy));
    if (same(replayed, verdict)) verdict.outcome = replayed; // what a user will see
    evidence.detail = interleavingText(finding, verdict, index_);
    evidence.seed = verdict.direction.seed;
    evidence.schedule = *file;
    evidence.runs = verdict.runs;
    evidence.hits = verdict.hits;
    evidence.harm = verdict.harm;
    evidence.steps = interleavingSteps(schedule.direction, replayed, index_);
    finding.level = std::max(finding.level, evidence.level);
    finding.notClimbed.reset();
    finding.demotions.clear(); // doubts about the text, and it happened
    if (!llvm::is_contained(finding.votes, "racefuzzer")) finding.votes.push_back("racefuzzer");
    finding.evidence.push_back(std::move(evidence));
    return {};
  }

  // The fewest decisions that give the same: a hit, and the same harm.
  confirm::Decisions shortest(const Verdict &verdict) const {
    auto good = [&](const confirm::Decisions &decisions) {
      Direction direction = verdict.direction;
      direction.strategy = abi::StrategyId::Replay;
      direction.decisions = decisions;
      auto outcome = confirm::runDirected(launch_, direction);
      return outcome && same(*outcome, verdict);
    };
    // What the program does besides may differ from run to run: then the whole list is the best there is.
    if (verdict.outcome.lostDecisions != 0 || !good(verdict.outcome.decisions)) return verdict.outcome.decisions;
    return confirm::minimise(verdict.outcome.decisions, good, kMinimiseBudget);
  }

  // As a user will see it. What cannot be run again has nothing to show.
  Outcome replay(Direction direction) const {
    direction.strategy = abi::StrategyId::Replay;
    auto outcome = confirm::runDirected(launch_, direction);
    return outcome ? std::move(*outcome) : Outcome{};
  }

  static bool same(const Outcome &outcome, const Verdict &verdict) {
    return outcome.deadlock == verdict.outcome.deadlock && outcome.hit() == verdict.outcome.hit() &&
           outcome.exit == verdict.outcome.exit && outcome.signal == verdict.outcome.signal &&
           (!verdict.harm || verdict.harm->kind != "output" || outcome.output == verdict.outcome.output);
  }

  Expected<std::string> store(const confirm::Schedule &schedule) const {
    llvm::SmallString<256> path(request_.schedules);
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

  const std::vector<model::LinkedUnit> &units_;
  const ConfirmRequest &request_;
  TargetIndex index_;
  confirm::Launch launch_;
};

// What only the text suggests, and the text itself casts doubt on, is not worth a hundred runs.
bool isCandidate(const Finding &finding) {
  return (finding.kind == Kind::Race || finding.kind == Kind::Deadlock) && finding.level < Level::Confirmed &&
         (!finding.demoted() || finding.level >= Level::Predicted);
}

} // namespace

Expected<void> confirmFindings(std::vector<Finding> &findings, const std::vector<model::LinkedUnit> &units,
                               const ConfirmRequest &request, const ConfirmProgress &progress) {
  std::vector<Finding *> candidates;
  for (Finding &finding : findings)
    if (isCandidate(finding)) candidates.push_back(&finding);
  const Stage stage(units, request);
  const auto began = std::chrono::steady_clock::now();
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  size_t done = 0;
  Expected<void> result;
  auto work = [&] {
    for (size_t index; (index = next++) < candidates.size();) {
      if (request.time.count() != 0 && std::chrono::steady_clock::now() - began > request.time) return;
      auto confirmed = stage.confirm(*candidates[index]);
      std::lock_guard hold(mutex);
      if (!confirmed) {
        result = confirmed;
        next = candidates.size();
      }
      progress(*candidates[index], ++done, candidates.size());
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned worker = 1; worker < std::min<size_t>(request.jobs, candidates.size()); ++worker)
    workers.emplace_back(work);
  work();
  workers.clear();
  return result;
}

std::vector<std::string> directedEnvironment() { return environmentWith(directorPath(), ""); }

} // namespace deadheat::driver
