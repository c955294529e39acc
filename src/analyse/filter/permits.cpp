#include "analyse/filter/permits.h"

#include <algorithm>

#include "link/definitions.h"

namespace deadheat::analyse {

namespace {

constexpr int kMaxWrappers = 3; // constructors that call constructors

} // namespace

Permits::Permits(const World &world) : world_(world) {
  const link::Program &program = world.environment.program;
  for (uint32_t i = 0; i < program.symbols.functions.size(); ++i) {
    const knowledge::Row *row = program.function(link::FuncId(i)).known;
    if (row && row->action == knowledge::Action::Initialise && row->kind == knowledge::Kind::Semaphore &&
        row->argument >= 0)
      gather({link::FuncId(i), row->object, row->argument}, kMaxWrappers);
  }
}

void Permits::gather(Maker maker, int depth) {
  const link::Program &program = world_.environment.program;
  const link::Code code{program.units, program.symbols};
  for (link::CallSiteId site : program.calls.callers[maker.function]) {
    const link::CallSite &call = program.calls.sites[site];
    if (!call.caller.valid()) continue;
    const model::Unit &unit = code.unit(call.unit);
    const link::Definitions definitions(code, call.caller);
    const model::Operand number = definitions.strip(link::argumentOf(unit, unit.calls[call.call], maker.number));
    const model::Operand object = definitions.strip(link::argumentOf(unit, unit.calls[call.call], maker.object));
    if (number.isNumber() && number.index > 1) several_.push_back(program.pointsTo.of(call.caller, object));
    const Maker around{call.caller, definitions.parameter(object), definitions.parameter(number)};
    if (depth > 0 && around.object >= 0 && around.number >= 0) gather(around, depth - 1);
  }
}

bool Permits::letInSeveral(link::Location signal) const {
  return std::ranges::any_of(several_, [&](link::Location made) {
    return made.valid() && world_.foundOut.local().places.mayAlias(made, 1, signal, 1);
  });
}

} // namespace deadheat::analyse
