// Links a program of so many statements, made up, or the models of a directory, and prints what it took as JSON; with
// --analyse, looks for its races, too.
//
//   link_scaling STATEMENTS | --models DIR [--kernel] [--analyse]
//
// The made-up program has the shapes that cost: functions of some forty statements that call their neighbours and a few
// helpers of all, structures that point to each other, tables of functions, lists, loops, a few threads.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>

#include "analyse/engine.h"
#include "link/program.h"
#include "link/unit_builder.h"
#include "support/file.h"

namespace deadheat::link {
namespace {

constexpr uint32_t kFunctionsPerUnit = 40;
constexpr uint32_t kUnitsPerGroup = 4;
constexpr uint32_t kStatementsPerFunction = 36;
constexpr uint32_t kHelpers = 8;

Operand v(ValueId id) { return Operand::value(id); }
Operand s(SymbolId id) { return Operand::symbol(id); }

class Generator {
public:
  explicit Generator(uint32_t statements)
      : units_(std::max(1u, statements / (kFunctionsPerUnit * kStatementsPerFunction))) {}

  std::vector<Binary> make() {
    Binary binary{"made up", {}};
    binary.units.push_back(helpers());
    for (uint32_t u = 0; u < units_; ++u) binary.units.push_back(unit(u));
    std::vector<Binary> binaries;
    binaries.push_back(std::move(binary));
    return binaries;
  }

private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  static std::string name(uint32_t unit, uint32_t function) {
    return "f" + std::to_string(unit) + "_" + std::to_string(function);
  }

  // Functions of one unit have one type: pointers to them are as many in a small program as in a large one.
  static std::string signature(uint32_t unit) { return "ptr(ptr,ptr,i" + std::to_string(unit) + ")"; }

  model::LinkedUnit helpers() {
    UnitBuilder unit("helpers.c");
    for (uint32_t h = 0; h < kHelpers; ++h) {
      unit.define("helper" + std::to_string(h), 2, "ptr(ptr,ptr)");
      ValueId next = unit.load(v(unit.field(v(ValueId(0)), 8 * h)));
      unit.store(v(unit.field(v(ValueId(1)), 8)), v(next));
      unit.ret(v(ValueId(0)));
    }
    SymbolId create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
    // The last function of a unit reaches most of it: what threads share grows with the program, and not by chance.
    SymbolId entry = unit.declare(name(0, kFunctionsPerUnit - 1), "ptr(ptr,ptr)");
    unit.define("main", 2, "i32(i32,ptr)");
    unit.call(create, {v(unit.stack(8)), Operand::number(0), s(entry), v(unit.stack(64))});
    for (uint32_t u = 0; u < units_; ++u) unit.call(unit.declare(name(u, kFunctionsPerUnit - 1)), {v(unit.stack(64))});
    unit.ret();
    return unit.finish();
  }

  model::LinkedUnit unit(uint32_t number) {
    UnitBuilder unit("unit" + std::to_string(number) + ".c");
    SymbolId malloc = unit.declare("malloc", "ptr(i64)");
    std::vector<SymbolId> callees, globals;
    for (uint32_t h = 0; h < kHelpers; ++h) callees.push_back(unit.declare("helper" + std::to_string(h)));
    // One of a unit before it: calls get deeper as they do in a program that grows. One of its group: there are circles, as
    // large in a small program as in a large one. With one of any unit, both are matters of chance, and grow with it.
    uint32_t group = number / kUnitsPerGroup * kUnitsPerGroup;
    uint32_t inGroup = group + below(std::min(kUnitsPerGroup, units_ - group));
    for (uint32_t other : {below(number + 1), inGroup})
      callees.push_back(unit.declare(name(other, below(kFunctionsPerUnit))));
    for (uint32_t g = 0; g < 12; ++g)
      globals.push_back(
          unit.variable("g" + std::to_string(number) + "_" + std::to_string(g), 64, Linkage::External, "struct state"));
    for (uint32_t f = 0; f < kFunctionsPerUnit; ++f) {
      SymbolId self = unit.define(name(number, f), 2, signature(number));
      body(unit, number, malloc, callees, globals);
      unit.flag(self, model::kAddressTaken);
      if (below(8) == 0) unit.initialise(globals[below(12)], 8 * below(8), self);
      callees.push_back(self);
    }
    return unit.finish();
  }

  // Without the branch, what is called in a circle would never return, and nothing after it would be executed.
  static void callPerhaps(UnitBuilder &unit, uint32_t &block, Operand callee, Operand a, Operand b,
                          const std::string &type) {
    unit.branch(block + 1, block + 2);
    unit.block();
    unit.call(callee, {a, b}, type);
    unit.jump(block + 2);
    block = unit.block();
  }

  void body(UnitBuilder &unit, uint32_t number, SymbolId malloc, const std::vector<SymbolId> &callees,
            const std::vector<SymbolId> &globals) {
    std::vector<Operand> pointers{v(ValueId(0)), v(ValueId(1)), s(globals[below(12)]), v(unit.stack(64))};
    pointers.push_back(v(unit.call(malloc, {Operand::number(64)})));
    auto any = [&] { return pointers[below(static_cast<uint32_t>(pointers.size()))]; };
    uint32_t block = 0;
    for (uint32_t i = 5; i + 1 < kStatementsPerFunction; ++i) {
      switch (below(7)) {
      case 0: pointers.push_back(v(unit.field(any(), 8 * below(8)))); break;
      case 1: pointers.push_back(v(unit.load(any()))); break;
      case 2: unit.store(any(), any()); break;
      case 3: unit.store(any(), Operand::number(1)); break;
      case 4: pointers.push_back(v(unit.choose(any(), any()))); break;
      case 5: {
        SymbolId callee = callees[callees.size() - 1 - below(std::min<size_t>(callees.size(), 16))];
        callPerhaps(unit, block, s(callee), any(), any(), "void()");
        break;
      }
      case 6:
        if (below(8) == 0)
          callPerhaps(unit, block, v(unit.load(s(globals[below(12)]))), any(), any(), signature(number));
        break;
      }
    }
    unit.ret(any());
  }

  uint32_t units_;
  std::mt19937 random_{1};
};

Expected<std::vector<Binary>> loadModels(const std::string &folder) {
  std::vector<std::string> paths;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == model::kFileSuffix) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  Binary binary{folder, {}};
  for (const std::string &path : paths) {
    auto bytes = readFile(path);
    if (!bytes) return std::unexpected(bytes.error());
    auto units = model::decodeFrames(
        {reinterpret_cast<const uint8_t *>((*bytes)->getBufferStart()), (*bytes)->getBufferSize()}, path);
    if (!units) return std::unexpected(units.error());
    for (model::LinkedUnit &unit : *units) binary.units.push_back(std::move(unit));
  }
  std::vector<Binary> binaries;
  binaries.push_back(std::move(binary));
  return binaries;
}

long peakMebibytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// As two more stages of the program.
void analyse(Program &program) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  auto begun = Clock::now();
  analyse::RaceEngine engine(program, {});
  program.stages.push_back({"races", since(begun)});
  begun = Clock::now();
  size_t found = engine.findings().size();
  program.stages.push_back({"ranking", since(begun)});
  for (const analyse::Stage &stage : engine.stages()) std::fprintf(stderr, "%s %.2f, ", stage.name, stage.seconds);
  analyse::Counts counts = engine.counts();
  std::fprintf(stderr, "%llu functions, %llu guarded accesses, %llu pairs, %zu findings\n",
               static_cast<unsigned long long>(counts.functions), static_cast<unsigned long long>(counts.accesses),
               static_cast<unsigned long long>(counts.pairs), found);
}

int run(std::vector<Binary> binaries, bool kernel, bool isAnalysed) {
  size_t statements = 0;
  for (const Binary &binary : binaries)
    for (const model::LinkedUnit &linked : binary.units) statements += linked.unit.statements.size();
  long before = peakMebibytes();
  knowledge::Table table(kernel ? knowledge::Program::Kernel : knowledge::Program::Hosted);
  auto program = linkProgram(std::move(binaries), table, Options());
  if (!program) {
    std::fprintf(stderr, "link_scaling: error: %s\n", program.error().text().c_str());
    return 2;
  }
  if (isAnalysed) analyse(*program);
  double seconds = 0;
  std::printf(
      "{\"statements\": %zu, \"units\": %zu, \"functions\": %zu, \"threads\": %zu, \"nodes\": %u, \"shared\": %u, "
      "\"models_mib\": %ld, \"peak_mib\": %ld, \"stages\": {",
      statements, program->units.size(), program->symbols.functions.size(), program->threads.list.size(),
      program->pointsTo.nodeCount(), program->sharedCount, before, peakMebibytes());
  for (size_t i = 0; i < program->stages.size(); ++i) {
    std::printf("%s\"%s\": %.3f", i ? ", " : "", std::string(program->stages[i].name).c_str(),
                program->stages[i].seconds);
    seconds += program->stages[i].seconds;
  }
  std::printf("}, \"seconds\": %.3f}\n", seconds);
  return 0;
}

} // namespace
} // namespace deadheat::link

int main(int argc, char **argv) {
  using namespace deadheat::link;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::fprintf(stderr, "usage: link_scaling STATEMENTS | --models DIR [--kernel] [--analyse]\n");
    return 2;
  }
  auto has = [&](const char *option) { return std::ranges::find(arguments, option) != arguments.end(); };
  if (arguments[0] != "--models")
    return run(Generator(static_cast<uint32_t>(std::stoul(arguments[0]))).make(), false, has("--analyse"));
  auto binaries = loadModels(arguments.at(1));
  if (!binaries) {
    std::fprintf(stderr, "link_scaling: error: %s\n", binaries.error().text().c_str());
    return 2;
  }
  return run(std::move(*binaries), has("--kernel"), has("--analyse"));
}
