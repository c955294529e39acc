#include "driver/confirm_verb.h"

#include <algorithm>
#include <thread>

#include <unistd.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/schedule.h"
#include "driver/candidates.h"
#include "driver/common_options.h"
#include "driver/confirm_stage.h"
#include "driver/interrupt.h"
#include "driver/program_models.h"
#include "finding/collect.h"
#include "finding/names.h"
#include "finding/store.h"

namespace deadheat::driver {
namespace {

using finding::Finding;
using finding::Findings;
using finding::Level;

struct Request {
  CommonOptions common;
  std::string only; // id
  std::vector<std::string> pairs;
  std::string strategy; // empty: what suits the candidate
  unsigned runs = 100;
  unsigned seed = 1;
  unsigned time = 0;
  unsigned limit = 10;
  unsigned firstLimit = 60;
  uint64_t memory = 0;
  std::string program; // empty: what the command's first word names
  confirm::Clock::time_point until = confirm::Clock::time_point::max();
  bool hunts = false; // gathers candidates in any case
  std::vector<std::string> command;
};

void declareRuns(CLI::App &app, Request &request) {
  app.add_option("--runs", request.runs, "directed runs per candidate")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  app.add_option("--time", request.time, "seconds for all of it; 0 is no limit");
  app.add_option("--limit", request.limit, "seconds after which a directed run is ended")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  app.add_option("--run-limit", request.firstLimit, "seconds after which the first, watched run is ended")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  app.add_option("--memory", request.memory,
                 "bytes that a directed run may use, as 2G (default: half of the machine's)")
      ->option_text("BYTES")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  app.add_option("--program", request.program, "the instrumented program, if the command is a script that starts it")
      ->option_text("FILE");
  app.add_option("--seed", request.seed, "the first seed")->capture_default_str();
}

void declareTargets(CLI::App &app, Request &request) {
  app.add_option("--finding", request.only, "aim at this finding alone");
  app.add_option("--pair", request.pairs, "aim at FILE:LINE,FILE:LINE, known or not");
  app.add_option("--strategy", request.strategy,
                 "racefuzzer for races, deadlock for circles of locks; random or pct for both")
      ->check(CLI::IsMember(std::vector<std::string>{"racefuzzer", "deadlock", "random", "pct"}));
}

Expected<Findings> named(const Request &request, const ProgramModels &models) {
  Findings findings;
  for (const std::string &pair : request.pairs) {
    auto more = pairFindings(pair, models);
    if (!more) return std::unexpected(more.error());
    std::ranges::move(*more, std::back_inserter(findings.list));
  }
  finding::collect(findings.list);
  return findings;
}

// A third of the time for the run, where time is given, and half of what is then left for check.
GatherLimits gatherLimits(const Request &request) {
  const unsigned share = std::max(request.time / 3, 1u);
  if (request.time == 0) return {.run = std::chrono::seconds(request.firstLimit)};
  return {.run = std::chrono::seconds(std::min(request.firstLimit, share)), .until = request.until};
}

// While nothing is known there is nothing to aim at: then candidates are gathered first.
Expected<Findings> candidates(const Request &request, const ProgramModels &models) {
  if (!request.pairs.empty()) return named(request, models);
  auto known = storedFindings(request.common);
  const bool nothing = request.only.empty() && (!known || known->list.empty());
  if (request.hunts || nothing) {
    gatherCandidates(request.command, models, gatherLimits(request), request.common);
    known = storedFindings(request.common);
  }
  if (!known || request.only.empty()) return known;
  std::erase_if(known->list, [&](const Finding &one) { return one.id != request.only; });
  if (known->list.empty()) return fail("no finding is called " + request.only, "deadheat report lists them");
  return known;
}

uint64_t halfOfMemory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

confirm::Launch launchOf(const Request &request) {
  confirm::Launch launch{.command = request.command, .environment = directedEnvironment()};
  launch.limit = std::chrono::seconds(request.limit);
  launch.until = request.until;
  launch.stopped = interrupted;
  launch.memoryLimit = request.memory != 0 ? request.memory : halfOfMemory();
  return launch;
}

ConfirmRequest stageRequest(const Request &request) {
  ConfirmRequest stage;
  stage.launch = launchOf(request);
  llvm::SmallString<256> schedules(request.common.database);
  llvm::sys::path::append(schedules, "schedules");
  stage.schedules = schedules.str().str();
  stage.campaign.runs = request.runs;
  stage.campaign.firstSeed = request.seed;
  stage.strategyGiven = !request.strategy.empty();
  if (stage.strategyGiven) stage.campaign.strategy = *confirm::strategyNamed(request.strategy);
  stage.named = !request.only.empty() || !request.pairs.empty();
  stage.jobsGiven = request.common.jobs != 0;
  stage.jobs = request.common.jobs != 0 ? request.common.jobs : std::max(1u, std::thread::hardware_concurrency());
  return stage;
}

// What a user can do something about.
void tellNotes(const ConfirmCounts &counts) {
  if (counts.alone)
    llvm::errs() << "deadheat: note: two runs at once end otherwise than one alone (a port or file of a fixed name?), "
                    "so they were made one at a time\n";
  if (counts.childThreads != 0)
    llvm::errs() << "deadheat: note: children of the directed process started " << counts.childThreads
                 << " threads, which are not directed: let one process do the work (a foreground or debug mode)\n";
}

bool stays(const Finding &one, const char *reason) {
  return one.level < Level::Confirmed && one.notClimbed && one.notClimbed->reason == reason;
}

// What became of the candidates, in one line.
void printTable(const std::vector<Finding> &findings) {
  struct Row {
    const char *words;
    bool (*is)(const Finding &);
  };
  static constexpr Row kRows[] = {
      {"harmful", [](const Finding &one) { return one.level == Level::Harmful; }},
      {"confirmed", [](const Finding &one) { return one.level == Level::Confirmed; }},
      {"not hit by any schedule", [](const Finding &one) { return stays(one, "not-hit"); }},
      {"always ordered", [](const Finding &one) { return stays(one, "always-ordered"); }},
      {"executed by one thread only", [](const Finding &one) { return stays(one, "one-thread"); }},
      {"never executed", [](const Finding &one) { return stays(one, "never-executed"); }},
      {"optimised away",
       [](const Finding &one) { return stays(one, "optimised-away") && one.notClimbed->cause.empty(); }},
      {"done by the library",
       [](const Finding &one) { return stays(one, "optimised-away") && !one.notClimbed->cause.empty(); }},
      {"not tried",
       [](const Finding &one) { return one.level < Level::Confirmed && !one.notClimbed && !one.demoted(); }},
      {"doubtful and not tried",
       [](const Finding &one) { return one.level < Level::Confirmed && !one.notClimbed && one.demoted(); }},
  };
  llvm::errs() << "deadheat: of " << findings.size() << " candidates";
  const char *separator = ": ";
  for (const Row &row : kRows)
    if (const auto count = std::ranges::count_if(findings, row.is)) {
      llvm::errs() << separator << count << ' ' << row.words;
      separator = ", ";
    }
  llvm::errs() << '\n';
}

// How far they climbed: a finding counts at each level that something speaks for.
void printLadder(const std::vector<Finding> &findings) {
  llvm::errs() << "deadheat: evidence: " << findings.size() << " possible";
  for (Level level : {Level::Predicted, Level::Observed, Level::Confirmed, Level::Harmful}) {
    auto speaks = [&](const finding::Evidence &one) {
      return one.level == level || (level == Level::Confirmed && one.level == Level::Harmful);
    };
    llvm::errs() << ", " << std::ranges::count_if(findings, [&](const Finding &one) {
      return llvm::any_of(one.evidence, speaks);
    }) << ' ' << finding::name(level);
  }
  llvm::errs() << '\n';
}

void tellProgress(const Finding &finding, size_t done, size_t all) {
  llvm::errs() << "deadheat: [" << done << '/' << all << "] " << finding.id << ' ' << finding::name(finding.level)
               << '\n';
}

// What is proven is stored before it is told: hours of runs may follow, and whatever ends them must not take it away.
class Keeper {
public:
  Keeper(const std::string &directory, const std::string &verb) {
    auto opened = finding::Store::open(directory);
    auto run = opened ? opened->beginRun(verb) : std::unexpected(opened.error());
    if (run) store_.emplace(std::move(*opened)), run_ = *run;
  }

  // Where it fails, finish() says so.
  void keep(const Finding &finding) {
    if (!store_ || finding.level < Level::Confirmed) return;
    std::vector<Finding> one = {finding};
    (void)store_->record(run_, one);
  }

private:
  std::optional<finding::Store> store_;
  finding::RunId run_ = {};
};

Expected<ProgramModels> findModels(const Request &request) {
  return request.program.empty() ? modelsOf(request.command, launchOf(request)) : programModels(request.program);
}

int confirmAll(Request &request) {
  if (auto good = checkCommon(request.common); !good) return complain(good.error().text());
  if (request.time != 0) request.until = confirm::Clock::now() + std::chrono::seconds(request.time);
  auto models = findModels(request);
  if (!models) return complain(models.error().text());
  auto findings = candidates(request, *models);
  if (!findings) return complain(findings.error().text());
  const bool tells = !request.common.quiet && llvm::errs().is_displayed();
  Keeper keeper(request.common.database, request.hunts ? "hunt" : "confirm");
  auto progress = [&](const Finding &finding, size_t done, size_t all) {
    keeper.keep(finding);
    if (tells) tellProgress(finding, done, all);
  };
  const Interruptible interruptible;
  auto confirmed = confirmFindings(findings->list, models->units, stageRequest(request), progress);
  if (!confirmed) return complain(confirmed.error().text());
  tellNotes(*confirmed);
  if (!request.common.quiet) {
    printTable(findings->list);
    printLadder(findings->list);
  }
  findings->program.command = request.command;
  FinishOptions how{.verb = request.hunts ? "hunt" : "confirm"};
  how.extra["directed"] = llvm::json::Object{{"runs", static_cast<int64_t>(confirmed->runs)},
                                             {"seconds", confirmed->seconds},
                                             {"limited", static_cast<int64_t>(confirmed->limited)},
                                             {"failed", static_cast<int64_t>(confirmed->failed)},
                                             {"undirected_threads", static_cast<int64_t>(confirmed->childThreads)}};
  return finish(*findings, request.common, std::move(how));
}

int parseAndConfirm(CLI::App &app, Request &request, const std::vector<std::string> &arguments) {
  auto separator = std::ranges::find(arguments, "--");
  if (std::optional<int> status = parseArguments(app, {arguments.begin(), separator})) return *status;
  if (separator != arguments.end()) request.command.assign(separator + 1, arguments.end());
  const std::string verb = request.hunts ? "hunt" : "confirm";
  if (request.command.empty())
    return complain("there is no command: write deadheat " + verb + " [OPTIONS] -- CMD (deadheat " + verb + " --help)");
  return confirmAll(request);
}

} // namespace

int confirmVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("create races for real: run a command under schedules that aim at them", "deadheat confirm");
  app.footer("The command follows --; its standard input is empty.");
  declareRuns(app, request);
  declareTargets(app, request);
  declareCommon(app, request.common, Level::Confirmed);
  return parseAndConfirm(app, request, arguments);
}

int huntVerb(const std::vector<std::string> &arguments) {
  Request request;
  request.hunts = true;
  CLI::App app("check, run and confirm in one go", "deadheat hunt");
  app.footer("The command follows --; its standard input is empty when schedules are tried.");
  declareRuns(app, request);
  declareCommon(app, request.common, Level::Confirmed);
  return parseAndConfirm(app, request, arguments);
}

} // namespace deadheat::driver
