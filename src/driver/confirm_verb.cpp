#include "driver/confirm_verb.h"

#include <algorithm>
#include <thread>

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/directed_run.h"
#include "confirm/judge.h"
#include "confirm/targets.h"
#include "driver/common_options.h"
#include "driver/confirm_stage.h"
#include "driver/finish.h"
#include "driver/program_models.h"
#include "finding/collect.h"
#include "finding/names.h"
#include "finding/store.h"
#include "model/names.h"
#include "support/file.h"

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
  std::vector<std::string> command;
};

void declare(CLI::App &app, Request &request) {
  declareCommon(app, request.common, Level::Confirmed);
  app.add_option("--runs", request.runs, "directed runs per candidate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--time", request.time, "seconds for all of it; 0 is no limit");
  app.add_option("--limit", request.limit, "seconds after which one run counts as hung")->check(CLI::PositiveNumber);
  app.add_option("--finding", request.only, "aim at this finding alone");
  app.add_option("--pair", request.pairs, "aim at FILE:LINE,FILE:LINE, known or not");
  app.add_option("--strategy", request.strategy, "racefuzzer, random or pct")
      ->check(CLI::IsMember(std::vector<std::string>{"racefuzzer", "random", "pct"}));
  app.add_option("--seed", request.seed, "the first seed");
}

struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

Expected<std::pair<SourceLine, SourceLine>> parsePair(const std::string &text) {
  auto [first, second] = llvm::StringRef(text).split(',');
  std::pair<SourceLine, SourceLine> pair;
  for (auto [words, into] : {std::pair(first, &pair.first), std::pair(second.empty() ? first : second, &pair.second)}) {
    auto [file, line] = words.rsplit(':');
    into->file = file.str();
    if (file.empty() || line.getAsInteger(10, into->line))
      return fail("--pair " + text + " is not understood", "write FILE:LINE,FILE:LINE");
  }
  return pair;
}

using Source = confirm::TargetIndex::Source;

finding::Access accessAt(const Source &source) {
  const model::Unit &unit = *source.unit;
  const model::Site &site = unit.sites[source.site];
  finding::Access access;
  access.site = source.key;
  access.place = {std::string(unit.strings[site.file]), site.line, site.column};
  access.function = unit.strings[unit.functions[site.function].display];
  access.access = model::name(site.kind);
  access.path = unit.strings[site.path];
  return access;
}

bool writes(const Source &source) {
  using model::AccessKind;
  const AccessKind kind = source.unit->sites[source.site].kind;
  return kind != AccessKind::Read && kind != AccessKind::RangeRead && kind != AccessKind::AtomicRead;
}

// Every pair of sites on the two lines of which one writes; whether they meet is for the run to say.
Expected<std::vector<Finding>> pairFindings(const std::string &text, const confirm::TargetIndex &index) {
  auto pair = parsePair(text);
  if (!pair) return std::unexpected(pair.error());
  std::vector<Finding> findings;
  for (const Source &one : index.sitesAt(pair->first.file, pair->first.line))
    for (const Source &other : index.sitesAt(pair->second.file, pair->second.line)) {
      if (!writes(one) && !writes(other)) continue;
      Finding finding;
      finding.accesses = {accessAt(one), accessAt(other)};
      finding.variable = finding.accesses.front().path;
      findings.push_back(std::move(finding));
    }
  if (findings.empty())
    return fail("--pair " + text + ": no two accesses there can race", "name lines that write and read memory");
  return findings;
}

// Those of the store, or the pairs that were asked for.
Expected<Findings> candidates(const Request &request, const ProgramModels &models) {
  Findings findings;
  const confirm::TargetIndex index(models.units);
  for (const std::string &pair : request.pairs) {
    auto more = pairFindings(pair, index);
    if (!more) return std::unexpected(more.error());
    std::ranges::move(*more, std::back_inserter(findings.list));
  }
  if (!request.pairs.empty()) return finding::collect(findings.list), findings;
  auto store = finding::Store::openExisting(request.common.database);
  if (!store) return std::unexpected(store.error());
  auto known = store->load();
  if (!known) return known;
  if (!request.only.empty()) std::erase_if(known->list, [&](const Finding &one) { return one.id != request.only; });
  if (known->list.empty() && !request.only.empty())
    return fail("no finding is called " + request.only, "deadheat report lists them");
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

void tellProgress(const Finding &finding, size_t done, size_t all) {
  llvm::errs() << "deadheat: [" << done << '/' << all << "] " << finding.id << ' ' << finding::name(finding.level)
               << '\n';
}

int confirmAll(Request &request) {
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
  findings->program.command = request.command;
  return finish(*findings, request.common, {.verb = "confirm"});
}

} // namespace

int confirmVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("create races for real: run a command under schedules that aim at them",
               "deadheat confirm [OPTIONS] -- CMD\n");
  declare(app, request);
  auto separator = std::ranges::find(arguments, "--");
  if (std::optional<int> status = parseArguments(app, {arguments.begin(), separator})) return *status;
  if (separator != arguments.end()) request.command.assign(separator + 1, arguments.end());
  if (request.command.empty())
    return complain("there is no command: write deadheat confirm [OPTIONS] -- CMD (deadheat confirm --help)");
  return confirmAll(request);
}

} // namespace deadheat::driver
