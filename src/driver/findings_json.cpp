#include "driver/findings_json.h"

#include "model/names.h"

namespace deadheat::driver {
namespace {

using llvm::json::Array;
using llvm::json::fixUTF8;
using llvm::json::Object;
using llvm::json::Value;

// Names come from files that anyone may have written.
Value text(std::string_view text) { return fixUTF8(text); }

std::vector<finding::Gap> gaps(const RunReport &report) {
  const RunLosses &losses = report.recording.losses;
  const std::pair<const char *, uint64_t> rows[] = {
      {"lost-in-signal-handler", losses.signalEvents},   {"damaged-ring", losses.damagedRings},
      {"thread-not-followed", losses.refusedThreads},    {"library-not-followed", losses.refusedObjects},
      {"process-not-followed", losses.refusedProcesses}, {"other-version", losses.otherVersions},
      {"thread-still-running", losses.stillRunning},     {"process-left-behind", losses.leftBehind},
      {"execution-without-model", report.unknown},       {"unreadable-file", report.missing.size()},
      {"damaged-model", report.damaged.size()},
  };
  std::vector<finding::Gap> all;
  for (const auto &[kind, count] : rows)
    if (count != 0) all.push_back({kind, count});
  return all;
}

Object origins(const RunReport &report) {
  Object all;
  for (size_t origin = 0; origin != kOrigins; ++origin) {
    const OriginCount &count = report.origins[origin];
    all[llvm::StringRef(model::kOriginNames[origin])] =
        Object{{"late", count.late}, {"executed", count.executed}, {"executions", count.executions}};
  }
  return all;
}

Array objects(const RunReport &report) {
  Array all;
  for (const ReportedObject &object : report.objects)
    all.push_back(Object{{"path", text(object.path)},
                         {"units", object.units},
                         {"late", object.late},
                         {"executed", object.executed},
                         {"executions", object.executions}});
  return all;
}

Array threads(const RunReport &report) {
  Array all;
  for (const RunThread &thread : report.recording.threads) {
    uint64_t executions = 0;
    for (const AccessCount &access : thread.accesses) executions += access.count;
    all.push_back(Object{{"process", thread.process},
                         {"number", thread.number},
                         {"pid", thread.pid},
                         {"tid", thread.tid},
                         {"places", thread.accesses.size()},
                         {"executions", executions}});
  }
  return all;
}

Array sites(const model::Unit &unit, const model::LateAccess &late) {
  Array all;
  for (uint32_t index = late.first; index != late.first + late.count; ++index) {
    const model::Site &site = unit.sites[unit.lateSites[index]];
    all.push_back(Object{{"id", unit.lateSites[index].value()},
                         {"file", text(unit.strings[site.file])},
                         {"line", site.line},
                         {"column", site.column},
                         {"access", llvm::StringRef(name(site.kind))},
                         {"path", text(unit.strings[site.path])}});
  }
  return all;
}

Object accessObject(const ExecutedAccess &access) {
  const model::Unit &unit = *access.place.unit;
  const model::LateAccess &late = unit.late[access.place.late];
  return Object{{"object", access.object},
                {"unit", text(unit.source)},
                {"late", access.place.late.value()},
                {"function", text(unit.strings[unit.functions[late.function].display])},
                {"access", llvm::StringRef(name(late.kind))},
                {"origin", llvm::StringRef(name(late.origin))},
                {"executions", access.count},
                {"sites", sites(unit, late)}};
}

} // namespace

static Object cpu(const RunCost &cost) {
  Object all{{"program", cost.program}, {"detector", cost.detector}};
  if (cost.budget == 0) return all;
  all["budget"] = cost.budget;
  all["told"] = cost.told;
  all["synchronisation"] = cost.synchronisation;
  return all;
}

finding::Program programOf(const RunReport &report) {
  finding::Program program;
  program.command = report.command;
  if (report.ending.signal != 0)
    program.signal = report.ending.signal;
  else
    program.exit = report.ending.status;
  program.gaps = gaps(report);
  program.sites = {report.earlySites, report.total().late, report.mapped().late};
  return program;
}

// In the order of their keys, as all objects are. The accesses are many: each is an object of its own, gone when it is written.
void writeExecuted(llvm::json::OStream &stream, const RunReport &report) {
  OriginCount all = report.total(), mapped = report.mapped();
  stream.object([&] {
    stream.attributeArray("accesses", [&] {
      for (const ExecutedAccess &access : report.accesses) stream.value(accessObject(access));
    });
    stream.attribute("cpu", cpu(report.cost));
    stream.attribute("executions", report.executions);
    stream.attribute("late", all.executed);
    stream.attribute("log_bytes", report.recording.words * sizeof(uint64_t));
    stream.attribute("mapped", mapped.executed);
    stream.attribute("mapped_executions", mapped.executions);
    stream.attribute("objects", objects(report));
    stream.attribute("origins", origins(report));
    stream.attribute("processes", report.recording.processes);
    stream.attribute("threads", threads(report));
  });
}

} // namespace deadheat::driver
