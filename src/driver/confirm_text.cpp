#include "driver/confirm_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include "symbol/source_lines.h"

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

// A line of the user's, not of a library's header.
bool isUsers(const symbol::SourceFrame &frame) {
  return !frame.file.empty() && frame.line != 0 && !llvm::StringRef(frame.file).starts_with("/usr/");
}

// The innermost frame of a call that has a line, read with a reader that is kept: debug information is large.
std::string callAt(symbol::LineReader &reader, uint64_t address, const std::vector<abi::ControlObject> &objects) {
  for (const abi::ControlObject &object : objects) {
    if (address < object.begin || address >= object.end) continue;
    for (const symbol::SourceFrame &frame : reader.frames(object.path, address - object.bias - 1))
      if (isUsers(frame)) return llvm::formatv("{0}:{1}", llvm::sys::path::filename(frame.file), frame.line);
  }
  return {};
}

std::string placeText(uint64_t place, const std::vector<abi::Target> &targets, const confirm::TargetIndex &index) {
  if (!abi::isTargetPlace(place) || abi::placeTarget(place) >= targets.size()) return {};
  const abi::Target &target = targets[abi::placeTarget(place)];
  auto [unit, site, key] = index.sourceOf(target.checksum, target.late);
  if (!unit) return {};
  const model::Site &row = unit->sites[site];
  return llvm::formatv("{0}:{1}", llvm::sys::path::filename(unit->strings[row.file]), row.line);
}

std::string hitText(const confirm::Verdict &verdict, const confirm::TargetIndex &index) {
  const abi::Hit &hit = verdict.outcome.hitList.front();
  symbol::LineReader reader;
  auto who = [&](const abi::Contender &contender) {
    const std::string place = abi::isTargetPlace(contender.place)
                                  ? placeText(contender.place, verdict.direction.targets, index)
                                  : callAt(reader, contender.place, verdict.outcome.objects);
    return llvm::formatv("T{0} before its {1} at {2}", contender.task, contender.write ? "write" : "read", place).str();
  };
  std::string words = llvm::formatv("{0} and {1} stood at address {2:x} at the same time", who(hit.waiting),
                                    who(hit.arrived), hit.arrived.address);
  if (hit.first != 0) words += llvm::formatv("; T{0} went first", hit.first).str();
  return words;
}

// Those of the circle, or all where there is none (a condition that nobody will signal).
std::string deadlockText(const confirm::Outcome &outcome) {
  const bool circle = llvm::any_of(outcome.tasks, [](const abi::TaskView &task) { return task.inCycle != 0; });
  std::string words = circle ? "threads wait for each other:" : "every thread waits:";
  symbol::LineReader reader;
  for (size_t index = 0; index != outcome.tasks.size(); ++index) {
    const abi::TaskView &task = outcome.tasks[index];
    if (task.state != abi::TaskState::Blocked || (circle && !task.inCycle)) continue;
    const std::string where = callAt(reader, task.place, outcome.objects);
    words += llvm::formatv(" T{0} {1} {2:x}{3}", index + 1, text(task.action), task.object,
                           where.empty() ? "" : " at " + where)
                 .str();
    if (task.holder != 0) words += llvm::formatv(", held by T{0}", task.holder).str();
    words += ";";
  }
  words.pop_back();
  return words;
}

struct Steps {
  const confirm::Direction &direction;
  const confirm::Outcome &outcome;
  const confirm::TargetIndex &index;
  mutable symbol::LineReader reader = {};

  std::string place(uint64_t place) const {
    std::string words =
        abi::isTargetPlace(place) ? placeText(place, direction.targets, index) : callAt(reader, place, outcome.objects);
    return words.empty() ? words : " at " + words;
  }

  std::string meeting() const {
    const abi::Hit &hit = outcome.hitList.front();
    return llvm::formatv("   T{0} comes to its access{1}: now both stand there, and T{2} goes first", hit.arrived.task,
                         place(hit.arrived.place), hit.first);
  }

  std::string turn(const abi::Switch &change) const {
    std::string line = llvm::formatv("T{0} runs", change.from);
    if (change.fromAction == abi::Action::End) return line + " to its end";
    const bool target = abi::isTargetPlace(change.fromPlace) || change.fromAction == abi::Action::Access;
    return line +
           (target ? ", and stands before its access" : llvm::formatv(", and {0}", text(change.fromAction)).str()) +
           place(change.fromPlace);
  }
};

} // namespace

std::string callText(uint64_t address, const std::vector<abi::ControlObject> &objects) {
  symbol::LineReader reader;
  return callAt(reader, address, objects);
}

std::vector<std::string> interleavingSteps(const confirm::Direction &direction, const confirm::Outcome &outcome,
                                           const confirm::TargetIndex &index) {
  constexpr size_t kBefore = 8, kAfter = 4;
  const Steps steps{direction, outcome, index};
  const std::vector<abi::Switch> &all = outcome.switches;
  // They meet in the turn that follows the one in which the first of them was left standing.
  auto leftStanding = [&](const abi::Switch &change) {
    const abi::Contender &waiting = outcome.hitList.front().waiting;
    return change.from == waiting.task && change.fromPlace == waiting.place;
  };
  const size_t at = outcome.hitList.empty() ? all.size() : std::ranges::find_if(all, leftStanding) - all.begin() + 1;
  const size_t first = at > kBefore ? at - kBefore : 0, last = std::min(all.size(), at + kAfter);
  const uint64_t before = outcome.switchesBefore;
  std::vector<std::string> lines;
  for (size_t turn = first; turn < last; ++turn) {
    if (turn == at) lines.push_back(steps.meeting());
    lines.push_back(llvm::formatv("{0}. {1}", before + turn + 1, steps.turn(all[turn])));
  }
  if (last == all.size() && !all.empty())
    lines.push_back(llvm::formatv("{0}. T{1} runs on", before + last + 1, all.back().to));
  return lines;
}

std::vector<std::string> decisionNotes(const confirm::Direction &direction, const confirm::Outcome &outcome,
                                       const confirm::TargetIndex &index) {
  std::vector<std::string> notes;
  const Steps steps{direction, outcome, index};
  for (const abi::Decision &decision : direction.decisions) {
    std::string where = steps.place(decision.place);
    notes.push_back(llvm::formatv("T{0} {1}{2}", decision.task, text(decision.action), where));
  }
  return notes;
}

std::string interleavingText(const finding::Finding &, const confirm::Verdict &verdict,
                             const confirm::TargetIndex &index) {
  if (verdict.outcome.deadlock && verdict.outcome.hitList.empty()) return deadlockText(verdict.outcome);
  if (verdict.outcome.hitList.empty()) return {};
  return hitText(verdict, index);
}

} // namespace deadheat::driver
