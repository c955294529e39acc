#include "link/program.h"

#include <chrono>
#include <optional>

#include "oneapi/tbb/global_control.h"

#include "link/in_turn.h"
#include "link/known_pointers.h"
#include "link/made_once.h"
#include "link/once_wrappers.h"
#include "link/own_semaphores.h"
#include "link/points_to_builder.h"
#include "link/shared.h"
#include "link/thread_finder.h"
#include "link/unused.h"
#include "link/wrappers.h"

namespace deadheat::link {

namespace {

class Clock {
public:
  explicit Clock(std::vector<Stage> &stages) : stages_(stages) {}
  void stop(std::string_view name) {
    auto now = std::chrono::steady_clock::now();
    stages_.push_back({name, std::chrono::duration<double>(now - last_).count()});
    last_ = now;
  }

private:
  std::vector<Stage> &stages_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace

Expected<Program> linkProgram(std::vector<Binary> binaries, const knowledge::Table &table, const Options &options) {
  std::optional<oneapi::tbb::global_control> limit;
  if (options.jobs > 0) limit.emplace(oneapi::tbb::global_control::max_allowed_parallelism, options.jobs);
  Program program;
  std::vector<bool> plugins;
  for (Binary &binary : binaries) {
    plugins.push_back(binary.plugin);
    for (model::LinkedUnit &unit : binary.units) {
      program.units.push_back(std::move(unit));
      program.binaryOf.push_back(static_cast<uint32_t>(program.binaries.size()));
    }
    program.binaries.push_back(std::move(binary.name));
  }
  if (program.units.empty()) return fail("no models to link", "build the program with deadheat cc or c++");

  Clock clock(program.stages);
  program.symbols = resolveSymbols(program.units, program.binaryOf, table, program.gaps, plugins);
  adoptKnownPointers(program.units, program.symbols);
  program.onceRows = adoptOnceWrappers(program.units, program.symbols);
  adoptSemaphores(program.units, program.symbols);
  leaveOutUnused(program.units, program.symbols);
  Code code{program.units, program.symbols};
  program.calls = numberCalls(code);
  Wrappers wrappers = findWrappers(code, program.calls);
  clock.stop("symbols");
  std::vector<Entered> entered;
  {
    PointsToBuilder pointsTo(code, program.calls, wrappers);
    pointsTo.run();
    clock.stop("points-to");
    connectCalls(program.calls, code, pointsTo, wrappers, program.gaps);
    entered = findEntered(code, program.calls, wrappers, pointsTo);
    program.pointsTo = pointsTo.finish();
  }
  clock.stop("call graph");
  ThreadInput input{code, program.calls, program.pointsTo, entered, wrappers};
  FoundThreads found = findThreads(input, program.gaps);
  findLiveness(input, found);
  findInTurn(input, found);
  judgeArguments(input, found);
  program.madeByOneCall = findMadeByOneCall(input, found.often);
  program.madeOnce = findMadeOnce(input, program.madeByOneCall);
  program.threads = std::move(found.threads);
  program.makers = std::move(wrappers.allocates);
  clock.stop("threads");
  findShared(program, entered);
  clock.stop("shared accesses");
  return program;
}

// `ns::(anonymous namespace)::f(int)`: `f`.
static std::string_view bareName(std::string_view display) {
  size_t from = 0;
  for (std::string_view scope : {"(anonymous namespace)::", "'lambda'"})
    if (size_t at = display.rfind(scope); at != std::string_view::npos) from = std::max(from, at + scope.size());
  std::string_view name = display.substr(from, display.find('(', from) - from);
  name = name.substr(0, name.find('<'));
  size_t cut = name.rfind("::");
  return cut == std::string_view::npos ? name : name.substr(cut + 2);
}

std::vector<FuncId> functionsNamed(const Program &program, std::string_view name) {
  std::vector<FuncId> exact, bare;
  for (uint32_t i = 0; i < program.symbols.functions.size(); ++i) {
    const Function &function = program.function(FuncId(i));
    std::string_view display = function.display;
    if (function.name == name || display == name)
      exact.push_back(FuncId(i));
    else if (bareName(display) == name || display.substr(0, display.find('(')) == name)
      bare.push_back(FuncId(i));
  }
  return exact.empty() ? bare : exact;
}

} // namespace deadheat::link
