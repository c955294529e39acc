#include "driver/confirm_reasons.h"

#include <algorithm>

#include "llvm/Support/FormatVariadic.h"

#include "driver/confirm_text.h"

namespace deadheat::driver {
namespace {

using abi::Action;
using confirm::Verdict;
using finding::Finding;
using finding::NotClimbed;

// How the later thread heard of the earlier one's access. {0}: the earlier, {1}: the later, {2}: where.
struct Row {
  Action action;
  const char *words;
};
constexpr Row kLinks[] = {
    {Action::Acquire, "a lock: T{1} takes it{2} after T{0} let it go"},
    {Action::AcquireShared, "a lock: T{1} takes it for reading{2} after T{0} let it go"},
    {Action::Wait, "a condition: T{1} waits for it{2}, and is woken after the access of T{0}"},
    {Action::Spawn, "thread creation: T{1} is created{2} after the access of T{0}"},
    {Action::Join, "a join: T{1} waits{2} for the end of a thread that comes after the access of T{0}"},
    {Action::Barrier, "a barrier: T{1} waits at it{2}"},
    {Action::Once, "a once-only initialisation: T{1} comes to it{2} after T{0}"},
    {Action::Atomic, "an atomic variable that T{0} writes and T{1} then reads"},
};

std::string linkText(const Verdict &verdict) {
  const abi::Order &order = verdict.order;
  const std::string where = callText(order.place, verdict.objects);
  for (const Row &row : kLinks)
    if (row.action == order.action)
      return llvm::formatv(row.words, order.earlier, order.later, where.empty() ? "" : " at " + where);
  return llvm::formatv("what T{0} does before T{1} goes on", order.earlier, order.later);
}

std::string commonLock(const Finding &finding) {
  if (finding.accesses.size() != 2) return {};
  for (const std::string &lock : finding.accesses[0].locks)
    if (std::ranges::find(finding.accesses[1].locks, lock) != finding.accesses[1].locks.end()) return lock;
  return {};
}

std::string lineOf(const finding::Place &place) { return place.file + ":" + std::to_string(place.line); }

std::string schedules(const Verdict &verdict) {
  std::string text = std::to_string(verdict.runs) + " schedules";
  if (verdict.limited != 0) text += ", " + std::to_string(verdict.limited) + " of them ended by a limit";
  return text;
}

NotClimbed raceReason(const Finding &finding, const Verdict &verdict) {
  if (verdict.order.met != 0 && verdict.order.ordered == verdict.order.met)
    return {"always-ordered", linkText(verdict)};
  for (int side : {0, 1})
    if (verdict.reached[side] == 0) return {"never-executed", lineOf(finding.accesses[side].place)};
  if (verdict.oneThread) return {"one-thread", "both accesses were executed by one thread only"};
  if (std::string lock = commonLock(finding); !lock.empty()) return {"always-ordered", lock};
  const char *apart = verdict.order.met == 0 ? "; no two threads came to one address" : "";
  return {"not-hit", schedules(verdict) + apart};
}

} // namespace

NotClimbed reasonOf(const Finding &finding, const Verdict &verdict) {
  if (!verdict.directed) return {"never-executed", "no process of the command has this code"};
  return finding.accesses.size() == 2 ? raceReason(finding, verdict) : NotClimbed{"not-hit", schedules(verdict)};
}

} // namespace deadheat::driver
