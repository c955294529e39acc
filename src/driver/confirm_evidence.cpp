#include "driver/confirm_evidence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/minimise.h"
#include "driver/confirm_text.h"

namespace deadheat::driver {
namespace {

using confirm::Direction;
using confirm::Outcome;
using confirm::Verdict;
using finding::Level;

constexpr unsigned kMinimiseBudget = 60;

bool same(const Outcome &outcome, const Verdict &verdict) {
  return outcome.deadlock == verdict.outcome.deadlock && outcome.hit() == verdict.outcome.hit() &&
         outcome.exit == verdict.outcome.exit && outcome.signal == verdict.outcome.signal &&
         (!verdict.harm || verdict.harm->kind != "output" || outcome.output == verdict.outcome.output);
}

// The fewest decisions that give the same: a hit, and the same harm.
confirm::Decisions shortest(const Verdict &verdict, const confirm::Runner &runner) {
  auto good = [&](const confirm::Decisions &decisions) {
    Direction direction = verdict.direction;
    direction.strategy = abi::StrategyId::Replay;
    direction.decisions = decisions;
    auto outcome = runner(direction);
    return outcome && !outcome->cut && same(*outcome, verdict);
  };
  // What the program does besides may differ from run to run: then the whole list is the best there is.
  if (verdict.outcome.lostDecisions != 0 || !good(verdict.outcome.decisions)) return verdict.outcome.decisions;
  return confirm::minimise(verdict.outcome.decisions, good, kMinimiseBudget);
}

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

} // namespace

Expected<void> addEvidence(finding::Finding &finding, const Verdict &verdict, const EvidenceRequest &request) {
  confirm::Schedule schedule{.finding = finding.id, .command = request.command};
  llvm::SmallString<256> here;
  (void)llvm::sys::fs::current_path(here);
  schedule.directory = here.str().str();
  schedule.direction = verdict.direction;
  schedule.direction.decisions = shortest(verdict, request.runner);
  Verdict shown = verdict;
  if (Outcome replayed = replay(schedule.direction, request.runner); same(replayed, verdict))
    shown.outcome = std::move(replayed); // what a user will see
  schedule.notes = decisionNotes(schedule.direction, shown.outcome, request.index);
  auto file = store(schedule, request.directory);
  if (!file) return std::unexpected(file.error());
  climb(finding, {.level = verdict.harm ? Level::Harmful : Level::Confirmed,
                  .by = std::string(confirm::name(verdict.direction.strategy)),
                  .detail = interleavingText(finding, shown, request.index),
                  .seed = verdict.direction.seed,
                  .schedule = *file,
                  .runs = verdict.runs,
                  .hits = verdict.hits,
                  .harm = verdict.harm,
                  .steps = interleavingSteps(schedule.direction, shown.outcome, request.index)});
  return {};
}

} // namespace deadheat::driver
