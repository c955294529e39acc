#include "driver/candidates.h"

#include <thread>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/Support/raw_ostream.h"

#include "confirm/targets.h"
#include "driver/check_verb.h"
#include "driver/run_verb.h"
#include "finding/store.h"
#include "model/names.h"

namespace deadheat::driver {
namespace {

using finding::Finding;
using Source = confirm::TargetIndex::Source;

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

bool isAtomic(const Source &source) {
  using model::AccessKind;
  const AccessKind kind = source.unit->sites[source.site].kind;
  return kind == AccessKind::AtomicRead || kind == AccessKind::AtomicWrite || kind == AccessKind::AtomicUpdate;
}

std::vector<std::string> quietly(const CommonOptions &common) {
  std::vector<std::string> arguments = {"-q", "--db", common.database};
  if (!common.config.empty()) arguments.insert(arguments.end(), {"--config", common.config});
  if (!common.suppressions.empty()) arguments.insert(arguments.end(), {"--suppressions", common.suppressions});
  return arguments;
}

// In a process of its own, which goes on while the command is watched, and which can be ended: an analysis may take longer than there is time.
// The store survives that.
class Check {
public:
  explicit Check(const std::vector<std::string> &arguments) {
    llvm::errs().flush();
    child_ = fork();
    if (child_ != 0) return;
    checkVerb(arguments);
    llvm::errs().flush();
    _exit(0);
  }

  // It may have half of the time that is left, and what it had until now. Where nothing else is known, nearly all: without candidates the rest
  // would be spent on nothing.
  void await(confirm::Clock::time_point until, bool knowsOthers) const {
    using std::chrono::seconds;
    const auto now = confirm::Clock::now();
    auto end = until;
    if (until != confirm::Clock::time_point::max())
      end =
          now + std::max(knowsOthers ? (until - now) / 2 : (until - now) / 5 * 4, confirm::Clock::duration(seconds(1)));
    constexpr auto kPause = std::chrono::milliseconds(20);
    while (child_ > 0 && waitpid(child_, nullptr, WNOHANG) == 0) {
      std::this_thread::sleep_for(kPause);
      if (confirm::Clock::now() < end) continue;
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
      llvm::errs() << "deadheat: note: check was ended after "
                   << std::chrono::duration_cast<seconds>(confirm::Clock::now() - began_).count()
                   << " s, its candidates are missing: give more --time, or run deadheat check before\n";
      return;
    }
  }

private:
  confirm::Clock::time_point began_ = confirm::Clock::now();
  pid_t child_ = -1;
};

// A short command is watched several times: what one run shows depends on which thread was first. It speaks to the user once.
void watch(const std::vector<std::string> &command, const GatherLimits &limits, const CommonOptions &common) {
  constexpr unsigned kMost = 8;
  constexpr auto kShort = std::chrono::seconds(2);
  std::vector<std::string> run = quietly(common);
  run.insert(run.end(), {"--full", "--limit", std::to_string(limits.run.count()), "--"});
  const size_t options = run.size();
  const auto began = confirm::Clock::now();
  for (unsigned times = 0; times != kMost; ++times) {
    run.resize(options);
    if (times != 0) run.insert(run.end(), {"sh", "-c", "exec \"$0\" \"$@\" >/dev/null 2>&1"});
    run.insert(run.end(), command.begin(), command.end());
    runVerb(run);
    if (const auto took = confirm::Clock::now() - began; took > kShort || limits.until - began < 10 * took) return;
  }
}

} // namespace

void gatherCandidates(const std::vector<std::string> &command, const ProgramModels &models, const GatherLimits &limits,
                      const CommonOptions &common) {
  std::vector<std::string> arguments = quietly(common);
  arguments.push_back(models.path);
  const Check check(arguments);
  watch(command, limits, common);
  const auto known = storedFindings(common);
  check.await(limits.until, known && !known->list.empty());
}

Expected<ProgramModels> modelsOf(const std::vector<std::string> &command, const confirm::Launch &launch) {
  auto direct = programModels(command.front());
  if (direct) return direct;
  auto outcome = confirm::runDirected(launch, {.strategy = abi::StrategyId::Random, .seed = 1});
  if (!outcome || outcome->objects.empty()) return direct;
  return programModels(outcome->objects.front().path);
}

Expected<finding::Findings> storedFindings(const CommonOptions &common) {
  auto store = finding::Store::openExisting(common.database);
  if (!store) return std::unexpected(store.error());
  return store->load();
}

Expected<std::vector<Finding>> pairFindings(const std::string &text, const ProgramModels &models) {
  auto pair = parsePair(text);
  if (!pair) return std::unexpected(pair.error());
  const confirm::TargetIndex index(models.units);
  std::vector<Finding> findings;
  for (const Source &one : index.sitesAt(pair->first.file, pair->first.line))
    for (const Source &other : index.sitesAt(pair->second.file, pair->second.line)) {
      if ((!writes(one) && !writes(other)) || (isAtomic(one) && isAtomic(other))) continue;
      Finding finding;
      finding.accesses = {accessAt(one), accessAt(other)};
      finding.variable = finding.accesses.front().path;
      findings.push_back(std::move(finding));
    }
  if (findings.empty())
    return fail("--pair " + text + ": no two accesses there can race", "name lines that write and read memory");
  return findings;
}

} // namespace deadheat::driver
