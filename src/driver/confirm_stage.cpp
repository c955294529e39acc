#include "driver/confirm_stage.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "llvm/ADT/STLExtras.h"

#include "confirm/targets.h"
#include "driver/confirm_evidence.h"
#include "driver/confirm_reasons.h"
#include "driver/confirm_survey.h"
#include "driver/paths.h"
#include "driver/run_process.h"

namespace deadheat::driver {
namespace {

using confirm::Campaign;
using finding::Finding;
using finding::Kind;
using finding::Level;
using finding::NotClimbed;
using Targets = std::vector<abi::Target>;

constexpr char kFree[] = "free";        // an access that is that call
constexpr unsigned kRounds[] = {2, 10}; // runs of each candidate before any gets all of its own
constexpr unsigned kWholeRuns = 30;     // of all that the library does for a call
constexpr unsigned kFewCandidates = 8;  // so many are tried even if the survey saw nothing of them
constexpr unsigned kFewAlone = 32;      // so many are tried though one thread did both in all runs of the survey
constexpr unsigned kFewDoubtful = 8;    // of those that are demoted, the best are tried last, in fewer runs

struct Candidate {
  Finding *finding;
  Targets targets = {};
  bool byLibrary = false; // calls of the library do one of its accesses
  bool executed = false;
  bool apart = false;    // its threads came to different addresses
  bool unlikely = false; // the survey saw one side at most, or one thread that does both
  bool repeated = false; // an access of it is in several candidates before it
  std::optional<Campaign> campaign = {};
  bool done = false;
};

class Stage {
public:
  Stage(const std::vector<model::LinkedUnit> &units, const ConfirmRequest &request, const ConfirmProgress &progress)
      : request_(request), progress_(progress), jobs_(request.jobs), index_(units),
        runner_([this](const confirm::Direction &direction) { return run(direction); }) {}

  Expected<void> confirm(std::vector<Finding> &findings) {
    unsigned doubtful = 0;
    for (Finding &finding : findings)
      if (isCandidate(finding) && (!isDoubtful(finding) || (!isOfLibrary(finding) && doubtful++ < kFewDoubtful)))
        candidates_.push_back({.finding = &finding});
    if (auto more = survey(); !more || !*more) return more ? Expected<void>() : std::unexpected(more.error());
    tryTogether();
    for (unsigned runs : kRounds) {
      auto round = eachOpen([&](Candidate &one) { return advance(one, runs); });
      if (!round || !*round) return settle(round);
      auto hit = eachOpen([this](Candidate &one) { return one.campaign->verdict().confirmed ? finish(one) : true; });
      if (!hit || !*hit) return settle(hit);
    }
    return settle(eachOpen([this](Candidate &one) { return finish(one); }));
  }

  ConfirmCounts counts() const { return counts_; }

private:
  Expected<confirm::Outcome> run(const confirm::Direction &direction) {
    if (confirm::Clock::now() >= request_.launch.until) return confirm::Outcome{.cut = true};
    confirm::Direction told = direction;
    told.spinNanoseconds = spinNanoseconds_;
    auto outcome = confirm::runDirected(request_.launch, told);
    if (!outcome || outcome->cut) return outcome;
    spinNanoseconds_ = outcome->spinNanoseconds;
    std::lock_guard hold(mutex_);
    ++counts_.runs;
    counts_.seconds += outcome->seconds;
    counts_.limited += outcome->timedOut || outcome->outOfMemory;
    counts_.childThreads = std::max(counts_.childThreads, outcome->childThreads);
    counts_.failed += outcome->deadlock || outcome->signal || outcome->exit.value_or(0) != 0;
    return outcome;
  }

  using Work = std::function<Expected<bool>(Candidate &)>;

  static bool isCandidate(const Finding &finding) {
    const bool kind = finding.kind == Kind::Race || finding.kind == Kind::Deadlock;
    return kind && finding.level < Level::Confirmed;
  }

  // What only the text suggests, and the text itself casts doubt on, is not worth a hundred runs, unless the user says so.
  bool isDoubtful(const Finding &finding) const {
    return !request_.named && finding.demoted() && finding.level < Level::Predicted;
  }

  // Two variables that points-to takes for one in the library's code: a run that meets there may have met over another one.
  static bool isOfLibrary(const Finding &finding) {
    return finding.accesses.size() == 2 && finding.accesses[0].path != finding.accesses[1].path &&
           llvm::any_of(finding.demotions, [](const auto &demotion) { return demotion.reason == "library-object"; });
  }

  // Freeing is a write that no model knows, nor what a call does by a list of buffers.
  bool isByLibrary(const finding::Access &access) {
    if (access.access == kFree) return true;
    if (!llvm::StringRef(access.access).starts_with("range")) return false;
    return !index_.libraryCallAt(access.site).empty() || index_.targetsOf(access.site, abi::kWatched).empty();
  }

  Targets sideTargets(const finding::Access &access, uint8_t side) {
    Targets targets = index_.targetsOf(access.site, side);
    index_.keepThoseAt(access, targets);
    const bool isWrite = access.access == kFree || llvm::StringRef(access.access).ends_with("write");
    if (isByLibrary(access)) llvm::append_range(targets, survey_.memoryCallsAt(access.place, side, isWrite));
    return targets;
  }

  Targets raceTargets(const Finding &finding) {
    if (finding.accesses.size() != 2) return {};
    const finding::Access &first = finding.accesses[0], &second = finding.accesses[1];
    if (first.site == second.site && first.place.line == second.place.line)
      return sideTargets(first, abi::kFirstSide | abi::kSecondSide);
    Targets one = sideTargets(first, abi::kFirstSide), other = sideTargets(second, abi::kSecondSide);
    if (one.empty() || other.empty()) return {};
    llvm::append_range(one, other);
    return one;
  }

  // What the library does for a call is one access of its object, at the line of the call. One of all that was taken to show it: where no
  // schedule hit that, the others are aimed at. Such a finding has the name that the user gave the object.
  Targets wholeTargets(const Finding &finding) {
    auto standsForCall = [&](const finding::Access &access) {
      const bool isItsOwnName = llvm::StringRef(access.site).contains(":" + access.path);
      return !isItsOwnName && index_.isInLibrary(access.site);
    };
    if (finding.accesses.size() != 2 || llvm::none_of(finding.accesses, standsForCall)) return {};
    Targets sides[2];
    for (int side : {0, 1}) {
      const finding::Access &access = finding.accesses[side];
      const uint8_t bit = side == 0 ? abi::kFirstSide : abi::kSecondSide;
      const bool isWrite = llvm::StringRef(access.access).ends_with("write");
      sides[side] = index_.wholeTargetsAt(access, bit, isWrite);
      llvm::append_range(sides[side], survey_.memoryCallsAt(access.place, bit, isWrite));
      llvm::append_range(sides[side], survey_.memoryCallsIn(index_.libraryNamesAt(access), bit, isWrite));
    }
    if (sides[0].empty() || sides[1].empty()) return {};
    llvm::append_range(sides[0], sides[1]);
    return std::move(sides[0]);
  }

  // Those that only the survey finds are missing.
  Targets knownTargets(Candidate &one) {
    if (one.finding->kind != Kind::Race) return {};
    Targets all;
    for (const finding::Access &access : one.finding->accesses) {
      one.byLibrary |= isByLibrary(access) || index_.isInLibrary(access.site);
      llvm::append_range(all, index_.targetsOf(access.site, abi::kWatched));
    }
    return all;
  }

  // The acquisitions of the circle, by their lines.
  Targets deadlockTargets(const Finding &finding) const {
    Targets targets;
    for (const finding::CycleEdge &edge : finding.cycle) {
      Targets inner = survey_.callsAt(edge.place, abi::kSecondSide);
      if (inner.empty()) return {};
      llvm::append_range(targets, inner);
      if (edge.heldSince.known()) llvm::append_range(targets, survey_.callsAt(edge.heldSince, abi::kFirstSide));
    }
    return targets;
  }

  Expected<bool> survey() {
    Targets all;
    for (Candidate &one : candidates_) llvm::append_range(all, knownTargets(one));
    if (candidates_.empty()) return true;
    const bool memoryCalls = llvm::any_of(candidates_, [](const Candidate &one) { return one.byLibrary; });
    auto more = survey_.make(all, memoryCalls, runner_);
    if (!more || !*more) return more;
    for (Candidate &one : candidates_) look(one);
    order();
    markRepeated();
    order();
    return true;
  }

  // A command that writes to a file of a fixed name or listens on a fixed port disturbs itself: then one run at a time.
  void tryTogether() {
    if (jobs_ < 2 || candidates_.empty()) return;
    std::atomic<bool> good = true;
    double idle[2] = {1, 1}; // how many such runs a processor could take
    auto attempt = [&](uint64_t seed) {
      auto outcome = runner_({.strategy = abi::StrategyId::Random, .seed = seed});
      if (!outcome || outcome->cut) return;
      if (!survey_.endsAsUsual(*outcome)) good = false;
      if (outcome->processorSeconds > 0) idle[seed - 1] = outcome->seconds / outcome->processorSeconds;
    };
    {
      std::jthread other(attempt, 2);
      attempt(1);
    }
    if (!good) jobs_ = 1;
    if (good && !request_.jobsGiven) jobs_ = jobsOf(std::min(idle[0], idle[1]));
    counts_.alone = !good;
  }

  // A server and its client wait for each other most of the time. On a busy machine everybody waits: that is no reason for more runs.
  unsigned jobsOf(double idle) const {
    constexpr unsigned kMost = 3;
    double load = 0;
    if (getloadavg(&load, 1) != 1 || load > 2 * jobs_) return jobs_;
    return jobs_ * std::clamp(static_cast<unsigned>(idle), 1u, kMost);
  }

  // One access may race with a hundred others, a copy of a whole structure say: a few of these pairs tell it all.
  void markRepeated() {
    constexpr unsigned kFew = 5;
    std::map<std::string, unsigned> seen; // by site
    for (Candidate &one : candidates_)
      for (const finding::Access &access : one.finding->accesses) one.repeated |= seen[access.site]++ >= kFew;
  }

  // Those with the best evidence first, and then those that came near.
  void order() {
    std::ranges::sort(candidates_, {}, [this](const Candidate &one) {
      const int level = static_cast<int>(one.finding->level);
      return std::tuple(isDoubtful(*one.finding), one.unlikely, one.repeated, -level, one.apart, one.finding->rank,
                        one.finding->id);
    });
  }

  void look(Candidate &one) {
    if (one.finding->kind == Kind::Race)
      lookAtRace(one);
    else
      lookAtDeadlock(one);
    if (!one.done) one.campaign.emplace(one.targets, optionsFor(one), runner_);
  }

  // Where there are many, those that nothing speaks for get no runs, but for the best of them: a thread that is held back may keep the way
  // open for another one.
  bool isPicky() const { return candidates_.size() > kFewCandidates && !request_.named; }

  void lookAtRace(Candidate &one) {
    one.targets = raceTargets(*one.finding);
    if (one.targets.empty()) one.targets = wholeTargets(*one.finding);
    if (one.targets.empty()) return close(one, untargeted(*one.finding));
    uint8_t seen = 0;
    for (const abi::Target &target : one.targets)
      if (target.memory != 0 || survey_.executed(target)) seen |= target.side;
    one.executed = seen == (abi::kFirstSide | abi::kSecondSide);
    const Survey::Meeting meeting = survey_.meeting(one.targets);
    one.apart = meeting != Survey::Meeting::Together;
    const bool single = meeting == Survey::Meeting::OneThread && one.finding->level < Level::Predicted;
    one.unlikely = isPicky() && (!one.executed || single);
    if (!one.unlikely) return;
    if (!one.executed && unseen_++ >= kFewCandidates) return close(one, {"never-executed", unseen(one, seen)});
    if (one.executed && alone_++ >= kFewAlone)
      close(one, {"one-thread", "in every random schedule one and the same executed both accesses"});
  }

  // The contract's reasons are fixed: what the library does is told beside the one for accesses that no instruction of the program does.
  NotClimbed untargeted(const Finding &finding) const {
    for (const finding::Access &access : finding.accesses)
      if (std::string call = index_.libraryCallAt(access.site); !call.empty())
        return {"optimised-away", call + " at " + access.place.file + ":" + std::to_string(access.place.line),
                "library-call"};
    return {"optimised-away", "no instruction of the program came from it"};
  }

  void lookAtDeadlock(Candidate &one) {
    one.targets = deadlockTargets(*one.finding);
    one.executed = !one.targets.empty();
    if (!one.executed) close(one, {"never-executed", "its acquisitions"});
  }

  static std::string unseen(const Candidate &one, uint8_t seen) {
    const finding::Place &place = one.finding->accesses[seen & abi::kFirstSide ? 1 : 0].place;
    return place.file + ":" + std::to_string(place.line);
  }

  confirm::CampaignOptions optionsFor(const Candidate &one) const {
    confirm::CampaignOptions options = request_.campaign;
    options.wantsDeadlock = one.finding->kind == Kind::Deadlock;
    if (options.wantsDeadlock && !request_.strategyGiven) options.strategy = abi::StrategyId::Deadlock;
    options.usualHarm = survey_.usualHarm();
    if (isDoubtful(*one.finding) || one.unlikely) options.runs = std::min(options.runs, kRounds[1]);
    return options;
  }

  Expected<bool> advance(Candidate &one, unsigned runs) {
    auto more = one.campaign->advance(runs);
    const confirm::Verdict &verdict = one.campaign->verdict();
    const bool unreached = verdict.reached[0] == 0 && verdict.reached[1] == 0;
    if (more && *more && !one.executed && unreached && one.finding->kind == Kind::Race && !request_.named)
      close(one, reasonOf(*one.finding, verdict));
    return more;
  }

  // Takes the place of the campaign if it hits.
  Expected<bool> tryWhole(Candidate &one) {
    if (one.finding->kind != Kind::Race) return true;
    Targets targets = wholeTargets(*one.finding);
    if (targets.empty()) return true;
    confirm::CampaignOptions options = optionsFor(one);
    options.runs = std::min(request_.campaign.runs, kWholeRuns);
    Campaign whole(std::move(targets), options, runner_);
    auto more = whole.advance(options.runs);
    if (whole.verdict().confirmed) one.campaign.emplace(std::move(whole));
    return more;
  }

  // The runs that are left; then it climbs, or says why not.
  Expected<bool> finish(Candidate &one) {
    auto more = one.campaign->advance(request_.campaign.runs);
    if (more && *more && !one.campaign->verdict().confirmed) more = tryWhole(one);
    if (more && *more) more = one.campaign->compareOrders();
    if (!more || !*more) return more;
    if (one.campaign->verdict().confirmed) {
      auto climbed = addEvidence(*one.finding, one.campaign->verdict(),
                                 {request_.launch.command, request_.schedules, index_, runner_});
      if (!climbed) return std::unexpected(climbed.error());
      done(one);
      return true;
    }
    more = one.campaign->lookAround();
    if (!more || !*more) return more;
    close(one, reasonOf(*one.finding, one.campaign->verdict()));
    return true;
  }

  void close(Candidate &one, NotClimbed reason) {
    one.finding->notClimbed = std::move(reason);
    done(one);
  }

  void done(Candidate &one) {
    std::lock_guard hold(mutex_);
    one.done = true;
    progress_(*one.finding, ++done_, candidates_.size());
  }

  // What was confirmed when the time was up climbs all the same, with its whole schedule. What had its rounds, and was not hit, says so.
  Expected<void> settle(const Expected<bool> &last) {
    if (!last) return std::unexpected(last.error());
    for (Candidate &one : candidates_) {
      if (one.done || !one.campaign || one.campaign->verdict().runs < kRounds[0]) continue;
      if (!one.campaign->verdict().confirmed) {
        close(one, reasonOf(*one.finding, one.campaign->verdict()));
        continue;
      }
      auto climbed = addEvidence(*one.finding, one.campaign->verdict(),
                                 {request_.launch.command, request_.schedules, index_, runner_});
      if (!climbed) return climbed;
      done(one);
    }
    return {};
  }

  // `work` on all that are not done, by `jobs` threads. False: there is no time left.
  Expected<bool> eachOpen(const Work &work) {
    std::atomic<size_t> next = 0;
    std::mutex mutex;
    Expected<bool> result = true;
    auto take = [&] {
      for (size_t index; (index = next++) < candidates_.size();) {
        if (candidates_[index].done) continue;
        auto more = work(candidates_[index]);
        if (more && *more) continue;
        std::lock_guard hold(mutex);
        if (result) result = more;
        next = candidates_.size();
      }
    };
    std::vector<std::jthread> workers;
    for (unsigned worker = 1; worker < std::min<size_t>(jobs_, candidates_.size()); ++worker)
      workers.emplace_back(take);
    take();
    workers.clear();
    return result;
  }

  const ConfirmRequest &request_;
  const ConfirmProgress &progress_;
  unsigned jobs_; // runs at once
  confirm::TargetIndex index_;
  confirm::Runner runner_;
  Survey survey_;
  std::vector<Candidate> candidates_;
  std::mutex mutex_;
  size_t done_ = 0;
  unsigned unseen_ = 0, alone_ = 0; // unlikely ones so far
  ConfirmCounts counts_;
  std::atomic<uint64_t> spinNanoseconds_ = 0; // as the latest run has learned it
};

} // namespace

Expected<ConfirmCounts> confirmFindings(std::vector<Finding> &findings, const std::vector<model::LinkedUnit> &units,
                                        const ConfirmRequest &request, const ConfirmProgress &progress) {
  Stage stage(units, request, progress);
  auto confirmed = stage.confirm(findings);
  if (!confirmed) return std::unexpected(confirmed.error());
  return stage.counts();
}

std::vector<std::string> directedEnvironment() { return environmentWith(directorPath(), ""); }

} // namespace deadheat::driver
