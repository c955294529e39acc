#include "finding/explain.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "finding/names.h"

namespace deadheat::finding {
namespace {

bool isPair(const Finding &finding) { return finding.accesses.size() == 2; }

// Of a field without a name, paths have its offset.
bool isNamed(const std::string &path) { return !path.empty() && path.find('@') == std::string::npos; }

std::string subject(const Finding &finding) {
  if (isNamed(finding.variable)) return finding.variable;
  for (const Access &access : finding.accesses)
    if (isNamed(access.path)) return access.path;
  if (!finding.variable.empty()) return finding.variable;
  for (const Access &access : finding.accesses)
    if (!access.path.empty()) return access.path;
  return "memory without a name";
}

// a, b and c
std::string listed(const std::vector<std::string> &words) {
  std::string text;
  for (size_t index = 0; index != words.size(); ++index)
    text += (index == 0 ? "" : index + 1 == words.size() ? " and " : ", ") + words[index];
  return text;
}

std::string lowerFirst(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = llvm::toLower(result[0]);
  return result;
}

std::string raceTitle(const Finding &finding) {
  std::string title = "data race on " + subject(finding);
  if (!isPair(finding)) return title;
  const Access &one = finding.accesses[0], &two = finding.accesses[1];
  if (one.function == two.function && one.access == two.access)
    return title + ": " + one.access + " in " + one.function + ", by two threads";
  return title + ": " + one.access + " in " + one.function + ", " + two.access + " in " + two.function;
}

// Without those that were there before: threads of one function close a cycle, too.
std::vector<std::string> distinct(const std::vector<CycleEdge> &cycle, std::string CycleEdge::*name) {
  std::vector<std::string> all;
  for (const CycleEdge &edge : cycle)
    if (!llvm::is_contained(all, edge.*name)) all.push_back(edge.*name);
  return all;
}

std::string deadlockTitle(const Finding &finding) {
  return "deadlock on " + listed(distinct(finding.cycle, &CycleEdge::wants)) + ": in " +
         listed(distinct(finding.cycle, &CycleEdge::function));
}

std::string titleOf(const Finding &finding) {
  if (finding.kind == Kind::Race) return raceTitle(finding);
  if (finding.kind == Kind::Deadlock) return deadlockTitle(finding);
  std::string title = lowerFirst(row(finding.kind).title);
  if (!finding.variable.empty()) title += ": " + finding.variable;
  if (!finding.accesses.empty()) title += " in " + finding.accesses[0].function;
  return title;
}

std::string raceWhy(const Finding &finding) {
  const Access &one = finding.accesses[0], &two = finding.accesses[1];
  if (one.locks.empty() && two.locks.empty()) return "No lock is held at either access.";
  return "No lock is held at both accesses: " + one.function + " holds " + locksText(one.locks) + ", " + two.function +
         " holds " + locksText(two.locks) + ".";
}

std::string deadlockWhy(const Finding &finding) {
  std::vector<std::string> waits;
  for (const CycleEdge &edge : finding.cycle) {
    std::string since = edge.heldSince.known() ? " since " + placeText(edge.heldSince) : "";
    std::string wait = edge.function + " wants " + edge.wants + " while it holds " + edge.holds + since;
    if (!llvm::is_contained(waits, wait)) waits.push_back(std::move(wait));
  }
  return llvm::join(waits, "; ") + ".";
}

std::string whyOf(const Finding &finding) {
  std::string why = finding.kind == Kind::Race && isPair(finding) ? raceWhy(finding)
                    : finding.kind == Kind::Deadlock              ? deadlockWhy(finding)
                                                                  : std::string(row(finding.kind).meaning);
  if (finding.level > Level::Possible)
    why += " It is " + std::string(name(finding.level)) + ": " + std::string(row(finding.level).meaning) + ".";
  return why;
}

// The side without a lock is the one to mend, if the other one has one.
std::string raceFix(const Finding &finding) {
  const Access &one = finding.accesses[0], &two = finding.accesses[1];
  if (one.locks.empty() == two.locks.empty()) return std::string(row(Kind::Race).remedy);
  const Access &held = one.locks.empty() ? two : one, &bare = one.locks.empty() ? one : two;
  return "Hold " + held.locks.front() + " at " + placeText(bare.place) + " too, as " + placeText(held.place) +
         " does; or make the variable atomic.";
}

std::string fixOf(const Finding &finding) {
  if (finding.kind == Kind::Race && isPair(finding)) return raceFix(finding);
  return std::string(row(finding.kind).remedy);
}

} // namespace

const std::string &variableOf(const Access &first, const Access &second) {
  auto tells = [](const std::string &path) { return !path.empty() && !path.starts_with("this->"); };
  const bool isSecond = first.path.empty() || (!tells(first.path) && tells(second.path));
  return isSecond ? second.path : first.path;
}

std::string placeText(const Place &place) {
  if (!place.known()) return "an unknown place";
  std::string text = place.file + ":" + std::to_string(place.line);
  return place.column == 0 ? text : text + ":" + std::to_string(place.column);
}

std::string threadText(const std::string &entry, bool many, const Place &createdAt) {
  std::vector<std::string> remarks;
  if (many) remarks.push_back("one of many");
  if (createdAt.known()) remarks.push_back("created at " + placeText(createdAt));
  std::string text = entry.empty() ? "a thread" : "thread " + entry;
  return remarks.empty() ? text : text + " (" + llvm::join(remarks, ", ") + ")";
}

std::string locksText(const std::vector<std::string> &locks) { return locks.empty() ? "no lock" : listed(locks); }

std::string notClimbedText(const NotClimbed &notClimbed) {
  static constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
      {"never-executed", "it was never executed"},
      {"one-thread", "only one thread came there"},
      {"always-ordered", "the accesses were always ordered"},
      {"optimised-away", "the optimiser removed an access"},
      {"not-hit", "no schedule hit it"},
  };
  std::string text = notClimbed.reason;
  for (const auto &[reason, words] : kReasons)
    if (notClimbed.reason == reason) text = words;
  if (notClimbed.cause == "library-call") text = "a call of the library does it";
  return notClimbed.by.empty() ? text : text + " (" + notClimbed.by + ")";
}

namespace {

std::string shareText(const std::optional<Probability> &share) {
  if (!share) return {};
  auto percent = [](double value) { return std::to_string(std::lround(value * 100)); };
  return " (" + percent(share->low) + " to " + percent(share->high) + " %)";
}

} // namespace

std::string evidenceText(const Evidence &evidence) {
  std::vector<std::string> parts;
  if (!evidence.by.empty()) parts.push_back(evidence.by);
  if (evidence.runs != 0)
    parts.push_back("in " + std::to_string(evidence.hits) + " of " + std::to_string(evidence.runs) + " schedules" +
                    shareText(evidence.probability));
  else if (evidence.hits != 0)
    parts.push_back("seen " + std::to_string(evidence.hits) + (evidence.hits == 1 ? " time" : " times"));
  if (evidence.harm)
    parts.push_back(evidence.harm->kind + (evidence.harm->detail.empty() ? "" : " (" + evidence.harm->detail + ")"));
  if (evidence.seed) parts.push_back("seed " + std::to_string(*evidence.seed));
  if (!evidence.detail.empty()) parts.push_back(evidence.detail);
  return std::string(name(evidence.level)) + (parts.empty() ? "" : ": " + llvm::join(parts, ", "));
}

void explain(Finding &finding) {
  if (finding.title.empty()) finding.title = titleOf(finding);
  if (finding.why.empty()) finding.why = whyOf(finding);
  if (finding.fix.empty()) finding.fix = fixOf(finding);
}

} // namespace deadheat::finding
