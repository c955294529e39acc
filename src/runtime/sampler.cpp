#include "runtime/sampler.h"

#include <linux/mman.h>

#include "abi/near.h"
#include "runtime/common_bursts.h"
#include "runtime/cost.h"
#include "runtime/frames.h"
#include "runtime/objects.h"
#include "runtime/repeats.h"
#include "runtime/slots.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::Ptr;

enum class Rule : U8 { Every, Never, Flip, Thread, Global, Random, Uncold, Compare };

struct Row {
  Rule rule;
  U32 growth;
  U32 oneIn;
};

constexpr Row kRows[] = {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) {Rule::rule, growth, oneIn},
#include "abi/samplers.def"
};

constexpr U32 kSiteGrowth = 10;
constexpr U32 kSiteOneIn = 1000;
constexpr U32 kLongLevel = 2; // of an access that was executed ten thousand times in one call
constexpr U32 kPausePart = 500;
constexpr U32 kSteered = 8; // pauses of functions that are steered to are so many times as short
constexpr U32 kNestingBurst = 100;
constexpr U64 kNestingMark = U64(1) << 63; // no return address has it
constexpr U64 kGlobalFunctions = 1 << 20;
constexpr U64 kFewestStates = 1 << 13;

template <typename State> State *mapStates(U64 count) {
  return static_cast<State *>(reserveBytes(count * sizeof(State)));
}

template <typename State> void unmapStates(State *&states, U64 &count) {
  if (states) releaseBytes(states, count * sizeof(State));
  states = nullptr;
  count = 0;
}

// Room for `end` states. What was there before stays mapped: a call that this one interrupted may be about to count.
template <typename State> bool growStates(State *&states, U64 &count, U64 end) {
  U64 wanted = count < kFewestStates ? kFewestStates : count;
  while (wanted < end) wanted *= 2;
  if (states && wanted == count) return true;
  State *grown = mapStates<State>(wanted);
  if (!grown) return false;
  for (U64 index = 0; index != count; ++index) grown[index] = states[index];
  states = grown;
  count = wanted;
  return true;
}

U64 statesPerFunction() { return context.flags.sampler == abi::Sampler::Compare ? 2 * kComparedPerThread : 2; }

U32 *pausesOf(const Thread &self, const Range &functions) {
  return (self.together && self.noPauses ? self.noPauses : self.pauses) + 2 * static_cast<U64>(functions.base);
}

// To what calls look at now.
void pointNear(Thread &self) {
  self.near = pausesOf(self, self.functions);
  if (!self.nearWord) return;
  const Range &own = self.nearFunctions;
  *self.nearWord = abi::nearWord(reinterpret_cast<U64>(pausesOf(self, own)), own.begin);
}

// Finds the object of a function that was not the last one to be called.
SLOW_PATH bool prepareFunction(Thread &self, U64 slot) {
  LoadedObject object;
  if (!tells(self) || !findAgain(self, slot, object) || !object.functions.has(slot)) return false;
  const U64 end = statesPerFunction() * (object.functions.base + object.functions.size);
  if (!growStates(self.samples, self.sampleCount, end) || !growStates(self.pauses, self.pauseCount, end)) return false;
  self.functions = object.functions;
  if (self.together && self.noPauseCount < self.pauseCount) leaveCommonBurst(self);
  pointNear(self);
  return true;
}

[[gnu::always_inline]] inline bool knows(Thread &self, U64 slot) {
  return (isCurrent(self) && self.functions.has(slot)) || prepareFunction(self, slot);
}

Schedule scheduleOf(abi::Sampler sampler, Edge edge) {
  const abi::Flags &flags = context.flags;
  const Row &row = kRows[static_cast<U32>(sampler)];
  return {row.growth, flags.one_in != 0 ? flags.one_in : row.oneIn,
          edge == Edge::Call ? flags.burst : flags.burst * kBackEdgesPerCall,
          abi::loadRelaxed(context.arena->header.stretch), row.rule == Rule::Thread ? flags.burst_words : 0};
}

Schedule scheduleOf(Edge edge) { return scheduleOf(context.flags.sampler, edge); }

// The call runs told.
SLOW_PATH bool take(Thread &self, U32 function, Ptr returnSlot) {
  if (!tells(self) || abi::loadRelaxed(context.arena->header.closed)) return false;
  pushFrame(self, function, returnSlot);
  beginSpan(self);
  self.call = ++self.calls;
  if (!self.memory) self.own->frames[self.depth - 1].context = self.calls;
  return true;
}

// Of a function whose turn it is.
Burst burstOf(const SampleState &state) { return state.level == 0 ? Burst::Whole : Burst::Later; }

// Where nothing may be taken, whose turn it is waits a little and is as cold as it was.
bool endPause(Thread &self, SampleState &state, Edge edge, bool isSteered, U32 function, Ptr returnSlot) {
  constexpr U32 kShortPause = 31;
  if (abi::loadRelaxed(context.arena->header.stretch) == abi::kNothingTaken) return state.pause = kShortPause, false;
  Schedule schedule = scheduleOf(edge);
  if (isSteered) schedule.stretch = schedule.stretch / kSteered + 1;
  if (!takeNext(state, schedule) || !take(self, function, returnSlot)) return false;
  noteBurst(self, isSteered ? Burst::Whole : burstOf(state));
  return true;
}

// The turn of a function has not come, but that of all.
bool takeTogether(Thread &self, const SampleState &state, U32 function, Ptr returnSlot) {
  if (!worksTogether(self) || state.isLong || !take(self, function, returnSlot)) return false;
  noteBurst(self, Burst::Common);
  return true;
}

template <Edge edge> [[gnu::always_inline]] inline U64 indexOf(U32 function) {
  return 2 * static_cast<U64>(function) + static_cast<U64>(edge);
}

bool isAdaptive() { return context.flags.sampler == abi::Sampler::ThreadAdaptive; }

// From now on the code counts down the pauses of the object that was asked about last.
void handOver(Thread &self, Ptr word) {
  self.nearWord = static_cast<U64 *>(word);
  self.nearFunctions = self.functions;
  pointNear(self);
}

// Of a pause: long ones come in parts, so that the thread learns of common bursts in between.
U32 nextPart(SampleState &state) {
  const U32 part = isAdaptive() && state.pause > kPausePart ? kPausePart : state.pause;
  state.pause -= part;
  return part;
}

template <Edge edge> SLOW_PATH Bool askThreadAgain(Ptr function, Ptr returnSlot, Ptr word) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  if (!knows(self, slot)) return false;
  if (edge == Edge::Call && hasNote(function, SlotNote::CountsItself)) handOver(self, word);
  const U32 id = self.functions.idOf(slot);
  SampleState &state = self.samples[indexOf<edge>(id)];
  U32 &pause = self.pauses[indexOf<edge>(id)];
  if (self.together)
    self.near[2 * (slot - self.functions.begin) + static_cast<U64>(edge)] = 0; // asked again the next time
  if (pause - 1 < kBorrowed - 1) { // it goes on: in another library than the last one, or for this thread alone
    if (self.together) return takeTogether(self, state, id, returnSlot);
    return --pause, false;
  }
  pause = state.pause; // the rest, which a common burst may end
  if (isAdaptive()) followCommonBursts(self, state.level == 0);
  const bool goesOn = state.pause != 0;
  const bool taken = goesOn ? takeTogether(self, state, id, returnSlot)
                            : endPause(self, state, edge, hasNote(function, SlotNote::Steered), id, returnSlot);
  pause = nextPart(state);
  if (goesOn) --pause;
  return taken;
}

// The one that every call of a program pays for: no registers saved, one count. A library that has changed since makes a
// wrong count at worst; askThreadAgain looks closer.
template <Edge edge> HOOK_CALL Bool askThread(Ptr function, Ptr returnSlot, Ptr word) {
  const U64 at = reinterpret_cast<U64>(function) - thread.functions.begin;
  if (at >= thread.functions.size) [[unlikely]]
    [[clang::musttail]] return askThreadAgain<edge>(function, returnSlot, word);
  U32 &pause = thread.near[2 * at + static_cast<U64>(edge)];
  if (static_cast<abi::I32>(--pause) < 0) [[unlikely]] // also where the code has counted itself
    [[clang::musttail]] return askThreadAgain<edge>(function, returnSlot, word);
  return false;
}

// With an argument more than the table says (abi/near.h): what code of before has there is not looked at.
using AskWithWord = HOOK_CALL Bool (*)(Ptr, Ptr, Ptr);
constexpr AskWithWord kAskThread[] = {askThread<Edge::Call>, askThread<Edge::Back>};

decltype(abi::HookTable::enter) likeHook(AskWithWord function) {
  return reinterpret_cast<decltype(abi::HookTable::enter)>(reinterpret_cast<void *>(function));
}

template <Edge edge> HOOK_CALL Bool askGlobal(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  if (!knows(self, slot)) [[unlikely]]
    return false;
  const U32 id = self.functions.idOf(slot);
  SampleState &state = context.shared[indexOf<edge>(id % kGlobalFunctions)];
  const U32 pause = abi::loadRelaxed(state.pause);
  if (pause != 0) [[likely]]
    return abi::storeRelaxed(state.pause, pause - 1), false;
  return endPause(self, state, edge, hasNote(function, SlotNote::Steered), id, returnSlot);
}

bool takeUncold(SampleState &state) { return state.taken < context.flags.burst ? (++state.taken, false) : true; }

template <Edge edge> HOOK_CALL Bool askUncold(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  if (!knows(self, slot)) [[unlikely]]
    return false;
  const U32 id = self.functions.idOf(slot);
  SampleState &state = self.samples[indexOf<edge>(id)];
  return takeUncold(state) && take(self, id, returnSlot);
}

// Marsaglia's xorshift: good enough to be even, and four instructions.
HOOK_CALL Bool askRandom(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  if (!knows(self, slot)) [[unlikely]]
    return false;
  const U32 oneIn = scheduleOf(Edge::Call).oneIn;
  return nextRandom(self) % oneIn == 0 && take(self, self.functions.idOf(slot), returnSlot);
}

HOOK_CALL Bool askEvery(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  return knows(self, slot) && take(self, self.functions.idOf(slot), returnSlot);
}

HOOK_CALL Bool askFlip(Ptr function, Ptr returnSlot) {
  thread.flipped = !thread.flipped;
  return thread.flipped && askEvery(function, returnSlot);
}

HOOK_CALL Bool askNever(Ptr, Ptr) { return false; }

bool takeRandom(Thread &self, abi::Sampler sampler) {
  return nextRandom(self) % kRows[static_cast<U32>(sampler)].oneIn == 0;
}

constexpr SamplerHooks kHooks[] = {
    {askEvery, askEvery},
    {askNever, askNever},
    {askFlip, askFlip},
    {nullptr, nullptr}, // kAskThread
    {askGlobal<Edge::Call>, askGlobal<Edge::Back>},
    {askRandom, askRandom},
    {askUncold<Edge::Call>, askUncold<Edge::Back>},
    {askNever, askNever}, // replaced: compare.h
};

} // namespace

SamplerHooks samplerHooks(abi::Sampler sampler) {
  const Rule rule = kRows[static_cast<U32>(sampler)].rule;
  if (rule != Rule::Thread) return kHooks[static_cast<U32>(rule)];
  return {likeHook(kAskThread[0]), likeHook(kAskThread[1])};
}

bool passesOverAccesses() {
  const Rule rule = kRows[static_cast<U32>(context.flags.sampler)].rule;
  return context.flags.site_burst != 0 && (rule == Rule::Thread || rule == Rule::Compare);
}

bool prepareSites(Thread &self, const Range &accesses) {
  if (!passesOverAccesses() && !leavesOutRepeats()) return true; // atomic operations are counted there, too
  if (!growStates(self.sites, self.siteCount, accesses.base + accesses.size)) return false;
  self.nearSites = self.sites + accesses.base;
  return true;
}

Near nearOf(const Thread &self) { return {self.accesses, self.functions, self.nearSites, self.epoch}; }

// Other libraries may have come and gone: then it is looked for, and what is gone is not put back.
void putBack(Thread &self, const Near &interrupted) {
  const auto [accesses, functions, sites, epoch] = interrupted;
  LoadedObject object;
  if (self.epoch == epoch || (findAgain(self, accesses.begin, object) && object.accesses.base == accesses.base)) {
    self.accesses = accesses;
    self.nearSites = sites;
  }
  if (self.epoch == epoch || (findAgain(self, functions.begin, object) && object.functions.base == functions.base)) {
    self.functions = functions;
    pointNear(self);
  }
}

// The call that runs is one that common bursts leave alone.
void noteLong(Thread &self) {
  if (SampleState *both = topStates(self)) both[0].isLong = both[stateStride()].isLong = 1;
}

// A state belongs to the call that `call` says. After a told call has returned, `call` is still its
// number.
SampleState &siteState(Thread &self, U64 slot, U64 here) {
  SampleState &state = self.nearSites[slot - self.accesses.begin];
  if (state.call != self.call) {
    dropFrames(self, here);
    if (self.depth != 0) self.call = self.own->frames[self.depth - 1].context;
  }
  if (state.call != self.call)
    state = {.pause = 0, .taken = 0, .isLong = 0, .level = 0, .call = static_cast<U32>(self.call), .work = state.work};
  return state;
}

bool takeSite(Thread &self, SampleState &state) {
  if (state.level == kLongLevel) noteLong(self);
  return takeNext(state, {kSiteGrowth, kSiteOneIn, context.flags.site_burst, kUnstretched, 0});
}

bool takeExecution(Thread &self, U64 slot) {
  const bool never = context.flags.sampler == abi::Sampler::None;
  if (!never && !passesOverAccesses()) return true;
  SampleState &state = self.nearSites[slot - self.accesses.begin];
  if (never) state.pause = ~0u;
  return !never && (worksTogether(self) || takeNext(state, scheduleOf(Edge::Call)));
}

bool takeCompared(Thread &self, Edge edge, U64 slot, const void *returnSlot, U32 &samplers) {
  using enum abi::Sampler;
  if (!knows(self, slot)) return false;
  const U32 id = self.functions.idOf(slot);
  SampleState *own = self.samples + kComparedPerThread * (2 * static_cast<U64>(id) + static_cast<U64>(edge));
  SampleState *shared = context.shared + 2 * (2 * (id % kGlobalFunctions) + static_cast<U64>(edge));
  if (own[0].pause % kPausePart == 0 || missesCommonBurst(self)) followCommonBursts(self, own[0].level == 0);
  const bool common = own[0].pause != 0 && !own[0].isLong && worksTogether(self);
  const bool taken[] = {common || takeNext(own[0], scheduleOf(ThreadAdaptive, edge)),
                        takeNext(own[1], scheduleOf(ThreadFixed, edge)),
                        takeNext(shared[0], scheduleOf(GlobalAdaptive, edge)),
                        takeNext(shared[1], scheduleOf(GlobalFixed, edge)),
                        takeRandom(self, Random10),
                        takeRandom(self, Random25),
                        takeUncold(own[2])};
  static_assert(sizeof(taken) == abi::kCompared);
  for (U32 index = 0; index != abi::kCompared; ++index) samplers |= static_cast<U32>(taken[index]) << index;
  samplers &= context.flags.compared;
  const auto call = static_cast<U32>(self.call);
  if (!take(self, id, const_cast<Ptr>(returnSlot))) return false;
  noteBurst(self, common ? Burst::Common : burstOf(own[0]));
  if (!taken[0]) self.own->frames[self.depth - 1].context = self.call = call; // it would not have been a told call
  return true;
}

bool takeCall(Thread &self, U64 returns) {
  if (passesOverCall(self, returns)) return false;
  const Rule rule = kRows[static_cast<U32>(context.flags.sampler)].rule;
  if (rule == Rule::Every || rule == Rule::Compare) return true;
  if (rule == Rule::Never) return false;
  return worksTogether(self) || takeNext(callState(*self.own, returns), scheduleOf(Edge::Call));
}

// What calls looked at before stays mapped: one of them may have been interrupted.
bool askAlways(Thread &self, bool always) {
  if (context.flags.sampler == abi::Sampler::Compare) return self.together = always, true;
  if (always && self.noPauseCount < self.pauseCount) {
    U32 *const none = mapStates<U32>(self.pauseCount);
    if (!none) return false;
    self.noPauses = none;
    self.noPauseCount = self.pauseCount;
  }
  self.together = always;
  pointNear(self);
  return true;
}

U32 nextRandom(Thread &self) {
  U32 value = self.random * 2654435761u | 1;
  value ^= value << 13;
  value ^= value >> 17;
  value ^= value << 5;
  return self.random = value;
}

bool takeNesting(Thread &self, U64 returns) {
  return takeNext(callState(*self.own, returns ^ kNestingMark),
                  {kSiteGrowth, kSiteOneIn, kNestingBurst, kUnstretched, 0});
}

void closeStates(Thread &self) {
  unmapStates(self.samples, self.sampleCount);
  unmapStates(self.pauses, self.pauseCount);
  unmapStates(self.noPauses, self.noPauseCount);
  unmapStates(self.sites, self.siteCount);
  self.together = false;
  self.near = nullptr;
  self.nearSites = nullptr;
}

bool prepareSampler(Context &process) {
  const Rule rule = kRows[static_cast<U32>(process.flags.sampler)].rule;
  if (rule != Rule::Global && rule != Rule::Compare) return true;
  process.shared = mapStates<SampleState>(4 * kGlobalFunctions); // two samplers' in a comparison
  return process.shared != nullptr;
}

} // namespace deadheat::runtime
