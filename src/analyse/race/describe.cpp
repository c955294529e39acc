#include "analyse/race/describe.h"

#include <algorithm>
#include <ranges>

#include "analyse/race/shown.h"
#include "finding/explain.h"
#include "finding/site_key.h"
#include "model/names.h"

namespace deadheat::analyse {

using finding::Access;
using finding::Place;

static Place placeOf(const model::Unit &unit, model::StringId file, uint32_t line, uint32_t column) {
  return {std::string(unit.strings[file]), line, column};
}

static Place placeOfCall(const link::Program &program, link::FuncId function, model::StatementId statement) {
  const model::Unit &unit = program.unitOf(function);
  const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(unit.statements[statement].number))];
  return placeOf(unit, call.file, call.line, call.column);
}

static void addStack(const link::Program &program, const Leaf &leaf, Access &access) {
  const model::Unit &unit = program.unit(leaf.unit);
  const model::Site &site = unit.sites[leaf.site];
  Place here = placeOf(unit, site.file, site.line, site.column);
  access.stack.push_back({std::string(unit.strings[unit.functions[site.function].display]), here});
  for (const Step &step : std::views::reverse(leaf.steps) | std::views::drop(1))
    access.stack.push_back(
        {std::string(program.function(step.function).display), placeOfCall(program, step.function, step.statement)});
  Shown shown = shownAt(program, leaf);
  access.place = {std::string(shown.file), shown.line, shown.column};
  access.function = shown.frame == 0 && !shown.isWithinLibrary ? access.stack[0].function
                                                               : std::string(program.function(shown.function).display);
  access.path = shown.path;
  if (shown.call)
    access.spot = finding::spotKey(program.unitOf(shown.function), program.bodyOf(shown.function), *shown.call);
  else if (!shown.isWithinLibrary)
    access.spot = finding::spotKey(unit, leaf.site);
}

static Access describeSide(const World &world, const Leaf &leaf, const Performer &performer) {
  const link::Program &program = world.environment.program;
  const model::Unit &unit = program.unit(leaf.unit);
  const model::Site &site = unit.sites[leaf.site];
  const link::Thread &thread = program.threads.list[threadAt(world, performer, leaf.steps[0].function)];
  Access access;
  addStack(program, leaf, access);
  access.access = model::name(site.kind);
  bool isMain = thread.kind == link::ThreadKind::Main;
  access.thread = isMain || thread.entries.empty() ? "main" : program.function(thread.entries[0]).display;
  access.threadMany = thread.many;
  if (thread.createdAt.valid()) {
    const link::CallSite &created = program.calls.sites[thread.createdAt];
    const model::Unit &creator = program.unit(created.unit);
    const model::Call &call = creator.calls[created.call];
    access.createdAt = placeOf(creator, call.file, call.line, call.column);
  }
  for (const HeldLock &lock : world.locksets[performer.locks])
    if (lock.mode != LockMode::After)
      access.locks.push_back(lockName(world, lock.lock) + (lock.mode == LockMode::Shared ? " (shared)" : ""));
  access.site = finding::siteKey(unit, leaf.site);
  return access;
}

static std::string times(uint32_t count, const char *what) { return std::to_string(count) + " " + what; }

static std::string sideText(const Access &access) {
  return access.access + " in " + access.function +
         (access.locks.empty() ? " holds no lock" : " holds " + access.locks[0]);
}

static void addReasons(const Belief &belief, finding::Finding &finding) {
  const Access &a = finding.accesses[0];
  const Access &b = finding.accesses[1];
  const Access &bare = a.locks.size() <= b.locks.size() ? a : b;
  finding.why = sideText(a) + ", " + sideText(b) + ", and no lock is held by both";
  if (!belief.lock.empty() && belief.guarded > 0) {
    finding.why += "; " + belief.lock + " is held at " + std::to_string(belief.guarded) + " of " +
                   times(belief.accesses, "accesses of this variable");
    finding.fix = "hold " + belief.lock + " around the " + bare.access + " of " + bare.path + " in " + bare.function;
    return;
  }
  finding.fix = "guard " + finding.variable + " with one lock in " + a.function +
                (a.function == b.function ? "" : " and " + b.function) + ", or make it atomic";
}

finding::Finding describe(const World &world, const Beliefs &beliefs, const Candidate &candidate) {
  finding::Finding finding;
  finding.kind = finding::Kind::Race;
  finding.level = finding::Level::Possible;
  finding.votes = {"relay"};
  finding.accesses = {describeSide(world, candidate.a, candidate.meeting.a),
                      describeSide(world, candidate.b, candidate.meeting.b)};
  const WorldAccess &first = world.accesses[candidate.pair->a];
  finding.variable = finding::variableOf(finding.accesses[0], finding.accesses[1]);
  const Node &root = world.names.nodes[world.names.nodes.root(first.lvalue.node)];
  if (root.kind == NodeKind::Heap) {
    link::FuncId owner(root.owner);
    finding.allocatedAt = placeOfCall(world.environment.program, owner, model::StatementId(root.index));
  }
  addReasons(beliefs.of(world, first), finding);
  return finding;
}

} // namespace deadheat::analyse
