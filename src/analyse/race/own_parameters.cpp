#include "analyse/race/own_parameters.h"

#include <algorithm>

#include "analyse/race/world.h"
#include "link/definitions.h"

namespace deadheat::analyse {

using link::DistinctWhy;
using link::FuncId;
using link::ThreadId;

OwnParameters::OwnParameters(const link::Program &program) : program_(program) {
  if (program.threads.list.size() > kMaxCrews) return; // they are followed in crews: one's own may be another's there
  for (uint32_t i = 0; i < program.threads.list.size(); ++i) {
    const link::Thread &thread = program.threads.list[ThreadId(i)];
    const bool isDistinct = thread.distinct >= DistinctWhy::Indexed;
    if (thread.many && isDistinct && thread.entries.size() == 1) follow(ThreadId(i));
  }
  passings_.clear();
}

bool OwnParameters::isOwn(ThreadId thread, FuncId function, uint32_t parameter) const {
  auto known = own_.find(thread);
  if (known == own_.end() || parameter >= kMaxParameters) return false;
  auto mask = known->second.find(function);
  return mask != known->second.end() && (mask->second >> parameter & 1) != 0;
}

// What was own stays so until a call shows that it is not.
void OwnParameters::follow(ThreadId thread) {
  std::map<FuncId, Mask> &own = own_[thread];
  FuncId entry = program_.threads.list[thread].entries.front();
  own[entry] = 1;
  std::vector<FuncId> pending{entry};
  while (!pending.empty()) {
    FuncId caller = pending.back();
    pending.pop_back();
    const Mask mine = own[caller];
    for (const Passing &passing : passings(caller))
      for (FuncId callee : program_.calls.callees[passing.site]) {
        // What a callee calls back gets other arguments than the call has.
        Mask given = 0;
        if (!passing.direct.valid() || passing.direct == callee)
          for (size_t i = 0; i < passing.parameters.size(); ++i)
            if (passing.parameters[i] >= 0 && (mine >> passing.parameters[i] & 1) != 0) given |= Mask(1) << i;
        auto [known, isNew] = own.try_emplace(callee, given);
        const Mask before = known->second;
        known->second &= given;
        if (isNew || known->second != before) pending.push_back(callee);
      }
  }
}

const std::vector<OwnParameters::Passing> &OwnParameters::passings(FuncId function) {
  auto [place, isNew] = passings_.try_emplace(function);
  if (!isNew || program_.function(function).external()) return place->second;
  link::Code code{program_.units, program_.symbols};
  link::Definitions definitions(code, function);
  const link::UnitId unit = program_.function(function).unit;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    model::CallId id(static_cast<uint32_t>(statement.number));
    const model::Call &call = program_.unit(unit).calls[id];
    Passing passing{program_.calls.site(unit, id), code.directCallee(unit, call), {}};
    for (uint32_t i = 0; i < std::min(call.argumentCount, kMaxParameters); ++i) {
      signed char parameter = definitions.parameter(call, static_cast<int>(i));
      passing.parameters.push_back(parameter < static_cast<int>(kMaxParameters) ? parameter : -1);
    }
    place->second.push_back(std::move(passing));
  });
  return place->second;
}

} // namespace deadheat::analyse
