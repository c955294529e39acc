#include "driver/confirm_verb.h"

#include <algorithm>
#include <thread>

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/candidates.h"
#include "driver/common_options.h"
#include "driver/confirm_stage.h"
#include "driver/program_models.h"
#include "finding/collect.h"
#include "finding/names.h"

namespace deadheat::driver {
namespace {

using finding::Finding;
using finding::Findings;
using finding::Level;

struct Request {
  CommonOptions common;
  std::string only; // id
  std::vector<std::string> pairs;
  std::string strategy = "racefuzzer";
  unsigned runs = 100;
  unsigned seed = 1;
  unsigned time = 0;
  unsigned limit = 10;
  bool hunts = false; // gathers candidates in any case
  std::vector<std::string> command;
};

void declareRuns(CLI::App &app, Request &request) {
  app.add_option("--runs", request.runs, "directed runs per candidate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--time", request.time, "seconds for all of it; 0 is no limit");
  app.add_option("--limit", request.limit, "seconds after which one run counts as hung")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", request.seed, "the first seed")->capture_default_str();
}

void declareTargets(CLI::App &app, Request &request) {
  app.add_option("--finding", request.only, "aim at this finding alone");
  app.add_option("--pair", request.pairs, "aim at FILE:LINE,FILE:LINE, known or not");
  app.add_option("--strategy", request.strategy, "racefuzzer, random or pct")
      ->check(CLI::IsMember(std::vector<std::string>{"racefuzzer", "random", "pct"}))
      ->capture_default_str();
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

// While nothing is known there is nothing to aim at: then candidates are gathered first.
Expected<Findings> candidates(const Request &request, const ProgramModels &models) {
  if (!request.pairs.empty()) return named(request, models);
  auto known = storedFindings(request.common);
  const bool nothing = request.only.empty() && (!known || known->list.empty());
  if (request.hunts || nothing) {
    gatherCandidates(request.command, models, request.common);
    known = storedFindings(request.common);
  }
  if (!known || request.only.empty()) return known;
  std::erase_if(known->list, [&](const Finding &one) { return one.id != request.only; });
  if (known->list.empty()) return fail("no finding is called " + request.only, "deadheat report lists them");
  return known;
}

ConfirmRequest stageRequest(const Request &request, const ProgramModels &models) {
  ConfirmRequest stage;
  stage.command = request.command;
  stage.environment = directedEnvironment();
  stage.program = models.path;
  llvm::SmallString<256> schedules(request.common.database);
  llvm::sys::path::append(schedules, "schedules");
  stage.schedules = schedules.str().str();
  stage.campaign.runs = request.runs;
  stage.campaign.firstSeed = request.seed;
  stage.campaign.strategy = *confirm::strategyNamed(request.strategy);
  stage.limit = std::chrono::seconds(request.limit);
  stage.time = std::chrono::seconds(request.time);
  stage.jobs = request.common.jobs != 0 ? request.common.jobs : std::max(1u, std::thread::hardware_concurrency());
  return stage;
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
      {"optimised away", [](const Finding &one) { return stays(one, "optimised-away"); }},
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

void tellProgress(const Finding &finding, size_t done, size_t all) {
  llvm::errs() << "deadheat: [" << done << '/' << all << "] " << finding.id << ' ' << finding::name(finding.level)
               << '\n';
}

int confirmAll(const Request &request) {
  if (auto good = checkCommon(request.common); !good) return complain(good.error().text());
  auto models = programModels(request.command.front());
  if (!models) return complain(models.error().text());
  auto findings = candidates(request, *models);
  if (!findings) return complain(findings.error().text());
  const bool tells = !request.common.quiet && llvm::errs().is_displayed();
  auto progress = [&](const Finding &finding, size_t done, size_t all) {
    if (tells) tellProgress(finding, done, all);
  };
  auto confirmed = confirmFindings(findings->list, models->units, stageRequest(request, *models), progress);
  if (!confirmed) return complain(confirmed.error().text());
  if (!request.common.quiet) printTable(findings->list);
  findings->program.command = request.command;
  return finish(*findings, request.common, {.verb = request.hunts ? "hunt" : "confirm"});
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
