#include "driver/run_request.h"

#include "llvm/Support/FileSystem.h"

#include "abi/flags.h"
#include "driver/paths.h"
#include "driver/run_process.h"

namespace deadheat::driver {
namespace {

std::vector<std::string> samplerNames() {
  return {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) text,
#include "abi/samplers.def"
  };
}

// `5%` and `5` as 0.05.
std::string percentage(std::string text) {
  double percent = 0;
  llvm::StringRef number(text);
  number.consume_back("%");
  if (number.getAsDouble(percent) || !(percent > 0 && percent <= 100))
    throw CLI::ValidationError("--overhead", "'" + text + "' is no share: give a percentage, as 5%");
  return std::to_string(percent / 100);
}

constexpr char kCompareHelp[] = "watch every access, and tell what each sampler would have found of it";

} // namespace

void declareRun(CLI::App &app, RunRequest &request) {
  app.footer("The command follows --. With --pass-through its exit status becomes ours.");
  declareCommon(app, request.common, finding::Level::Observed);
  app.add_option("--model-dir", request.modelDirectory, "directory with models that the program does not carry itself")
      ->envname("DEADHEAT_MODEL_DIR");
  auto *full = app.add_flag("--full{yes}", request.full,
                            "watch every access; --full=log tells each one, for traces that keep them all")
                   ->check(CLI::IsMember({"yes", "log"}));
  app.add_option("--sampler", request.sampler, "which calls are watched (default tl-ad: cold code first)")
      ->check(CLI::IsMember(samplerNames()))
      ->excludes(full);
  app.add_option("--sample", request.sample, "share of the calls to watch, as 1%; adaptive samplers come down to it")
      ->excludes(full);
  app.add_option("--overhead", request.overhead,
                 "share of the CPU time that watching may cost, as 5%: held by steering")
      ->option_text("SHARE")
      ->transform(percentage)
      ->excludes(full);
  app.add_flag("--prune", request.prune, "leave out accesses that one thread alone can reach, as check sees it");
  app.add_flag("--steer", request.steer, "watch functions that stored findings name eight times as often")
      ->excludes(full);
  app.add_flag("--compare-samplers", request.compare, kCompareHelp)->excludes(full);
  app.add_option("--keep-trace", request.keepTrace, "store all that the program tells in FILE, for deadheat detect")
      ->option_text("FILE");
  app.add_flag("--offline", request.offline, "only store while the command runs, and detect in the trace afterwards")
      ->needs("--keep-trace");
  app.add_option("--max-log", request.maxLog, "stop storing when the trace has that many bytes, as 500M")
      ->option_text("BYTES")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  app.add_option("--limit", request.limit, "end the command after that many seconds; what was seen until then counts")
      ->option_text("SECONDS");
  app.add_flag("--pass-through", request.passThrough, "exit with the status of the command (128 + n: signal n)");
}

namespace {

// `1%` and `1` are one call in a hundred.
Expected<uint64_t> oneInOf(llvm::StringRef share) {
  double percent = 0;
  if (!share.consume_back("%")) share = share.trim();
  if (share.getAsDouble(percent) || !(percent >= 0.0001 && percent <= 100))
    return fail("--sample: '" + share.str() + "' is no share of the calls", "give a percentage from 0.0001% to 100%");
  return static_cast<uint64_t>(100 / percent + 0.5);
}

// What the options of this verb say to the runtime.
Expected<std::string> optionsOf(const RunRequest &request, const RunArena &arena) {
  std::string options = "arena=" + arena.path();
  std::string sampler = request.compare ? "compare" : request.full.empty() ? request.sampler : "full";
  if (!sampler.empty()) options += ":sampler=" + sampler;
  if (request.full == "yes") options += ":shadow=1";
  if (request.overhead != 0) options += ":clock=1";
  if (request.sample.empty()) return options;
  auto oneIn = oneInOf(request.sample);
  if (!oneIn) return std::unexpected(oneIn.error());
  return options + ":one_in=" + std::to_string(*oneIn);
}

// The runtime passes over what it does not know; here is someone who can be told.
Expected<void> checkOptions(const std::string &options) {
  static std::string problem;
  problem.clear();
  abi::Flags flags;
  abi::parseFlags(options.c_str(), flags, [](abi::FlagProblem kind, abi::Slice part) {
    if (!problem.empty()) return;
    std::string text(part.begin, part.end);
    problem = kind == abi::FlagProblem::UnknownKey ? "no option is called '" + text + "'"
                                                   : "'" + text + "' has a value it cannot have";
  });
  if (problem.empty()) return {};
  return fail("DEADHEAT_OPTIONS: " + problem, "DEADHEAT_OPTIONS=help=1 lists them");
}

} // namespace

Expected<std::vector<std::string>> prepareEnvironment(const RunRequest &request, const RunArena &arena,
                                                      const std::string &marks) {
  std::string runtime = runtimePath();
  if (!llvm::sys::fs::exists(runtime)) return fail(runtime + ": the runtime is not there", "install Deadheat again");
  if (runtime.find_first_of(" :") != std::string::npos)
    return fail(runtime + ": the loader cannot preload from a path with a space or a colon",
                "install Deadheat elsewhere");
  auto options = optionsOf(request, arena);
  if (!options) return std::unexpected(options.error());
  if (!marks.empty()) *options += ":marks=" + marks;
  std::vector<std::string> environment = environmentWith(runtime, *options);
  if (environment.back().size() >= abi::kMaxOptions)
    return fail("DEADHEAT_OPTIONS is too long", "unset what you do not need");
  if (auto good = checkOptions(environment.back().substr(std::string("DEADHEAT_OPTIONS=").size())); !good)
    return std::unexpected(good.error());
  return environment;
}

} // namespace deadheat::driver
