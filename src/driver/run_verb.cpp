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
#include "driver/findings_json.h"
#include "driver/paths.h"
#include "driver/run_report.h"

namespace deadheat::driver {
namespace {

constexpr int kGood = 0;
constexpr int kBadInput = 2;
constexpr int kSignalBase = 128; // as shells add to the number of a signal

struct Request {
  std::vector<std::string> command;
  std::string json;
  std::string database;
  std::string modelDirectory;
  std::string failOn = "observed";
  std::string sampler; // empty: what DEADHEAT_OPTIONS says, or the default
  std::string sample;
  bool full = false;
  bool passThrough = false;
  bool quiet = false;
  bool verbose = false;
};

std::vector<std::string> samplerNames() {
  return {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) text,
#include "abi/samplers.def"
  };
}

int complain(const std::string &text) {
  llvm::errs() << "deadheat: error: " << text << '\n';
  return kBadInput;
}

void declare(CLI::App &app, Request &request) {
  app.footer("The command follows --. With --pass-through its exit status becomes ours.");
  app.add_option("--json", request.json, "write the findings and what was executed to FILE (-: standard output)");
  app.add_option("--db", request.database, "directory of the evidence (this version stores none)");
  app.add_option("--model-dir", request.modelDirectory, "directory with models that the program does not carry itself")
      ->envname("DEADHEAT_MODEL_DIR");
  app.add_option("--fail-on", request.failOn, "lowest level of a finding that makes the exit status 1")
      ->check(CLI::IsMember({"possible", "predicted", "observed", "confirmed", "harmful"}));
  auto *full = app.add_flag("--full", request.full, "watch every access");
  app.add_option("--sampler", request.sampler, "which calls are watched (default tl-ad: cold code first)")
      ->check(CLI::IsMember(samplerNames()))
      ->excludes(full);
  app.add_option("--sample", request.sample, "share of the calls to watch, as 1%; adaptive samplers come down to it")
      ->excludes(full);
  app.add_flag("--pass-through", request.passThrough, "exit with the status of the command (128 + n: signal n)");
  app.add_flag("-q,--quiet", request.quiet, "print errors only");
  app.add_flag("-v,--verbose", request.verbose, "print the accesses that ran most often");
}

// Until there is a detector.
struct NoSink : trace::EventSink {
  void words(trace::ProcessNumber, trace::ThreadNumber, std::span<const uint64_t>) override {}
  void ended(trace::ProcessNumber, trace::ThreadNumber) override {}
};

// Reads rings until the command has ended. Threads wait up to a few tens of milliseconds for a full ring to be read.
Ending follow(RunProcess &process, RunArena &arena, std::vector<ObjectImage> &images) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  constexpr auto kShortest = 200us, kLongest = 5000us, kReclaim = 5000us;
  auto pause = kShortest;
  auto lastReclaim = Clock::now();
  while (true) {
    std::optional<Ending> ending = process.poll();
    bool busy = arena.drain();
    for (RunObject &object : arena.newObjects()) images.push_back(readImage(std::move(object)));
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
  std::string sampler = request.full ? "full" : request.sampler;
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

Expected<RunReport> record(const Request &request, Ending &ending) {
  ModelPool models;
  if (!request.modelDirectory.empty())
    if (auto added = models.addDirectory(request.modelDirectory); !added) return std::unexpected(added.error());
  NoSink sink;
  auto arena = RunArena::create(sink);
  if (!arena) return std::unexpected(arena.error());
  auto environment = prepareEnvironment(request, *arena);
  if (!environment) return std::unexpected(environment.error());
  auto process = RunProcess::start(request.command, *environment);
  if (!process) return std::unexpected(process.error());
  std::vector<ObjectImage> images;
  ending = follow(*process, *arena, images);
  RunReport report = makeReport(arena->finish(), std::move(images), std::move(models));
  report.command = request.command;
  report.ending = ending;
  return report;
}

constexpr char kJsonHint[] = "name a file that can be written after --json";

// The command may run for hours: a name that cannot be written is told before. The file is not touched: there may be
// nothing to write in the end.
Expected<void> checkWritable(const std::string &path) {
  namespace fs = llvm::sys::fs;
  if (path.empty() || path == "-") return {};
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::StringRef changed = fs::exists(path) ? llvm::StringRef(path) : folder.empty() ? "." : folder;
  std::error_code error = fs::access(changed, fs::AccessMode::Write);
  if (fs::is_directory(path)) error = std::make_error_code(std::errc::is_a_directory);
  if (error) return fail(path + ": " + error.message(), kJsonHint);
  return {};
}

Expected<void> writeJson(const std::string &path, const RunReport &report) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) return fail(path + ": " + error.message(), kJsonHint);
  out << llvm::formatv("{0:2}", findingsJson(report)) << '\n';
  out.close();
  if (!out.has_error()) return {};
  std::string why = out.error().message();
  out.clear_error();
  return fail(path + ": " + why, kJsonHint);
}

// CLI11 does not know of what follows the options.
int printHelp(const CLI::App &app) {
  const std::string help = app.help();
  auto [before, after] = llvm::StringRef(help).split("[OPTIONS]");
  llvm::outs() << before << "[OPTIONS] -- CMD [ARGUMENTS]" << after;
  return kGood;
}

int statusOf(const Ending &ending) { return ending.signal != 0 ? kSignalBase + ending.signal : ending.status; }

int run(const Request &request) {
  if (auto writable = checkWritable(request.json); !writable) return complain(writable.error().text());
  Ending ending{.status = kBadInput};
  auto report = record(request, ending);
  if (!report) {
    complain(report.error().text());
    return request.passThrough ? statusOf(ending) : kBadInput;
  }
  if (!request.quiet) printReport(llvm::errs(), *report, request.verbose);
  int status = kGood;
  for (const std::string &damaged : report->damaged) status = complain(damaged);
  if (!request.json.empty())
    if (auto written = writeJson(request.json, *report); !written) status = complain(written.error().text());
  return request.passThrough ? statusOf(ending) : status;
}

} // namespace

int runVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("run a command and tell which memory accesses it executed", "deadheat run");
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
