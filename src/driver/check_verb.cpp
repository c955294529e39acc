#include "driver/check_verb.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/check_pipeline.h"
#include "finding/json.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

constexpr int kGood = 0;
constexpr int kBadInput = 2;

struct Request {
  CheckRequest check;
  std::string database = ".deadheat";
  std::string json;
  bool quiet = false;
  bool verbose = false;
};

int complain(const std::string &text) {
  llvm::errs() << "deadheat: error: " << text << '\n';
  return kBadInput;
}

void declare(CLI::App &app, Request &request) {
  CheckInputs &inputs = request.check.inputs;
  app.add_option("FILE", inputs.files, "a program built with deadheat-cc, or C and C++ sources, or bitcode");
  app.add_option("-p", inputs.build, "folder of a compile_commands.json: check what it compiles")->option_text("BUILD");
  app.add_option("--model-dir", inputs.modelDirectory, "folder that a build filled as DEADHEAT_MODEL_DIR")
      ->option_text("DIR");
  app.add_option("--json", request.json, "write the findings to FILE as JSON (-: standard output)")
      ->option_text("FILE");
  app.add_option("--db", request.database, "folder in which findings and models are kept (.deadheat)");
  app.add_option("--config", request.check.config, "settings of the project (deadheat.toml, if there is one)");
  app.add_option("-j,--jobs", inputs.jobs, "threads or processes to work with (as many as processors)");
  app.add_flag("-q,--quiet", request.quiet, "print errors only");
  app.add_flag("-v,--verbose", request.verbose, "print everything");
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

void printModels(llvm::raw_ostream &out, const CheckModels &models, bool verbose) {
  for (const std::string &failure : models.failed)
    out << "deadheat: warning: no model of " << printable(failure) << '\n';
  out << "deadheat: " << models.units() << " units";
  if (models.compiled + models.cached != 0)
    out << "; clang ran for " << models.compiled << ", " << models.cached << " were as before";
  out << '\n';
  if (verbose)
    for (const std::string &library : models.without)
      out << "deadheat: note: " << printable(library) << ": no models: what it does is known only as far as "
          << "docs/user/knowledge.md goes\n";
}

int check(const Request &request) {
  if (auto ways = checkWays(request.check.inputs); !ways) return complain(ways.error().text());
  Progress progress(!request.quiet);
  auto result = runCheck(request.check, progress);
  if (!result) return complain(result.error().text());
  if (!request.quiet) printModels(llvm::errs(), result->models, request.verbose);
  if (request.json.empty()) return kGood;
  std::error_code error;
  llvm::raw_fd_ostream out(request.json, error);
  if (error) return complain(request.json + ": " + error.message() + ": name a file that can be written after --json");
  out << llvm::formatv("{0:2}\n", llvm::json::Value(finding::toJson(result->findings)));
  return kGood;
}

} // namespace

int checkVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("look for races and deadlocks in a program's source, without running it", "deadheat check");
  declare(app, request);
  auto separator = std::ranges::find(arguments, "--");
  std::vector<std::string> own(arguments.begin(), separator);
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector(own.rbegin(), own.rend()));
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    return complain(error.what() + std::string(" (deadheat check --help)"));
  }
  if (separator != arguments.end()) request.check.inputs.flags.assign(separator + 1, arguments.end());
  llvm::SmallString<256> cache(request.database);
  llvm::sys::path::append(cache, "cache");
  request.check.inputs.cacheFolder = cache.str().str();
  return check(request);
}

} // namespace deadheat::driver
