#include "link/program.h"

#include "link/points_to_builder.h"
#include "link/shared.h"
#include "link/thread_finder.h"
#include "link/wrappers.h"

namespace deadheat::link {

Expected<Program> linkProgram(std::vector<Binary> binaries, const knowledge::Table &table, const Options &options) {
  Program program;
  for (Binary &binary : binaries) {
    for (model::LinkedUnit &unit : binary.units) {
      program.units.push_back(std::move(unit));
      program.binaryOf.push_back(static_cast<uint32_t>(program.binaries.size()));
    }
    program.binaries.push_back(std::move(binary.name));
  }
  if (program.units.empty()) return fail("no models to link", "build the program with deadheat cc or c++");

  program.symbols = resolveSymbols(program.units, program.binaryOf, table, program.gaps);
  Code code{program.units, program.symbols};
  program.calls = numberCalls(code);
  Wrappers wrappers = findWrappers(code, program.calls);
  PointsToBuilder pointsTo(code, program.calls, wrappers);
  pointsTo.run();
  connectCalls(program.calls, code, pointsTo, program.gaps);
  std::vector<Entered> entered = findEntered(code, program.calls, wrappers, pointsTo);
  program.pointsTo = pointsTo.finish();
  ThreadInput input{code, program.calls, program.pointsTo, entered, wrappers};
  FoundThreads found = findThreads(input, program.gaps);
  judgeArguments(input, found);
  findLiveness(input, found);
  program.threads = std::move(found.threads);
  findShared(program, entered);
  return program;
}

std::vector<FuncId> functionsNamed(const Program &program, std::string_view name) {
  std::vector<FuncId> found;
  for (uint32_t i = 0; i < program.symbols.functions.size(); ++i) {
    const Function &function = program.function(FuncId(i));
    if (function.name == name || function.display == name) found.push_back(FuncId(i));
  }
  return found;
}

} // namespace deadheat::link
