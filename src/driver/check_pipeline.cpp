#include "driver/check_pipeline.h"

#include <algorithm>
#include <chrono>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include "config/config.h"
#include "driver/core_limit.h"
#include "driver/findings_cache.h"
#include "driver/paths.h"

namespace deadheat::driver {
namespace {

// Runs a stage, shows it, and keeps what it cost.
class Stages {
public:
  explicit Stages(Progress &progress) : progress_(progress) {}

  template <typename Stage> auto run(const char *name, Stage stage) {
    progress_.begin(name, 0);
    auto begun = std::chrono::steady_clock::now();
    auto result = stage();
    costs.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count()});
    progress_.end();
    return result;
  }

  std::vector<StageCost> costs;

private:
  Progress &progress_;
};

std::string currentFolder() {
  llvm::SmallString<256> folder;
  return llvm::sys::fs::current_path(folder) ? std::string() : folder.str().str();
}

// Library code is shown at the user's line that led to it. Where there is none, the library is busy with its own objects, and it keeps
// those in order by means that points-to cannot tell apart.
void demoteLibraryInternals(std::vector<finding::Finding> &findings) {
  auto inLibrary = [](const finding::Access &access) {
    const std::string &file = access.place.file;
    return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
  };
  for (finding::Finding &finding : findings)
    if (std::ranges::any_of(finding.accesses, inLibrary))
      finding.demotions.push_back({"library-internal", "one access is in the library, and no code of yours led there"});
}

std::string configPath(const CheckRequest &request) {
  return request.config.empty() ? std::string(config::kFileName) : request.config;
}

finding::Findings runRaces(const CheckRequest &request, CheckResult &result, Stages &stages) {
  auto races = stages.run("races", [&] {
    return std::make_unique<analyse::RaceEngine>(result.program, analyse::Options{.jobs = request.jobs});
  });
  finding::Findings found;
  found.list = stages.run("ranking", [&] { return races->findings(); });
  analyse::Counts counts = races->counts();
  result.analysed = counts.functions;
  result.raceStages = races->stages();
  if (counts.dropped) found.program.gaps.push_back({"more-pairs-of-a-variable", counts.dropped});
  if (counts.folded) found.program.gaps.push_back({"access-beyond-bound", counts.folded});
  if (!request.explain.empty())
    for (link::FuncId function : link::functionsNamed(result.program, request.explain))
      result.summaries.push_back(races->explain(function));
  result.tidied = std::async(std::launch::async, [races = std::move(races)]() mutable { races.reset(); });
  return found;
}

} // namespace

Expected<CheckResult> linkChecked(const CheckRequest &request, std::optional<knowledge::Table> &table,
                                  Progress &progress) {
  Stages stages(progress);

  // What users say of their own locks; a fault in it is told before anything is compiled.
  auto config = config::readConfig(request.config);
  if (!config) return std::unexpected(config.error());

  // Models, wherever they come from.
  auto models = stages.run("models", [&] { return gatherModels(request.inputs, progress); });
  if (!models) return std::unexpected(models.error());
  size_t units = models->units();
  table = config->table(isKernel(models->binaries) ? knowledge::Program::Kernel : knowledge::Program::Hosted);

  // One program of all units: symbols, pointers, calls, threads.
  auto program = stages.run(
      "linking", [&] { return link::linkProgram(std::move(models->binaries), *table, {.jobs = request.jobs}); });
  if (!program) return std::unexpected(program.error());

  finding::Findings findings{.toolVersion = std::string(version()), .program = describeProgram(*program, *models)};
  SourceNames names(program->units, currentFolder());
  names.apply(findings);
  return CheckResult{std::move(*models), units,       std::move(*program), std::move(findings),
                     std::move(names),   stages.costs};
}

void runEngines(const CheckRequest &request, CheckResult &result, Progress &progress) {
  CoreLimit cores(request.jobs);
  Stages stages(progress);
  finding::Findings &findings = result.findings;

  // Engines: each adds its findings to the list. Nothing that they read changed: they would say the same.
  FindingsCache cache(request.inputs.cacheFolder, result.program, configPath(request));
  std::optional<finding::Findings> before = request.explain.empty() ? cache.load() : std::nullopt;
  finding::Findings found = before ? std::move(*before) : runRaces(request, result, stages);
  if (!before) cache.store(found);
  result.wasSearched = true;
  demoteLibraryInternals(found.list);
  result.names.apply(found);
  findings.list = std::move(found.list);
  llvm::append_range(findings.program.gaps, found.program.gaps);
  result.engineCosts = stages.costs;
}

} // namespace deadheat::driver
