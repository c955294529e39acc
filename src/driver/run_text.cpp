#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include "driver/run_report.h"
#include "model/late_sites.h"
#include "model/names.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

constexpr size_t kHottest = 10;

std::string counted(uint64_t count, const std::string &one, const std::string &many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string counted(uint64_t count, const std::string &one) { return counted(count, one, one + "s"); }

auto percent(uint64_t part, uint64_t whole) { return llvm::format("%.2f %%", whole == 0 ? 0.0 : 100.0 * part / whole); }

void printEnding(llvm::raw_ostream &out, const RunReport &report) {
  out << "deadheat: " << printable(report.command.front()) << " ended with ";
  if (report.ending.signal != 0)
    out << "signal " << report.ending.signal;
  else
    out << "status " << report.ending.status;
  out << "; followed " << counted(report.recording.processes, "process", "processes") << " and "
      << counted(report.recording.threads.size(), "thread") << '\n';
}

// How much was mapped back to the source, and what stood in the way of the rest.
void printMapped(llvm::raw_ostream &out, const RunReport &report) {
  OriginCount all = report.total(), mapped = report.mapped();
  out << "deadheat: " << counted(report.executions, "access", "accesses") << " executed, at " << all.executed << " of "
      << all.late << " places in the code\n"
      << "deadheat: known to the source: " << percent(mapped.late, all.late) << " of the places, "
      << percent(mapped.executed, all.executed) << " of those executed, "
      << percent(mapped.executions, report.executions) << " of the executions\n";
  for (size_t origin = static_cast<size_t>(model::Origin::Merged) + 1; origin != kOrigins; ++origin)
    if (const OriginCount &count = report.origins[origin]; count.executions != 0)
      out << "deadheat: not known (" << model::kOriginNames[origin]
          << "): " << percent(count.executions, report.executions) << " of the executions\n";
  if (report.unknown != 0)
    out << "deadheat: not known (no model): " << percent(report.unknown, report.executions) << " of the executions\n";
}

void printLosses(llvm::raw_ostream &out, const RunReport &report) {
  const RunLosses &losses = report.recording.losses;
  const struct {
    uint64_t count;
    const char *one;
    const char *many;
    const char *why;
  } rows[] = {
      {losses.signalEvents, "event", "events", "lost: in a signal handler that interrupted another"},
      {losses.damagedRings, "ring", "rings", "damaged by the program"},
      {losses.refusedThreads, "thread", "threads", "not followed: too many at once, or no room in shared memory"},
      {losses.refusedObjects, "library", "libraries", "not followed: too many of them"},
      {losses.refusedProcesses, "process", "processes",
       "not followed: a namespace of its own for process ids, or no room for the shared file"},
      {losses.otherVersions, "library", "libraries", "not followed: built by another version of Deadheat"},
      {losses.stillRunning, "thread", "threads", "still running: not counted from now on"},
      {losses.leftBehind, "process", "processes",
       "went on in the background, unwatched: keep a daemon in the foreground to see what it does"},
  };
  for (const auto &row : rows)
    if (row.count != 0) out << "deadheat: note: " << counted(row.count, row.one, row.many) << ' ' << row.why << '\n';
  for (const std::string &missing : report.missing) out << "deadheat: note: " << printable(missing) << '\n';
}

// Where it was to be held to a share.
void printCost(llvm::raw_ostream &out, const RunCost &cost) {
  if (cost.budget == 0) return;
  auto share = [&](double part) { return cost.program == 0 ? 0.0 : 100 * part / cost.program; };
  out << "deadheat: told code took " << llvm::format("%.1f", share(cost.told)) << " % of "
      << llvm::format("%.2f", cost.program) << " s of CPU (budget " << llvm::format("%g", 100 * cost.budget)
      << " %), telling of synchronisation " << llvm::format("%.1f", share(cost.synchronisation))
      << " %; beside it the detector used " << llvm::format("%.2f", cost.detector) << " s\n";
}

std::string placeText(const LatePlace &place) {
  const model::Unit &unit = *place.unit;
  const model::LateAccess &late = unit.late[place.late];
  std::string function = printable(unit.strings[unit.functions[late.function].display]);
  if (late.count == 0) return printable(unit.source) + ": " + function + " (" + std::string(name(late.origin)) + ")";
  const model::Site &site = unit.sites[model::ownSite(unit, late)];
  return printable(unit.strings[site.file]) + ":" + std::to_string(site.line) + ":" + std::to_string(site.column) +
         ": " + function + ": " + std::string(name(late.kind)) + " " + printable(unit.strings[site.path]);
}

void printHottest(llvm::raw_ostream &out, const RunReport &report) {
  std::vector<const ExecutedAccess *> hottest;
  for (const ExecutedAccess &access : report.accesses) hottest.push_back(&access);
  llvm::sort(hottest, [](const ExecutedAccess *left, const ExecutedAccess *right) {
    return left->count != right->count ? left->count > right->count : left < right; // both lie in one vector
  });
  hottest.resize(std::min(hottest.size(), kHottest));
  TextTable table({TextTable::Align::Right, TextTable::Align::Left});
  for (const ExecutedAccess *access : hottest) table.add({std::to_string(access->count), placeText(access->place)});
  table.print(out, "  ");
}

} // namespace

void printReport(llvm::raw_ostream &out, const RunReport &report, bool hottest) {
  printEnding(out, report);
  if (report.recording.processes + report.recording.losses.refusedProcesses == 0) {
    out << "deadheat: no instrumented code was reached: build the program with CC=deadheat-cc CXX=deadheat-c++; static "
           "and setuid programs cannot be followed\n";
    printLosses(out, report);
    return;
  }
  printMapped(out, report);
  printCost(out, report.cost);
  if (hottest) printHottest(out, report);
  printLosses(out, report);
}

} // namespace deadheat::driver
