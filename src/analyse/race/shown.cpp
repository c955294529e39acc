#include "analyse/race/shown.h"

#include "model/calls.h"

namespace deadheat::analyse {

namespace {

constexpr uint32_t kMaxAway = 60; // statements

bool isLibrary(const link::Program &program, link::FuncId function) {
  return (program.function(function).flags & model::kLibrary) != 0;
}

const model::Call &callAt(const link::Program &program, const Step &step) {
  const model::Unit &unit = program.unitOf(step.function);
  return unit.calls[model::CallId(static_cast<uint32_t>(unit.statements[step.statement].number))];
}

void setPlace(const model::Unit &unit, model::StringId file, uint32_t line, uint32_t column, Shown &shown) {
  shown.file = unit.strings[file];
  shown.line = line;
  shown.column = column;
}

// Library code was copied into the function: the call or access of its own that stands nearest is the line.
bool setNearest(const link::Program &program, const Step &step, Shown &shown) {
  const model::Unit &unit = program.unitOf(step.function);
  const model::Function &body = program.bodyOf(step.function);
  auto isOwnLine = [&](uint32_t s) {
    if (!unit.statements.contains(model::StatementId(s))) return false;
    const model::Statement &statement = unit.statements[model::StatementId(s)];
    if (statement.site.valid() && unit.functions[unit.sites[statement.site].function].name == body.name) {
      const model::Site &site = unit.sites[statement.site];
      setPlace(unit, site.file, site.line, site.column, shown);
      return true;
    }
    if (statement.kind != model::StatementKind::Call) return false;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    if (unit.strings[call.file] != unit.strings[body.file] || call.line == 0) return false;
    setPlace(unit, call.file, call.line, call.column, shown);
    return true;
  };
  for (uint32_t away = 0; away < kMaxAway; ++away)
    if (isOwnLine(step.statement.value() + away) || isOwnLine(step.statement.value() - away)) return true;
  return false;
}

} // namespace

Shown shownAt(const link::Program &program, const Leaf &leaf) {
  const model::Unit &unit = program.unit(leaf.unit);
  const model::Site &site = unit.sites[leaf.site];
  Shown shown{.function = leaf.steps.back().function};
  setPlace(unit, site.file, site.line, site.column, shown);
  shown.path = unit.strings[site.path];
  shown.isWithinLibrary = (unit.functions[site.function].flags & model::kLibrary) != 0;
  if (!shown.isWithinLibrary) return shown;
  size_t last = leaf.steps.size() - 1;
  size_t frame = 0;
  while (frame <= last && isLibrary(program, leaf.steps[last - frame].function)) ++frame;
  if (frame > last) return shown;
  const Step &step = leaf.steps[last - frame];
  shown.frame = frame;
  shown.function = step.function;
  if (frame == 0) {
    setNearest(program, step, shown);
    return shown;
  }
  const model::Call &call = callAt(program, step);
  const model::Unit &caller = program.unitOf(step.function);
  setPlace(caller, call.file, call.line, call.column, shown);
  shown.call = &call;
  if (std::string_view object = model::objectOf(caller, call); !object.empty()) shown.path = object;
  return shown;
}

} // namespace deadheat::analyse
