#include "finding/suppressions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "finding/names.h"

namespace deadheat::finding {
namespace {

constexpr std::string_view kId = "id";
constexpr std::string_view kIgnored[] = {"thread", "signal", "called_from_lib", "race_lib"};
constexpr Kind kMutexKinds[] = {Kind::DoubleLock, Kind::UnlockNotHeld, Kind::LockLeak};

using Names = std::vector<std::string_view>;

void addFrames(Names &names, const std::vector<Frame> &frames) {
  for (const Frame &frame : frames) names.insert(names.end(), {frame.function, frame.place.file});
}

// What a pattern may match. TSan's `race:` looks at all frames and at the variable.
Names namesOf(const Finding &finding, bool topOnly) {
  Names names;
  for (const Access &access : finding.accesses) {
    names.insert(names.end(), {access.function, access.place.file});
    if (topOnly) continue;
    names.push_back(access.path);
    addFrames(names, access.stack);
  }
  for (const CycleEdge &edge : finding.cycle) {
    names.insert(names.end(), {edge.function, edge.place.file, edge.holds, edge.wants});
    addFrames(names, edge.trace);
  }
  if (!topOnly) names.push_back(finding.variable);
  return names;
}

bool speaksOf(std::string_view type, Kind kind) {
  if (type == "race_top") return kind == Kind::Race;
  if (type == "mutex") return llvm::is_contained(kMutexKinds, kind);
  return type == name(kind);
}

bool isType(std::string_view type) {
  return type == kId || type == "race_top" || type == "mutex" || kindNamed(type).has_value();
}

} // namespace

Expected<void> Suppressions::addLine(std::string_view line, const std::string &place) {
  auto [type, pattern] = llvm::StringRef(line).split(':');
  if (llvm::is_contained(kIgnored, std::string_view(type)))
    return ignored_.push_back(place + ": " + std::string(line)), Expected<void>();
  if (!isType(type) || pattern.empty())
    return fail(place + ": this is no suppression: " + std::string(line.substr(0, 60)),
                "write race:PATTERN, deadlock:PATTERN or id:ID");
  // Ids have no blanks: what follows is why it was suppressed.
  if (std::string_view(type) == kId) pattern = pattern.take_until([](char c) { return c == ' ' || c == '\t'; });
  rules_.push_back({place, type.str(), pattern.str(), Pattern(pattern)});
  return {};
}

Expected<void> Suppressions::add(std::string_view text, const std::string &name) {
  for (uint32_t number = 0; llvm::StringRef line : llvm::split(llvm::StringRef(text), '\n')) {
    ++number;
    line = line.trim(" \t\r");
    if (line.empty() || line.starts_with("#")) continue;
    if (auto added = addLine(line.str(), name + ":" + std::to_string(number)); !added) return added;
  }
  return {};
}

Expected<void> Suppressions::addFile(const std::string &path) {
  // Unlike other inputs, an empty file is fine: nothing is suppressed.
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (std::error_code error = file.getError())
    return fail(path + ": it cannot be read: " + error.message(), "name a file after --suppressions");
  return add((*file)->getBuffer(), path);
}

bool Suppressions::matches(const Rule &rule, const Finding &finding) {
  if (rule.type == kId) return rule.text == finding.id;
  if (!speaksOf(rule.type, finding.kind)) return false;
  auto hit = [&](std::string_view name) { return !name.empty() && rule.pattern.matches(name); };
  return llvm::any_of(namesOf(finding, rule.type == "race_top"), hit);
}

void Suppressions::apply(std::vector<Finding> &findings) {
  for (Finding &finding : findings) {
    finding.suppressed = false;
    finding.suppressedBy.clear();
    for (Rule &rule : rules_) {
      if (!matches(rule, finding)) continue;
      rule.used = true;
      if (!finding.suppressed) finding.suppressedBy = rule.place + ": " + rule.type + ":" + rule.text;
      finding.suppressed = true;
    }
  }
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> all;
  for (const Rule &rule : rules_)
    if (!rule.used) all.push_back(rule.place + ": " + rule.type + ":" + rule.text);
  return all;
}

std::string suppressionLine(const std::string &id, std::string_view why) {
  std::string line = std::string(kId) + ":" + id;
  if (why.empty()) return line;
  line.append("  # ");
  for (char c : why) line.push_back(c == '\n' || c == '\r' ? ' ' : c);
  return line;
}

} // namespace deadheat::finding
