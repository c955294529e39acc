#include "analyse/race/own_parameters.h"

#include <algorithm>

#include "analyse/race/world.h"

namespace deadheat::analyse {

using link::DistinctWhy;
using link::FuncId;
using link::ThreadId;

OwnParameters::OwnParameters(const link::Program &program) : program_(program), origins_(program) {
  if (program.threads.list.size() > kMaxCrews) return; // they are followed in crews: one's own may be another's there
  for (uint32_t i = 0; i < program.threads.list.size(); ++i) follow(ThreadId(i));
  passings_.clear();
}

OwnParameters::Marks OwnParameters::marksOf(ThreadId thread, FuncId function) const {
  auto known = marks_.find(thread);
  return known == marks_.end() ? Marks() : known->second[function.value()];
}

bool OwnParameters::isOwn(ThreadId thread, FuncId function, uint32_t parameter) const {
  return parameter < Origin::kMaxParameters && (marksOf(thread, function).own >> parameter & 1) != 0;
}

bool OwnParameters::isMade(ThreadId thread, FuncId function, uint32_t parameter) const {
  return parameter < Origin::kMaxParameters && (marksOf(thread, function).made >> parameter & 1) != 0;
}

// What was own stays so until a call shows that it is not.
void OwnParameters::follow(ThreadId id) {
  const link::Thread &thread = program_.threads.list[id];
  std::vector<Marks> &marks = marks_[id];
  marks.resize(program_.symbols.functions.size());
  const bool isDistinct = thread.many && thread.distinct >= DistinctWhy::Indexed && thread.entries.size() == 1;
  std::vector<FuncId> pending(thread.entries.begin(), thread.entries.end());
  for (FuncId entry : pending) marks[entry.value()] = {.isReached = true, .own = isDistinct ? Mask(1) : 0};
  while (!pending.empty()) {
    FuncId caller = pending.back();
    pending.pop_back();
    const Marks mine = marks[caller.value()];
    for (const Passing &passing : passings(caller))
      for (FuncId callee : program_.calls.callees[passing.site]) {
        Marks &known = marks[callee.value()];
        const Marks now = given(passing, callee, mine), before = known;
        known = before.isReached ? Marks{true, before.own & now.own, before.made & now.made} : now;
        if (!before.isReached || known.own != before.own || known.made != before.made) pending.push_back(callee);
      }
  }
}

// What a callee calls back gets other arguments than the call has.
OwnParameters::Marks OwnParameters::given(const Passing &passing, FuncId callee, const Marks &caller) {
  Marks given{.isReached = true};
  if (passing.direct.valid() && passing.direct != callee) return given;
  for (size_t i = 0; i < passing.arguments.size(); ++i) {
    const Origin &origin = passing.arguments[i];
    if (!origin.isKnown || origin.isNull()) continue;
    const bool isMade = (origin.parameters & ~caller.made) == 0;
    if (isMade) given.made |= Mask(1) << i;
    if (isMade || (origin.parameters & ~(caller.own | caller.made)) == 0) given.own |= Mask(1) << i;
  }
  return given;
}

const std::vector<OwnParameters::Passing> &OwnParameters::passings(FuncId function) {
  auto [place, isNew] = passings_.try_emplace(function);
  if (!isNew || program_.function(function).external()) return place->second;
  link::Code code{program_.units, program_.symbols};
  Origins::Body body(code, function);
  const link::UnitId unit = program_.function(function).unit;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    model::CallId id(static_cast<uint32_t>(statement.number));
    const model::Call &call = program_.unit(unit).calls[id];
    Passing passing{program_.calls.site(unit, id), code.directCallee(unit, call), {}};
    for (uint32_t i = 0; i < std::min(call.argumentCount, Origin::kMaxParameters); ++i) {
      model::ArgumentId argument(call.firstArgument.value() + i);
      passing.arguments.push_back(origins_.of(body, program_.unit(unit).arguments[argument].value));
    }
    place->second.push_back(std::move(passing));
  });
  return place->second;
}

} // namespace deadheat::analyse
