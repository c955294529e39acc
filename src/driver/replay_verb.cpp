#include "driver/replay_verb.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "confirm/directed_run.h"
#include "confirm/judge.h"
#include "confirm/schedule.h"
#include "confirm/targets.h"
#include "driver/common_options.h"
#include "driver/confirm_stage.h"
#include "driver/confirm_text.h"
#include "driver/output_file.h"
#include "driver/program_models.h"
#include "support/file.h"

namespace deadheat::driver {
namespace {

using confirm::Schedule;

struct Request {
  CommonOptions common;
  std::string id;
  bool debugger = false;
  std::string record; // file for the schedule of the replay itself
  unsigned limit = 10;
};

// An id of the store, or a file.
Expected<Schedule> findSchedule(const Request &request) {
  llvm::SmallString<256> path(request.common.database);
  llvm::sys::path::append(path, "schedules", request.id + ".schedule");
  std::string file = llvm::sys::fs::exists(path) ? path.str().str() : request.id;
  if (!llvm::sys::fs::exists(file))
    return fail("there is no schedule of " + request.id,
                "deadheat confirm makes one for each finding that it confirms");
  auto bytes = readFile(file);
  if (!bytes) return std::unexpected(bytes.error());
  return confirm::parseSchedule((*bytes)->getBuffer(), file);
}

std::vector<std::string> underDebugger(const std::vector<std::string> &command) {
  std::vector<std::string> all = {"gdb", "-q", "-ex", "handle SIGSTOP stop print nopass", "-ex", "run", "--args"};
  llvm::append_range(all, command);
  return all;
}

// Of the program that was directed: the command may be a script that starts it.
std::vector<model::LinkedUnit> unitsOf(const Schedule &schedule, const confirm::Outcome &outcome) {
  auto models = programModels(schedule.command.front());
  if (!models && !outcome.objects.empty()) models = programModels(outcome.objects.front().path);
  return models ? std::move(models->units) : std::vector<model::LinkedUnit>();
}

bool happened(const confirm::Outcome &outcome) { return outcome.hit() || outcome.deadlock; }

void tellDoubts(const confirm::Outcome &outcome) {
  if (outcome.strayed != 0)
    llvm::errs() << "  note: " << outcome.strayed
                 << " decisions could not be taken: the program or its input is not what it was\n";
  if (!outcome.directed)
    llvm::errs() << "  note: no process of the command has the code of the schedule: was it built anew?\n";
  if (outcome.directed && !outcome.fixedLayout)
    llvm::errs() << "  note: the system does not let addresses be the same in each run\n";
}

void tell(const Schedule &schedule, const confirm::Outcome &outcome, const std::string &how) {
  std::vector<model::LinkedUnit> units = unitsOf(schedule, outcome);
  confirm::TargetIndex index(units);
  confirm::Verdict verdict;
  verdict.direction = schedule.direction;
  verdict.outcome = outcome;
  llvm::errs() << "deadheat: " << schedule.finding << (happened(outcome) ? " happened again" : " did not happen") << how
               << '\n';
  if (std::string text = interleavingText({}, verdict, index); !text.empty()) llvm::errs() << "  " << text << '\n';
  if (auto harm = confirm::harmOf(outcome)) llvm::errs() << "  " << harm->kind << ": " << harm->detail << '\n';
  tellDoubts(outcome);
}

// What was decided this time: the same, unless the program strayed.
Expected<void> record(const Request &request, Schedule schedule, const confirm::Outcome &outcome) {
  if (request.record.empty()) return {};
  schedule.direction.decisions = outcome.decisions;
  schedule.notes.clear();
  return writeText(request.record, confirm::print(schedule), "--record");
}

struct Replayed {
  confirm::Outcome outcome;
  std::string how; // other than by the schedule, at once
};

// What a program gets from elsewhere (a client, a clock of its own) may lead it away from its schedule: then it is tried again, and at last
// aimed at anew, by the strategy and seed that found it.
Expected<Replayed> replayed(const Request &request, const Schedule &schedule, const confirm::Launch &launch) {
  constexpr unsigned kTries = 3;
  Replayed last;
  confirm::Direction direction = schedule.direction;
  direction.strategy = abi::StrategyId::Replay;
  direction.stopBefore = request.debugger;
  for (unsigned tries = 1; tries <= 2 * kTries; ++tries) {
    if (tries == kTries + 1) direction = schedule.direction;
    auto outcome = confirm::runDirected(launch, direction);
    if (!outcome) return std::unexpected(outcome.error());
    const bool again = happened(*outcome);
    const bool strayed = tries > kTries || outcome->strayed != 0;
    if (again && tries > kTries)
      last.how = ", aimed at anew with seed " + std::to_string(direction.seed) + ": it strays from its schedule";
    if (again && tries > 1 && tries <= kTries) last.how = ", at try " + std::to_string(tries);
    if (again || tries == 1) last.outcome = std::move(*outcome);
    if (again || !strayed || request.debugger || !last.outcome.directed) break;
    if (tries > kTries) ++direction.seed;
  }
  return last;
}

int replay(const Request &request) {
  auto schedule = findSchedule(request);
  if (!schedule) return complain(schedule.error().text());
  if (auto error = llvm::sys::fs::set_current_path(schedule->directory))
    return complain(schedule->directory + ": " + error.message());
  confirm::Launch launch{.command = request.debugger ? underDebugger(schedule->command) : schedule->command,
                         .environment = directedEnvironment(),
                         .limit = std::chrono::seconds(request.limit),
                         .interactive = request.debugger};
  auto result = replayed(request, *schedule, launch);
  if (!result) return complain(result.error().text());
  if (!request.common.quiet) tell(*schedule, result->outcome, result->how);
  if (auto written = record(request, *schedule, result->outcome); !written) return complain(written.error().text());
  return happened(result->outcome) ? kExitFindings : kExitGood;
}

} // namespace

int replayVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("run a stored schedule again: exit status 1 if the finding happens again, 0 if not", "deadheat replay");
  app.add_option("id", request.id, "a finding, or a schedule file")->required();
  app.add_flag("--gdb", request.debugger, "under gdb, stopped right before the racing accesses");
  app.add_option("--record", request.record, "write the decisions of this run to FILE, as a schedule")
      ->option_text("FILE");
  app.add_option("--limit", request.limit, "seconds after which the run is ended")
      ->check(CLI::Range(1u, 1'000'000'000u));
  declareDatabase(app, request.common);
  declareTerminal(app, request.common);
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  return replay(request);
}

} // namespace deadheat::driver
