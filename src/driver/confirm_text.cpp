#include "driver/confirm_text.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace deadheat::driver {
namespace {

constexpr const char *kActions[] = {
#define ACTION(name, text) text,
#include "abi/actions.def"
};

const char *text(abi::Action action) {
  const size_t index = static_cast<size_t>(action);
  return index < std::size(kActions) ? kActions[index] : "does something";
}

std::string placeText(uint64_t place, const std::vector<abi::Target> &targets, const confirm::TargetIndex &index) {
  if (!abi::isTargetPlace(place) || abi::placeTarget(place) >= targets.size()) return {};
  const abi::Target &target = targets[abi::placeTarget(place)];
  auto [unit, site, key] = index.sourceOf(target.checksum, target.late);
  if (!unit) return {};
  const model::Site &row = unit->sites[site];
  return llvm::formatv("{0}:{1}", llvm::sys::path::filename(unit->strings[row.file]), row.line);
}

std::string hitText(const abi::Hit &hit, const std::vector<abi::Target> &targets, const confirm::TargetIndex &index) {
  auto who = [&](const abi::Contender &contender) {
    return llvm::formatv("T{0} before its {1} at {2}", contender.task, contender.write ? "write" : "read",
                         placeText(contender.place, targets, index))
        .str();
  };
  std::string words = llvm::formatv("{0} and {1} stood at address {2:x} at the same time", who(hit.waiting),
                                    who(hit.arrived), hit.arrived.address);
  if (hit.first != 0) words += llvm::formatv("; T{0} went first", hit.first).str();
  return words;
}

std::string deadlockText(const confirm::Outcome &outcome) {
  std::string words = "every thread waits:";
  for (size_t index = 0; index != outcome.tasks.size(); ++index) {
    const abi::TaskView &task = outcome.tasks[index];
    if (task.state != abi::TaskState::Blocked) continue;
    words += llvm::formatv(" T{0} {1} {2:x}", index + 1, text(task.action), task.object).str();
    if (task.holder != 0) words += llvm::formatv(", held by T{0}", task.holder).str();
    words += ";";
  }
  words.pop_back();
  return words;
}

} // namespace

std::vector<std::string> decisionNotes(const confirm::Direction &direction, const confirm::Outcome &,
                                       const confirm::TargetIndex &index) {
  std::vector<std::string> notes;
  for (const abi::Decision &decision : direction.decisions) {
    std::string where = placeText(decision.place, direction.targets, index);
    notes.push_back(
        llvm::formatv("T{0} {1}{2}{3}", decision.task, text(decision.action), where.empty() ? "" : " at ", where));
  }
  return notes;
}

std::string interleavingText(const finding::Finding &, const confirm::Verdict &verdict,
                             const confirm::TargetIndex &index) {
  if (verdict.outcome.deadlock && verdict.outcome.hitList.empty()) return deadlockText(verdict.outcome);
  if (verdict.outcome.hitList.empty()) return {};
  return hitText(verdict.outcome.hitList.front(), verdict.direction.targets, index);
}

} // namespace deadheat::driver
