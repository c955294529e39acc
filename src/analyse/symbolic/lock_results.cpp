// What the result of a call says about locks: that one was taken, that this thread is the one of many, which object came back locked.
#include <algorithm>

#include "analyse/guard/recorder.h"
#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

static Fact successFact(const knowledge::Row &row, bool succeeded) {
  if (!succeeded && row.failure != 0) return {true, row.failure};
  switch (row.success) {
  case knowledge::Success::Always:
  case knowledge::Success::Zero: return {succeeded, 0};
  case knowledge::Success::NonZero: return {!succeeded, 0};
  case knowledge::Success::MinusOne: return {succeeded, -1};
  }
  return {succeeded, 0};
}

void FunctionAnalysis::callAcquire(const CallContext &context, const knowledge::Row &row, State before, States &after) {
  bool isOnce = row.kind == knowledge::Kind::Once;
  LockMode mode = row.mode == knowledge::Mode::Shared ? LockMode::Shared : LockMode::Exclusive;
  model::Operand result =
      context.statement.result.valid() ? model::Operand::value(context.statement.result) : model::Operand{};
  setResult(context, Value::top(), before);
  if (recorder_ && row.has(knowledge::kTry)) recorder_->tryLock();
  if (row.has(knowledge::kTry) && result.isValue()) {
    State failed = before;
    setFact(result, successFact(row, false), failed);
    if (Value once = argument(context, row.object); isOnce && once.isMust()) failed.locks.pass(once.targets()[0]);
    addState(after, std::move(failed));
  } else if (row.has(knowledge::kTry))
    return void(addState(after, std::move(before))); // nobody looks whether it was taken
  if (row.success != knowledge::Success::Always && result.isValue()) setFact(result, successFact(row, true), before);
  acquire(context, row, mode, before);
  addState(after, std::move(before));
}

// A barrier tells one of those who have come that it is the one, by -1 or by anything but 0: the next that is told so comes after it. That
// excludes as a lock does; it has a name of its own, as the barrier itself is what is waited for.
void FunctionAnalysis::callBarrier(const CallContext &context, const knowledge::Row &row, State state, States &after) {
  const Value barrier = argument(context, row.object);
  if (recorder_) recorder_->tell(context.id, barrier, state);
  comeAfter(barrier, true, state);
  setResult(context, Value::top(), state);
  const bool isTold = row.set == knowledge::Set::Posix || row.set == knowledge::Set::Uv;
  if (isTold && barrier.isMust()) {
    const Address one = barrier.moved(1).targets()[0];
    state.locks.rename([&](HeldLock &held) { return held.lock != one; });
    if (context.statement.result.valid()) {
      const model::Operand result = model::Operand::value(context.statement.result);
      State chosen = state;
      setFact(result, row.set == knowledge::Set::Posix ? Fact{true, -1} : Fact{false, 0}, chosen);
      chosen.locks.acquire(one, LockMode::Exclusive);
      const model::Argument *given = argumentRow(context, row.object);
      if (recorder_ && given) recorder_->lockText(one, unit_.strings[given->path]);
      addState(after, std::move(chosen));
      setFact(result, {true, 0}, state);
    }
  }
  addState(after, std::move(state));
}

// `s = find(id)`, where s comes back locked.
static bool isLockOfReturned(const Summary &summary, const HeldLock &held) {
  return held.mode != LockMode::After && held.count > 0 && summary.returned.isMust() &&
         held.lock.node == summary.returned.targets()[0].node;
}

static bool returnsLocked(const Summary &summary) {
  return std::ranges::any_of(summary.exits, [&](const Exit &exit) {
    return std::ranges::any_of(exit.locks.held(),
                               [&](const HeldLock &held) { return isLockOfReturned(summary, held); });
  });
}

// By one of its ways, and the caller looks at it.
bool FunctionAnalysis::comesBackLocked(const CallContext &context, const Summary &summary) const {
  return context.statement.result.valid() && !context.isHandedOver && returnsLocked(summary);
}

Lockset FunctionAnalysis::withoutReturned(const Summary &summary, Lockset locks) const {
  locks.rename([&](HeldLock &held) { return !isLockOfReturned(summary, held); });
  return locks;
}

// The same locks, under the names of the result.
void FunctionAnalysis::holdReturned(const CallContext &context, const Summary &summary, const Exit &exit,
                                    State &state) {
  Value result = evaluate(model::Operand::value(context.statement.result));
  if (!result.isMust()) return;
  for (const HeldLock &held : exit.locks.held())
    if (isLockOfReturned(summary, held))
      state.locks.acquire(result.moved(held.lock.offset - summary.returned.targets()[0].offset).targets()[0],
                          held.mode);
}

} // namespace deadheat::analyse
