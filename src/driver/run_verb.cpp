#include "driver/run_verb.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "abi/flags.h"
#include "driver/common_options.h"
#include "driver/detected_findings.h"
#include "driver/findings_json.h"
#include "driver/paths.h"
#include "driver/run_comparison.h"
#include "driver/run_detection.h"
#include "driver/run_report.h"
#include "support/file_limit.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

constexpr int kSignalBase = 128; // as shells add to the number of a signal

struct Request {
  std::vector<std::string> command;
  CommonOptions common;
  std::string modelDirectory;
  std::string sampler; // empty: what DEADHEAT_OPTIONS says, or the default
  std::string sample;
  std::string keepTrace;
  uint64_t maxLog = 0;
  unsigned limit = 0; // seconds; 0: none
  bool full = false;
  bool compare = false;
  bool passThrough = false;
};

std::vector<std::string> samplerNames() {
  return {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) text,
#include "abi/samplers.def"
  };
}

constexpr char kCompareHelp[] = "watch every access, and tell what each sampler would have found of it";

void declare(CLI::App &app, Request &request) {
  app.footer("The command follows --. With --pass-through its exit status becomes ours.");
  declareCommon(app, request.common, finding::Level::Observed);
  app.add_option("--model-dir", request.modelDirectory, "directory with models that the program does not carry itself")
      ->envname("DEADHEAT_MODEL_DIR");
  auto *full = app.add_flag("--full", request.full, "watch every access");
  app.add_option("--sampler", request.sampler, "which calls are watched (default tl-ad: cold code first)")
      ->check(CLI::IsMember(samplerNames()))
      ->excludes(full);
  app.add_option("--sample", request.sample, "share of the calls to watch, as 1%; adaptive samplers come down to it")
      ->excludes(full);
  app.add_flag("--compare-samplers", request.compare, kCompareHelp)->excludes(full);
  app.add_option("--keep-trace", request.keepTrace, "store all that the program tells in FILE, for deadheat detect")
      ->option_text("FILE");
  app.add_option("--max-log", request.maxLog, "stop storing when the trace has that many bytes, as 500M")
      ->option_text("BYTES")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  app.add_option("--limit", request.limit, "end the command after that many seconds; what was seen until then counts")
      ->option_text("SECONDS");
  app.add_flag("--pass-through", request.passThrough, "exit with the status of the command (128 + n: signal n)");
}

// Words speak of objects that were entered before them, so they are handed on after those.
void addObjects(RunArena &arena, RunDetection &detection, std::vector<ObjectImage> &images) {
  for (RunObject &object : arena.newObjects()) {
    images.push_back(readImage(std::move(object)));
    detection.addObject(images.back());
  }
  detection.hand();
}

// Reads rings until the command has ended. Threads wait up to a few tens of milliseconds for a full ring to be read.
Ending follow(RunProcess &process, RunArena &arena, RunDetection &detection, std::vector<ObjectImage> &images) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  constexpr auto kShortest = 200us, kLongest = 5000us, kReclaim = 5000us;
  auto pause = kShortest;
  auto lastReclaim = Clock::now();
  while (true) {
    std::optional<Ending> ending = process.poll();
    bool busy = arena.drain();
    addObjects(arena, detection, images);
    if (ending) return *ending;
    if (Clock::now() - lastReclaim > kReclaim) {
      arena.reclaim();
      lastReclaim = Clock::now();
    }
    pause = busy ? kShortest : std::min(pause * 2, kLongest);
    std::this_thread::sleep_for(pause);
  }
}

// `1%` and `1` are one call in a hundred.
Expected<uint64_t> oneInOf(llvm::StringRef share) {
  double percent = 0;
  if (!share.consume_back("%")) share = share.trim();
  if (share.getAsDouble(percent) || !(percent >= 0.0001 && percent <= 100))
    return fail("--sample: '" + share.str() + "' is no share of the calls", "give a percentage from 0.0001% to 100%");
  return static_cast<uint64_t>(100 / percent + 0.5);
}

// What the options of this verb say to the runtime.
Expected<std::string> optionsOf(const Request &request, const RunArena &arena) {
  std::string options = "arena=" + arena.path();
  std::string sampler = request.compare ? "compare" : request.full ? "full" : request.sampler;
  if (!sampler.empty()) options += ":sampler=" + sampler;
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

Expected<std::vector<std::string>> prepareEnvironment(const Request &request, const RunArena &arena) {
  std::string runtime = runtimePath();
  if (!llvm::sys::fs::exists(runtime)) return fail(runtime + ": the runtime is not there", "install Deadheat again");
  if (runtime.find_first_of(" :") != std::string::npos)
    return fail(runtime + ": the loader cannot preload from a path with a space or a colon",
                "install Deadheat elsewhere");
  auto options = optionsOf(request, arena);
  if (!options) return std::unexpected(options.error());
  std::vector<std::string> environment = environmentWith(runtime, *options);
  if (environment.back().size() >= abi::kMaxOptions)
    return fail("DEADHEAT_OPTIONS is too long", "unset what you do not need");
  if (auto good = checkOptions(environment.back().substr(std::string("DEADHEAT_OPTIONS=").size())); !good)
    return std::unexpected(good.error());
  return environment;
}

Expected<std::optional<trace::TraceWriter>> traceWriter(const Request &request) {
  if (request.keepTrace.empty()) return std::optional<trace::TraceWriter>();
  auto writer = trace::TraceWriter::create(request.keepTrace, request.maxLog);
  if (!writer) return std::unexpected(writer.error());
  writer->command(request.command);
  return std::optional(std::move(*writer));
}

void finishTrace(trace::TraceWriter &writer, finding::Findings &findings) {
  writer.finish();
  if (writer.stopped().empty()) return;
  llvm::errs() << "deadheat: note: " << printable(writer.stopped()) << '\n';
  findings.program.gaps.push_back({"trace-stopped", 1});
}

void tellLimit(const Request &request, finding::Findings &findings) {
  llvm::errs() << "deadheat: note: the command was ended after " << request.limit
               << " s; what it did until then counts\n";
  findings.program.gaps.push_back({"ended-by-limit", 1});
}

struct Recorded {
  RunReport report;
  finding::Findings findings;
  detect::ComparisonResult comparison;
};

Expected<Recorded> record(const Request &request, Ending &ending) {
  ModelPool models, detectionModels;
  if (!request.modelDirectory.empty())
    for (ModelPool *pool : {&models, &detectionModels})
      if (auto added = pool->addDirectory(request.modelDirectory); !added) return std::unexpected(added.error());
  auto writer = traceWriter(request);
  if (!writer) return std::unexpected(writer.error());
  RunDetection detection(detectorOptions(request.common), detectionModels, *writer ? &**writer : nullptr,
                         request.compare);
  auto arena = RunArena::create(detection);
  if (!arena) return std::unexpected(arena.error());
  auto environment = prepareEnvironment(request, *arena);
  if (!environment) return std::unexpected(environment.error());
  auto process = RunProcess::start(request.command, *environment);
  if (!process) return std::unexpected(process.error());
  if (request.limit != 0) process->limit(std::chrono::seconds(request.limit));
  std::vector<ObjectImage> images;
  ending = follow(*process, *arena, detection, images);
  Recording recording = arena->finish();
  addObjects(*arena, detection, images);
  RunReport report = makeReport(std::move(recording), std::move(images), std::move(models));
  report.command = request.command;
  report.ending = ending;
  finding::Findings findings;
  findings.program = programOf(report);
  addDetected(detection.finish(), detection.code(), findings);
  if (process->limitReached()) tellLimit(request, findings);
  if (*writer) finishTrace(**writer, findings);
  return Recorded{std::move(report), std::move(findings), detection.comparison().result()};
}

// CLI11 does not know of what follows the options.
int printHelp(const CLI::App &app) {
  const std::string help = app.help();
  auto [before, after] = llvm::StringRef(help).split("[OPTIONS]");
  llvm::outs() << before << "[OPTIONS] -- CMD [ARGUMENTS]" << after;
  return kExitGood;
}

int statusOf(const Ending &ending) { return ending.signal != 0 ? kSignalBase + ending.signal : ending.status; }

Expected<void> checkFiles(const CommonOptions &common) {
  FileSizeSignalIgnored guard;
  return checkCommon(common);
}

int run(const Request &request) {
  if (auto good = checkFiles(request.common); !good) return complain(good.error().text());
  Ending ending{.status = kExitBadInput};
  auto recorded = record(request, ending);
  if (!recorded) {
    complain(recorded.error().text());
    return request.passThrough ? statusOf(ending) : kExitBadInput;
  }
  if (!request.common.quiet) printReport(llvm::errs(), recorded->report, request.common.verbose);
  FinishOptions how{.verb = "run"};
  how.extra["executed"] = executedJson(recorded->report);
  if (request.compare) {
    how.extra["samplers"] = comparisonJson(recorded->comparison);
    printComparison(llvm::errs(), recorded->comparison);
  }
  FileSizeSignalIgnored guard;
  int status = finish(recorded->findings, request.common, std::move(how));
  for (const std::string &damaged : recorded->report.damaged) status = complain(damaged);
  return request.passThrough ? statusOf(ending) : status;
}

} // namespace

int runVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("run a command and find its data races and deadlocks", "deadheat run");
  declare(app, request);
  auto separator = std::ranges::find(arguments, "--");
  std::vector<std::string> own(arguments.begin(), separator);
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector(own.rbegin(), own.rend()));
  } catch (const CLI::CallForHelp &) {
    return printHelp(app);
  } catch (const CLI::ParseError &error) {
    const char *hint =
        separator == arguments.end() ? ": write -- before the command (deadheat run --help)" : " (deadheat run --help)";
    return complain(error.what() + std::string(hint));
  }
  if (separator != arguments.end()) request.command.assign(separator + 1, arguments.end());
  if (request.command.empty())
    return complain("there is no command: write deadheat run [OPTIONS] -- CMD (deadheat run --help)");
  return run(request);
}

} // namespace deadheat::driver
