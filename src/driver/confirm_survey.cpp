#include "driver/confirm_survey.h"

#include <algorithm>
#include <cstring>

#include "llvm/ADT/StringRef.h"

#include "confirm/judge.h"
#include "model/frame.h"
#include "symbol/elf.h"
#include "symbol/source_lines.h"

namespace deadheat::driver {
namespace {

// The checksum of the first unit in an object: it names the object to the director. 0: it carries no model.
uint64_t checksumIn(const std::string &path) {
  auto section = symbol::readSection(path, model::kSectionName);
  model::FrameHeader header;
  if (!section || section->size() < sizeof(header)) return 0;
  std::memcpy(&header, section->data(), sizeof(header));
  return header.checksum;
}

bool isFile(llvm::StringRef path, llvm::StringRef wanted) {
  if (wanted.empty() || !path.ends_with(wanted)) return false;
  llvm::StringRef before = path.drop_back(wanted.size());
  return before.empty() || before.ends_with("/") || wanted.starts_with("/");
}

// Each access once.
std::vector<abi::Target> watched(const std::vector<abi::Target> &targets) {
  std::map<std::pair<uint64_t, uint32_t>, abi::Target> all;
  for (abi::Target target : targets) {
    if (target.late == abi::kNoLate) continue;
    target.side = abi::kWatched;
    all.try_emplace({target.checksum, target.late}, target);
  }
  std::vector<abi::Target> list;
  for (const auto &[key, target] : all) list.push_back(target);
  return list;
}

bool share(const abi::AddressBits &one, const abi::AddressBits &other) {
  for (uint32_t word = 0; word != abi::kAddressWords; ++word)
    if ((one.words[word] & other.words[word]) != 0) return true;
  return false;
}

Survey::Meeting meetingIn(const abi::TargetCount &one, const abi::TargetCount &other) {
  const bool same = one.task == other.task;
  if (same && one.many == 0 && other.many == 0) return Survey::Meeting::OneThread;
  const bool together = (!same && share(one.first, other.first)) || share(one.first, other.others) ||
                        share(one.others, other.first) || share(one.others, other.others);
  return together ? Survey::Meeting::Together : Survey::Meeting::Apart;
}

} // namespace

Expected<bool> Survey::make(const std::vector<abi::Target> &targets, bool memoryCalls, const confirm::Runner &runner) {
  const std::vector<abi::Target> all = watched(targets);
  for (size_t first = 0; first == 0 || first < all.size(); first += abi::kMaxTargets) {
    confirm::Direction direction{
        .strategy = abi::StrategyId::Random, .keepCalls = true, .keepMemoryCalls = memoryCalls};
    direction.targets.assign(all.begin() + first, all.begin() + std::min(all.size(), first + abi::kMaxTargets));
    for (direction.seed = 1; direction.seed <= kRuns; ++direction.seed) {
      auto outcome = runner(direction);
      if (!outcome) return std::unexpected(outcome.error());
      if (outcome->cut) return false;
      take(*outcome, direction.targets);
    }
  }
  auto more = listCalls(memoryCalls, runner);
  if (more && *more) resolveCalls();
  return more;
}

// Where an access is watched, the told body of its function runs, whose calls return elsewhere than those that runs without accesses to aim at
// will make: these are listed, too.
Expected<bool> Survey::listCalls(bool memoryCalls, const confirm::Runner &runner) {
  auto outcome =
      runner({.strategy = abi::StrategyId::Random, .seed = 1, .keepCalls = true, .keepMemoryCalls = memoryCalls});
  if (!outcome) return std::unexpected(outcome.error());
  keep(*outcome);
  return !outcome->cut;
}

void Survey::keep(const confirm::Outcome &outcome) {
  for (const abi::SeenCall &call : outcome.calls) seen_.emplace(std::begin(call.places), std::end(call.places));
  for (const abi::SeenMemoryCall &call : outcome.memoryCalls) memoryCalls_[call.place].does |= call.does;
}

void Survey::take(const confirm::Outcome &outcome, const std::vector<abi::Target> &watched) {
  const auto harm = confirm::harmOf(outcome);
  const std::string kind = harm ? harm->kind : std::string();
  usualHarm_ = runs_++ == 0 || kind == usualHarm_ ? kind : std::string();
  directed_ |= outcome.directed;
  if (runs_ == 1) exit_ = outcome.exit, signal_ = outcome.signal;
  sameEnds_ &= outcome.exit == exit_ && outcome.signal == signal_;
  if (objects_.empty()) objects_ = outcome.objects;
  for (size_t index = 0; index != std::min(watched.size(), outcome.targetCounts.size()); ++index)
    if (outcome.targetCounts[index].count != 0) {
      std::vector<abi::TargetCount> &counts = executed_[keyOf(watched[index])];
      counts.resize(runs_);
      counts.back() = outcome.targetCounts[index];
    }
  keep(outcome);
}

Survey::Meeting Survey::meeting(const std::vector<abi::Target> &targets) const {
  Meeting meeting = Meeting::OneThread;
  bool compared = false;
  auto compare = [&](const abi::TargetCount &mine, const abi::TargetCount &theirs) {
    if (mine.count == 0 || theirs.count == 0) return;
    compared = true;
    meeting = std::max(meeting, meetingIn(mine, theirs));
  };
  for (const abi::Target &one : targets)
    for (const abi::Target &other : targets) {
      if (!(one.side & abi::kFirstSide) || !(other.side & abi::kSecondSide)) continue;
      const auto mine = executed_.find(keyOf(one)), theirs = executed_.find(keyOf(other));
      if (mine == executed_.end() || theirs == executed_.end()) continue;
      for (size_t run = 0; run != std::min(mine->second.size(), theirs->second.size()); ++run)
        compare(mine->second[run], theirs->second[run]);
    }
  return compared ? meeting : Meeting::Together;
}

// From a return address to a target and its lines.
class Survey::Resolver {
public:
  explicit Resolver(const std::vector<abi::ControlObject> &objects) : objects_(objects) {}

  void resolve(uint64_t place, Call &call) {
    const auto object = std::ranges::find_if(
        objects_, [&](const abi::ControlObject &one) { return one.begin <= place && place < one.end; });
    if (object == objects_.end()) return;
    auto [checksum, isNew] = checksums_.try_emplace(object->path);
    if (isNew) checksum->second = checksumIn(object->path);
    if (checksum->second == 0) return;
    const uint64_t address = place - object->bias;
    call.target = {.checksum = checksum->second, .begin = address, .end = address + 1, .late = abi::kNoLate};
    for (const symbol::SourceFrame &frame : reader_.frames(object->path, address - 1)) {
      call.places.push_back({frame.file, frame.line, 0});
      call.function = llvm::StringRef(frame.function).split(" (.told)").first;
    }
  }

private:
  const std::vector<abi::ControlObject> &objects_;
  symbol::LineReader reader_;
  std::map<std::string, uint64_t> checksums_;
};

void Survey::resolveCalls() {
  Resolver resolver(objects_);
  for (const std::vector<uint64_t> &places : seen_)
    for (size_t depth = 0; depth != places.size(); ++depth)
      if (places[depth] != 0) calls_.try_emplace({places[depth], static_cast<uint8_t>(depth)});
  for (auto &[key, call] : calls_) {
    resolver.resolve(key.first, call);
    call.target.depth = key.second;
  }
  for (auto &[place, memory] : memoryCalls_) {
    resolver.resolve(place, memory.call);
    memory.call.target.memory = 1;
  }
}

namespace {

bool isAt(const std::vector<finding::Place> &places, const finding::Place &wanted) {
  return std::ranges::any_of(
      places, [&](const finding::Place &one) { return one.line == wanted.line && isFile(one.file, wanted.file); });
}

} // namespace

std::vector<abi::Target> Survey::callsAt(const finding::Place &place, uint8_t side) const {
  std::vector<abi::Target> targets;
  for (const auto &[key, call] : calls_) {
    if (call.target.checksum == 0 || !isAt(call.places, place)) continue;
    targets.push_back(call.target);
    targets.back().side = side;
  }
  return targets;
}

std::vector<abi::Target> Survey::memoryCallsAt(const finding::Place &place, uint8_t side, bool isWrite) const {
  return memoryCalls([&](const Call &call) { return isAt(call.places, place); }, side, isWrite);
}

std::vector<abi::Target> Survey::memoryCallsIn(const std::set<std::string> &functions, uint8_t side,
                                               bool isWrite) const {
  return memoryCalls([&](const Call &call) { return functions.contains(call.function); }, side, isWrite);
}

std::vector<abi::Target> Survey::memoryCalls(IsWanted isWanted, uint8_t side, bool isWrite) const {
  std::vector<abi::Target> targets;
  for (const auto &[address, memory] : memoryCalls_) {
    const bool does = (memory.does & (isWrite ? abi::kWrites : abi::kReads)) != 0;
    if (!does || memory.call.target.checksum == 0 || !isWanted(memory.call)) continue;
    targets.push_back(memory.call.target);
    targets.back().side = side;
    targets.back().isWrite = isWrite;
  }
  return targets;
}

} // namespace deadheat::driver
