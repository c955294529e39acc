#include "driver/run_verb.h"

#include <algorithm>
#include <chrono>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/common_options.h"
#include "driver/detected_findings.h"
#include "driver/findings_json.h"
#include "driver/process_tree.h"
#include "driver/replay_trace.h"
#include "driver/run_budget.h"
#include "driver/run_comparison.h"
#include "driver/run_detection.h"
#include "driver/run_live.h"
#include "driver/run_marks.h"
#include "driver/run_report.h"
#include "driver/run_request.h"
#include "support/file_limit.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

constexpr int kSignalBase = 128; // as shells add to the number of a signal

// Words speak of objects that were entered before them, so they are handed on after those.
void addObjects(RunArena &arena, RunDetection &detection, std::vector<ObjectImage> &images) {
  for (RunObject &object : arena.newObjects()) {
    images.push_back(readImage(std::move(object)));
    detection.addObject(images.back());
  }
  detection.hand();
}

struct Followed {
  RunProcess &process;
  RunArena &arena;
  RunDetection &detection;
  RunBudget &budget;
  RunLive &live;
};

// How long to wait for more: seldom where rings fill slowly, as each look takes time from the program.
std::chrono::microseconds nextPause(std::chrono::microseconds pause, size_t words) {
  using namespace std::chrono_literals;
  constexpr std::chrono::microseconds kShortest = 200us, kLongest = 5000us;
  constexpr size_t kMuch = abi::kRingWords / 4, kLittle = abi::kRingWords / 16;
  if (words > kMuch) return kShortest;
  return words > kLittle ? std::max(pause / 2, kShortest) : std::min(pause * 2, kLongest);
}

// Reads rings until the command has ended. Threads wait up to a few tens of milliseconds for a full ring to be read.
Ending follow(Followed run, std::vector<ObjectImage> &images) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  constexpr auto kReclaim = 5000us;
  std::chrono::microseconds pause = 200us;
  auto lastReclaim = Clock::now();
  while (true) {
    std::optional<Ending> ending = run.process.poll();
    // Before reading: what was told before someone asked is in the answer.
    const bool asked = run.process.takeReportRequest();
    const size_t words = run.arena.drain();
    addObjects(run.arena, run.detection, images);
    if (ending) return *ending;
    run.live.look(asked);
    if (Clock::now() - lastReclaim > kReclaim) {
      run.arena.reclaim();
      run.budget.steer();
      lastReclaim = Clock::now();
    }
    pause = nextPause(pause, words);
    run.process.wait(pause);
  }
}

Expected<std::optional<trace::TraceWriter>> traceWriter(const RunRequest &request) {
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

void tellLimit(const RunRequest &request, finding::Findings &findings) {
  llvm::errs() << "deadheat: note: the command was ended after " << request.limit
               << " s; what it did until then counts\n";
  findings.program.gaps.push_back({"ended-by-limit", 1});
}

// The command has ended; what it told lies in the trace.
Expected<void> detectStored(const RunRequest &request, finding::Findings &findings) {
  ModelPool models;
  if (!request.modelDirectory.empty())
    if (auto added = models.addDirectory(request.modelDirectory); !added) return added;
  RunDetection detection(detectorOptions(request.common), models, nullptr, request.compare);
  auto replayed = replayTrace(request.keepTrace, detection);
  if (!replayed) return std::unexpected(replayed.error());
  addDetected(detection.finish(), detection.code(), findings);
  return {};
}

struct Recorded {
  RunReport report;
  finding::Findings findings;
  detect::ComparisonResult comparison;
};

Expected<Recorded> record(const RunRequest &request, Ending &ending) {
  ModelPool models; // the detection's as long as it works, then the report's
  if (!request.modelDirectory.empty())
    if (auto added = models.addDirectory(request.modelDirectory); !added) return std::unexpected(added.error());
  auto writer = traceWriter(request);
  if (!writer) return std::unexpected(writer.error());
  RunDetection detection(detectorOptions(request.common), models, *writer ? &**writer : nullptr, request.compare);
  if (request.offline) detection.storeOnly();
  auto arena = RunArena::create(detection);
  if (!arena) return std::unexpected(arena.error());
  const RunMarks marks = RunMarks::create(request);
  auto environment = prepareEnvironment(request, *arena, marks.path());
  if (!environment) return std::unexpected(environment.error());
  auto process = RunProcess::start(request.command, *environment);
  if (!process) return std::unexpected(process.error());
  if (request.limit != 0) process->limit(std::chrono::seconds(request.limit));
  std::vector<ObjectImage> images;
  RunBudget budget(*arena, request.overhead);
  RunLive live(detection, request.command, request.common);
  ending = follow({*process, *arena, detection, budget, live}, images);
  budget.finish();
  Recording recording = arena->finish();
  recording.losses.leftBehind = countStartedWith("arena=" + arena->path());
  addObjects(*arena, detection, images);
  std::vector<detect::Detection> detections = detection.finish();
  RunReport report = makeReport(std::move(recording), std::move(images), std::move(models));
  report.command = request.command;
  report.ending = ending;
  report.cost = budget.cost();
  finding::Findings findings;
  findings.program = programOf(report);
  if (*writer) finishTrace(**writer, findings);
  if (!request.offline)
    addDetected(detections, detection.code(), findings);
  else if (auto detected = detectStored(request, findings); !detected)
    return std::unexpected(detected.error());
  if (process->limitReached()) tellLimit(request, findings);
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

int run(const RunRequest &request) {
  if (auto good = checkFiles(request.common); !good) return complain(good.error().text());
  Ending ending{.status = kExitBadInput};
  auto recorded = record(request, ending);
  if (!recorded) {
    complain(recorded.error().text());
    return request.passThrough ? statusOf(ending) : kExitBadInput;
  }
  if (!request.common.quiet) printReport(llvm::errs(), recorded->report, request.common.verbose);
  FinishOptions how{.verb = "run"};
  how.large = {"executed", [&](llvm::json::OStream &stream) { writeExecuted(stream, recorded->report); }};
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
  RunRequest request;
  CLI::App app("run a command and find its data races and deadlocks", "deadheat run");
  declareRun(app, request);
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
