#include "driver/check_text.h"

#include <sys/resource.h>

#include "llvm/Support/Format.h"

#include "support/text_table.h"

namespace deadheat::driver {
namespace {

using llvm::raw_ostream;

constexpr size_t kMostLines = 10; // of a list, unless everything is wanted
constexpr char kSelf[] = "deadheat: ";

std::string counted(uint64_t count, const std::string &one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string placeText(const finding::Place &place) {
  return place.known() ? printable(place.file) + ":" + std::to_string(place.line) : "";
}

void printRest(raw_ostream &out, size_t all, size_t most) {
  if (all > most) out << "  and " << all - most << " more (-v shows all)\n";
}

long peakMebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

void printUnits(raw_ostream &out, const CheckResult &result) {
  const CheckModels &models = result.models;
  for (const std::string &failure : models.failed)
    out << kSelf << "warning: no model of " << printable(failure) << '\n';
  out << kSelf << counted(result.units, "unit");
  if (models.compiled + models.cached != 0)
    out << "; clang ran for " << models.compiled << ", " << models.cached << " were as before";
  for (const StageCost &cost : result.costs) out << "; " << cost.stage << llvm::format(" %.1f s", cost.seconds);
  out << "; at most " << peakMebibytes() << " MiB\n";
}

template <typename Stages> void printStages(raw_ostream &out, const char *name, const Stages &stages) {
  out << kSelf << name << ':';
  const char *separator = " ";
  for (const auto &stage : stages) {
    out << separator << stage.name << llvm::format(" %.1f s", stage.seconds);
    separator = "; ";
  }
  out << '\n';
}

void printThreads(raw_ostream &out, const std::vector<finding::ProgramThread> &threads, size_t most) {
  out << kSelf << counted(threads.size(), "thread") << '\n';
  for (size_t i = 0; i < std::min(most, threads.size()); ++i) {
    const finding::ProgramThread &thread = threads[i];
    out << "  " << printable(thread.entry);
    if (thread.createdAt.known()) out << ", created at " << placeText(thread.createdAt);
    out << (thread.many ? ", many\n" : "\n");
  }
  printRest(out, threads.size(), most);
}

void printLocks(raw_ostream &out, const std::vector<finding::ProgramLock> &locks, size_t most) {
  out << kSelf << counted(locks.size(), "lock") << '\n';
  for (size_t i = 0; i < std::min(most, locks.size()); ++i)
    out << "  " << printable(locks[i].name) << ", " << locks[i].kind << '\n';
  printRest(out, locks.size(), most);
}

void printGaps(raw_ostream &out, const CheckResult &result, bool verbose) {
  if (result.findings.program.gaps.empty()) return;
  out << kSelf << "not seen:";
  const char *separator = " ";
  for (const finding::Gap &gap : result.findings.program.gaps) {
    out << separator << gap.count << " " << gap.kind;
    separator = ", ";
  }
  out << '\n';
  if (!verbose) return;
  for (const link::Gap &gap : result.program.gaps.list())
    out << "  " << placeText({result.names.shown(gap.file), gap.line}) << " " << link::sentence(gap.kind) << ": "
        << printable(gap.detail) << '\n';
  for (const std::string &library : result.models.without) out << "  " << printable(library) << " has no models\n";
}

} // namespace

void printProgram(raw_ostream &out, const CheckResult &result, bool verbose) {
  const finding::Program &program = result.findings.program;
  size_t most = verbose ? SIZE_MAX : kMostLines;
  printUnits(out, result);
  if (verbose) printStages(out, "linking", result.program.stages);
  printThreads(out, program.threads, most);
  printLocks(out, program.locks, most);
  out << kSelf << program.shared << " of " << program.sites.early
      << " accesses touch objects that two threads can reach\n";
}

void printEngines(raw_ostream &out, const CheckResult &result, bool verbose) {
  if (result.wasSearched && !result.analysed) out << kSelf << "nothing changed: the findings are those of before\n";
  if (!result.engineCosts.empty()) {
    out << kSelf;
    for (const StageCost &cost : result.engineCosts) out << cost.stage << llvm::format(" %.1f s; ", cost.seconds);
    out << counted(*result.analysed, "function") << " analysed; at most " << peakMebibytes() << " MiB\n";
    if (verbose) printStages(out, "races", result.raceStages);
  }
  printGaps(out, result, verbose);
}

Expected<void> printExplanation(raw_ostream &out, const CheckResult &result, const std::string &name) {
  std::vector<link::FuncId> functions = link::functionsNamed(result.program, name);
  if (functions.empty())
    return fail("no function of the program is called " + name, "deadheat model dump shows all names");
  for (size_t i = 0; i < functions.size(); ++i) {
    link::FuncId id = functions[i];
    const link::Function &function = result.program.function(id);
    out << printable(function.display) << ", " << placeText({result.names.shown(function.file), function.line}) << '\n';
    for (const link::ThreadFact &fact : link::explain(result.program, id)) out << "  " << printable(fact.text) << '\n';
    if (i < result.summaries.size()) out << result.summaries[i]; // none: no engine ran
  }
  return {};
}

void printShared(raw_ostream &out, const std::vector<SharedAccess> &accesses) {
  for (const SharedAccess &access : accesses)
    out << printable(access.place.file) << ':' << access.place.line << ':' << access.place.column << ": note: shared "
        << access.access << " of " << printable(access.path.empty() ? "(no name)" : access.path) << " in "
        << printable(access.function) << '\n';
}

llvm::json::Array sharedJson(const std::vector<SharedAccess> &accesses) {
  using llvm::json::fixUTF8;
  llvm::json::Array list;
  for (const SharedAccess &access : accesses)
    list.push_back(llvm::json::Object{{"file", fixUTF8(access.place.file)},
                                      {"line", access.place.line},
                                      {"column", access.place.column},
                                      {"function", fixUTF8(access.function)},
                                      {"access", access.access},
                                      {"path", fixUTF8(access.path)}});
  return list;
}

} // namespace deadheat::driver
