#include "analyse/rank/walk.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analyse/rank/start.h"

namespace deadheat::analyse {

using link::FuncId;

static constexpr unsigned kMaxRounds = 4;

Walk::Walk(const World &world, const Conditions &conditions, const Callbacks &callbacks, link::ThreadId thread)
    : world_(world), conditions_(conditions), callbacks_(callbacks), thread_(thread),
      flows_(static_cast<unsigned>(conditions.count())) {
  if (world.crews.at(thread).size() == 1) begun_ = factsAtStart(world.environment.program, conditions, thread);
  for (uint32_t flag = 0; flag < conditions.count(); ++flag)
    flows_[flag] = !conditions.isParameter(FlagId(flag)) &&
                   (conditions.isThreadLocal(FlagId(flag)) || !conditions.isTold(FlagId(flag)));
}

Facts Walk::flowing(const Facts &facts) const {
  Facts kept;
  for (const auto &row : facts.rows())
    if (flows_[row.first.value()]) kept.rows().push_back(row);
  return kept;
}

void Walk::run() {
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    walkAll();
    if (!dropWritten()) return;
  }
  flows_.reset();
  walkAll();
}

void Walk::walkAll() {
  learnt_.assign(conditions_.count(), kFarBits);
  for (const auto &[flag, fact] : begun_.rows()) learnt_[flag.value()] = 0;
  arrivals_.assign(world_.environment.program.symbols.functions.size(), {});
  handed_.clear();
  for (link::ThreadId thread : world_.crews.at(thread_))
    for (FuncId entry : world_.environment.program.threads.list[thread].entries)
      enter(entry, nullptr, {.facts = flowing(begun_)});
  while (!work_.empty()) {
    FuncId function = std::get<FuncId>(work_.top());
    work_.pop();
    arrivals_[function.value()].isWaiting = false;
    follow(function);
  }
}

// A thread's own number is written where the thread begins, and kept from then on.
bool Walk::dropWritten() {
  bool dropped = false;
  for (uint32_t i = 0; i < arrivals_.size(); ++i) {
    if (!arrivals_[i].isReached) continue;
    for (const Conditions::Write &write : conditions_.writes(FuncId(i))) {
      if (!flows_[write.flag.value()] || conditions_.isThreadLocal(write.flag)) continue;
      if (arrivals_[i].bits > learnt_[write.flag.value()] + kWiderBits) continue;
      if (!conditions_.knownAt(arrivals_[i].facts, FuncId(i), write.statement)) continue;
      flows_.reset(write.flag.value());
      dropped = true;
    }
  }
  return dropped;
}

std::vector<FuncId> Walk::targetsOf(FuncId caller, const CallRecord &call) const {
  auto callees = world_.environment.program.calls.callees[call.site];
  std::vector<FuncId> all(callees.begin(), callees.end());
  std::optional<uint32_t> parameter = callbacks_.parameterAt(call.site);
  auto handed = parameter ? handed_.find({caller.value(), *parameter}) : handed_.end();
  if (handed == handed_.end() || handed->second.isAnything) return all;
  std::vector<FuncId> both;
  std::ranges::set_intersection(all, handed->second.functions, std::back_inserter(both));
  return both;
}

void Walk::follow(FuncId caller) {
  for (const CallRecord &call : world_.environment.summary(caller).calls) {
    std::vector<FuncId> targets = targetsOf(caller, call);
    const Arrival &here = arrivals_[caller.value()];
    if (targets.empty()) continue;
    const float wide = std::log2(static_cast<float>(targets.size())); // of the call, also where each target has a row
    if (call.callee.valid()) std::erase_if(targets, [&](FuncId target) { return target != call.callee; });
    Arrival next{.bits = here.bits + wide,
                 .depth = here.depth + (isLibrarys(world_, caller) ? 0 : 1),
                 .from = {caller, call.statement}};
    std::optional<Facts> facts = conditions_.knownAt(here.facts, caller, call.statement);
    if (!facts || isFarAway(next.bits, next.depth)) continue;
    next.facts = flowing(*facts);
    for (const auto &[flag, fact] : next.facts.rows())
      learnt_[flag.value()] = std::min(learnt_[flag.value()], here.bits);
    next.spans = here.spans;
    for (const Span &span : conditions_.spansAt(caller, call.statement)) insertSorted(next.spans, span);
    for (FuncId callee : targets) {
      Arrival there = next;
      for (const auto &[flag, fact] : conditions_.handedTo(callee, call.site, *facts).rows())
        there.facts.set(flag, fact);
      enter(callee, &call, there);
    }
  }
}

void Walk::enter(FuncId callee, const CallRecord *call, const Arrival &next) {
  Arrival &known = arrivals_[callee.value()];
  bool changed = hand(callee, call, next.from.function);
  if (!known.isReached) {
    bool isWaiting = known.isWaiting;
    known = next;
    known.isReached = changed = true;
    known.isWaiting = isWaiting;
  } else if (next.bits <= known.bits + kWiderBits) {
    changed |= meetWith(known.facts, next.facts);
    changed |= std::erase_if(known.spans, [&](const Span &span) { return !containsSorted(next.spans, span); }) != 0;
    if (std::tie(next.bits, next.depth) < std::tie(known.bits, known.depth)) {
      changed |= next.bits < known.bits;
      known.bits = next.bits;
      known.depth = next.depth;
      known.from = next.from;
    }
  }
  if (!changed || known.isWaiting) return;
  known.isWaiting = true;
  work_.push({known.bits, callee});
}

// Whether something new was handed over.
bool Walk::hand(FuncId callee, const CallRecord *call, FuncId caller) {
  bool changed = false;
  for (uint32_t parameter : callbacks_.calledBy(callee)) {
    Handed next = handed_[{callee.value(), parameter}];
    Callbacks::Given given = call ? callbacks_.givenAt(call->site, parameter) : Callbacks::Given();
    auto own = given.parameter ? handed_.find({caller.value(), *given.parameter}) : handed_.end();
    if (own != handed_.end()) {
      next.isAnything |= own->second.isAnything;
      for (FuncId function : own->second.functions) insertSorted(next.functions, function);
    } else if (!given.function)
      next.isAnything = true;
    else if (given.function->valid())
      insertSorted(next.functions, *given.function);
    Handed &known = handed_[{callee.value(), parameter}];
    changed |= !(known == next);
    known = std::move(next);
  }
  return changed;
}

} // namespace deadheat::analyse
