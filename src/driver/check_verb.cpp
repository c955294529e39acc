#include "driver/check_verb.h"

#include <algorithm>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/check_filters.h"
#include "driver/check_pipeline.h"
#include "driver/check_text.h"
#include "driver/common_options.h"

namespace deadheat::driver {
namespace {

struct Request {
  CommonOptions common;
  CheckRequest check;
  std::string explain; // a function
  bool filters = false;
  bool shared = false;
  bool linkOnly = false;
};

void declare(CLI::App &app, Request &request) {
  CheckInputs &inputs = request.check.inputs;
  app.add_option("FILE", inputs.files,
                 "a program built with deadheat-cc, or C and C++ sources, or bitcode; flags for sources after --");
  app.add_option("-p", inputs.build, "folder of a compile_commands.json: check what it compiles, or FILEs of it")
      ->option_text("BUILD");
  app.add_option("--model-dir", inputs.modelDirectory, "folder that a build filled as DEADHEAT_MODEL_DIR")
      ->option_text("DIR");
  app.add_option("--explain", request.explain, "tell which threads execute FUNCTION, what is live there, and why")
      ->option_text("FUNCTION");
  app.add_flag("--filters", request.filters,
               "tell how many findings each reason for doubt demotes, and the best of them");
  app.add_flag("--shared", request.shared, "list the accesses to objects that two threads can reach");
  app.add_flag("--link-only", request.linkOnly, "list threads, locks and gaps, and look for no races");
  declareCommon(app, request.common, finding::Level::Possible);
}

// Exactly one way in, so that nobody takes a part for the whole.
Expected<void> checkWays(const CheckInputs &inputs) {
  constexpr char kHint[] = "name a program, sources, -p BUILD or --model-dir DIR (deadheat check --help)";
  if (inputs.files.empty() && inputs.build.empty() && inputs.modelDirectory.empty())
    return fail("there is nothing to check", kHint);
  if (!inputs.modelDirectory.empty() && (!inputs.files.empty() || !inputs.build.empty()))
    return fail("--model-dir is a program of its own", kHint);
  if (!inputs.build.empty() && !inputs.flags.empty())
    return fail("-p brings the flags of the build", "leave out -- and what follows it");
  return {};
}

void complete(Request &request) {
  llvm::SmallString<256> cache(request.common.database);
  llvm::sys::path::append(cache, "cache");
  request.check.inputs.cacheFolder = cache.str().str();
  request.check.inputs.jobs = request.check.jobs = request.common.jobs;
  request.check.config = request.common.config;
  request.check.explain = request.explain;
}

// Nothing was looked for: "no findings" would mislead, and what is known of the program stays in the store.
int finishLinked(finding::Findings &findings, CommonOptions common, FinishOptions how) {
  how.store = false;
  common.quiet = true;
  return finish(findings, common, std::move(how));
}

int check(const Request &request) {
  if (auto ways = checkWays(request.check.inputs); !ways) return complain(ways.error().text());
  if (auto good = checkCommon(request.common); !good) return complain(good.error().text());
  Progress progress(!request.common.quiet);
  std::optional<knowledge::Table> table;
  auto result = linkChecked(request.check, table, progress);
  if (!result) return complain(result.error().text());
  if (!request.common.quiet) printProgram(llvm::errs(), *result, request.common.verbose);
  if (!request.linkOnly) runEngines(request.check, *result, progress);
  if (!request.common.quiet) printEngines(llvm::errs(), *result, request.common.verbose);
  if (!request.explain.empty())
    if (auto told = printExplanation(llvm::outs(), *result, request.explain); !told)
      return complain(told.error().text());
  FinishOptions how{.verb = "check"};
  if (request.shared) {
    std::vector<SharedAccess> accesses = sharedAccesses(result->program, result->names);
    printShared(llvm::errs(), accesses);
    how.extra["shared_accesses"] = sharedJson(accesses);
  }
  if (request.filters) {
    std::vector<FilterCount> filters = countFilters(result->findings.list);
    printFilters(llvm::errs(), filters, request.common.verbose);
    how.extra["filters"] = filtersJson(filters);
  }
  if (request.linkOnly) return finishLinked(result->findings, request.common, std::move(how));
  return finish(result->findings, request.common, std::move(how));
}

} // namespace

int checkVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("look for races in a program's source, without running it", "deadheat check");
  declare(app, request);
  auto separator = std::ranges::find(arguments, "--");
  if (std::optional<int> status = parseArguments(app, {arguments.begin(), separator})) return *status;
  if (separator != arguments.end()) request.check.inputs.flags.assign(separator + 1, arguments.end());
  complete(request);
  return check(request);
}

} // namespace deadheat::driver
