#include "confirm/schedule.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace deadheat::confirm {
namespace {

using abi::DecisionKind;
using llvm::StringRef;
using Words = llvm::SmallVector<StringRef, 8>;

constexpr StringRef kFirstLine = "deadheat schedule 1";
constexpr const char *kStrategyNames[] = {"racefuzzer", "random", "pct", "replay", "deadlock", "follow"};
constexpr const char *kDecisionNames[] = {"run", "return", "timeout"};

// Words of a command may hold anything: what is not plain is %XX.
std::string quoted(StringRef word) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (unsigned char byte : word) {
    if (llvm::isAlnum(byte) || StringRef("/._-+=:,@").contains(static_cast<char>(byte)))
      out << static_cast<char>(byte);
    else
      out << '%' << llvm::toHex(StringRef(reinterpret_cast<const char *>(&byte), 1));
  }
  return text.empty() ? "%" : text;
}

std::optional<std::string> unquoted(StringRef word) {
  if (word == "%") return std::string();
  std::string text;
  while (!word.empty()) {
    if (word.front() != '%') {
      text += word.front();
      word = word.drop_front();
      continue;
    }
    std::string byte;
    if (word.size() < 3 || !llvm::tryGetFromHex(word.substr(1, 2), byte)) return std::nullopt;
    text += byte;
    word = word.drop_front(3);
  }
  return text;
}

template <typename Number> bool read(StringRef word, Number &number, unsigned radix = 10) {
  uint64_t wide = 0;
  if (word.getAsInteger(radix, wide) || wide > std::numeric_limits<Number>::max()) return false;
  number = static_cast<Number>(wide);
  return true;
}

bool readWords(const Words &words, std::vector<std::string> &all) {
  for (StringRef word : llvm::drop_begin(words)) {
    auto plain = unquoted(word);
    if (!plain) return false;
    all.push_back(*plain);
  }
  return words.size() > 1;
}

bool readAccess(const Words &words, abi::Target &target) {
  if (words.size() < 7 || (words.size() == 8 && !read(words[7], target.function))) return false;
  target.isWrite = words[6] == "write";
  return words.size() <= 8 && read(words[4], target.late) && target.late != abi::kNoLate &&
         read(words[5], target.size) && (target.isWrite || words[6] == "read");
}

bool readCalls(const Words &words, abi::Target &target) {
  target.late = abi::kNoLate;
  auto [begin, end] = words[4].split('-');
  if (words.size() == 6 && !read(words[5], target.depth)) return false;
  return words.size() <= 6 && target.depth < abi::kCallDepth && read(begin, target.begin, 16) &&
         read(end, target.end, 16);
}

bool readMemoryCalls(const Words &words, abi::Target &target) {
  target.late = abi::kNoLate;
  target.memory = 1;
  auto [begin, end] = words[4].split('-');
  if (words.size() != 6 || !read(begin, target.begin, 16) || !read(end, target.end, 16)) return false;
  target.isWrite = words[5] == "write";
  return target.isWrite || words[5] == "read";
}

bool readTarget(const Words &words, abi::Target &target) {
  unsigned side = 0;
  if (words.size() < 5 || !read(words[1], side) || side < 1 || side > 3) return false;
  target.side = static_cast<uint8_t>(side);
  if (!read(words[3], target.checksum, 16)) return false;
  if (words[2] == "access") return readAccess(words, target);
  if (words[2] == "memory") return readMemoryCalls(words, target);
  return words[2] == "call" && readCalls(words, target);
}

bool readDecision(const Words &words, abi::Decision &decision) {
  if (words.size() != 4 || !read(words[1], decision.point) || !read(words[3], decision.task)) return false;
  auto kind = std::ranges::find(kDecisionNames, words[2]);
  if (kind == std::end(kDecisionNames)) return false;
  decision.kind = static_cast<DecisionKind>(kind - std::begin(kDecisionNames));
  return true;
}

bool readStrategy(const Words &words, Direction &direction) {
  auto strategy = words.size() == 2 ? strategyNamed(words[1]) : std::nullopt;
  if (strategy) direction.strategy = *strategy;
  return strategy.has_value();
}

bool readOne(const Words &words, std::string &text) {
  auto plain = words.size() == 2 ? unquoted(words[1]) : std::nullopt;
  if (plain) text = *plain;
  return plain.has_value();
}

// What each line may begin with.
struct Row {
  const char *word;
  bool (*take)(const Words &, Schedule &);
};

constexpr Row kRows[] = {
    {"finding", [](const Words &words, Schedule &into) { return readOne(words, into.finding); }},
    {"directory", [](const Words &words, Schedule &into) { return readOne(words, into.directory); }},
    {"command", [](const Words &words, Schedule &into) { return readWords(words, into.command); }},
    {"strategy", [](const Words &words, Schedule &into) { return readStrategy(words, into.direction); }},
    {"seed",
     [](const Words &words, Schedule &into) { return words.size() == 2 && read(words[1], into.direction.seed); }},
    {"target",
     [](const Words &words, Schedule &into) {
       return into.direction.targets.size() < abi::kMaxTargets &&
              readTarget(words, into.direction.targets.emplace_back());
     }},
    {"point",
     [](const Words &words, Schedule &into) {
       return into.direction.decisions.size() < abi::kMaxDecisions &&
              readDecision(words, into.direction.decisions.emplace_back());
     }},
};

bool takeLine(StringRef line, Schedule &schedule) {
  line = line.split('#').first.trim();
  if (line.empty()) return true;
  Words words;
  line.split(words, ' ', -1, false);
  for (const Row &row : kRows)
    if (words.front() == row.word) return row.take(words, schedule);
  return false;
}

void printTarget(llvm::raw_ostream &out, const abi::Target &target) {
  const char *kind = target.late != abi::kNoLate ? " access " : target.memory ? " memory " : " call ";
  out << "target " << unsigned(target.side) << kind << llvm::utohexstr(target.checksum, true);
  if (target.late != abi::kNoLate) {
    out << ' ' << target.late << ' ' << target.size << (target.isWrite ? " write" : " read");
    if (target.function != abi::kNoFunction) out << ' ' << target.function;
    out << '\n';
    return;
  }
  out << ' ' << llvm::utohexstr(target.begin, true) << '-' << llvm::utohexstr(target.end, true);
  if (target.memory) out << (target.isWrite ? " write" : " read");
  if (target.depth != 0) out << ' ' << unsigned(target.depth);
  out << '\n';
}

bool same(const abi::Target &a, const abi::Target &b) {
  auto facts = [](const abi::Target &of) {
    return std::tie(of.checksum, of.begin, of.end, of.late, of.size, of.side, of.isWrite, of.depth, of.memory,
                    of.function);
  };
  return facts(a) == facts(b);
}
bool same(const abi::Decision &a, const abi::Decision &b) {
  return std::tie(a.point, a.task, a.kind) == std::tie(b.point, b.task, b.kind);
}

} // namespace

std::string_view name(abi::StrategyId strategy) { return kStrategyNames[static_cast<size_t>(strategy)]; }

std::optional<abi::StrategyId> strategyNamed(std::string_view name) {
  auto found = std::ranges::find(kStrategyNames, name);
  if (found == std::end(kStrategyNames)) return std::nullopt;
  return static_cast<abi::StrategyId>(found - std::begin(kStrategyNames));
}

bool Schedule::operator==(const Schedule &other) const {
  auto equal = [](const auto &a, const auto &b) { return same(a, b); };
  return finding == other.finding && command == other.command && directory == other.directory &&
         direction.strategy == other.direction.strategy && direction.seed == other.direction.seed &&
         std::ranges::equal(direction.targets, other.direction.targets, equal) &&
         std::ranges::equal(direction.decisions, other.direction.decisions, equal);
}

std::string print(const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << kFirstLine << "\n";
  out << "finding " << quoted(schedule.finding) << "\ndirectory " << quoted(schedule.directory) << "\ncommand";
  for (const std::string &word : schedule.command) out << ' ' << quoted(word);
  const Direction &direction = schedule.direction;
  out << "\nstrategy " << name(direction.strategy) << "\nseed " << direction.seed << "\n";
  for (const abi::Target &target : direction.targets) printTarget(out, target);
  out << "# At each point the thread that ran goes on, or else the first that can, except:\n";
  for (size_t index = 0; index != direction.decisions.size(); ++index) {
    const abi::Decision &decision = direction.decisions[index];
    out << "point " << decision.point << ' ' << kDecisionNames[static_cast<size_t>(decision.kind)] << ' '
        << decision.task;
    if (index < schedule.notes.size() && !schedule.notes[index].empty()) out << "  # " << schedule.notes[index];
    out << '\n';
  }
  return text;
}

Expected<Schedule> parseSchedule(std::string_view text, const std::string &source) {
  constexpr char kHint[] = "write it with deadheat confirm";
  auto [first, rest] = StringRef(text).split('\n');
  if (first.trim() != kFirstLine) return fail(source + " is not a schedule", kHint);
  Schedule schedule;
  for (unsigned number = 2; !rest.empty(); ++number) {
    auto [line, more] = rest.split('\n');
    if (!takeLine(line, schedule))
      return fail(source + ":" + std::to_string(number) + ": not understood", "see docs/formats/schedule.md");
    rest = more;
  }
  if (schedule.command.empty()) return fail(source + " names no command", kHint);
  if (!std::ranges::is_sorted(schedule.direction.decisions, {}, &abi::Decision::point))
    return fail(source + " has points out of order", "sort its lines by their points");
  return schedule;
}

} // namespace deadheat::confirm
