#include "driver/detected_findings.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "driver/detected_places.h"
#include "finding/collect.h"
#include "finding/explain.h"

namespace deadheat::driver {
namespace {

using detect::Detection;
using detect::Race;
using finding::Finding;
using finding::Level;

constexpr double kObservedScore = 50, kPredictedScore = 20, kPossibleScore = 10;

finding::Evidence evidenceOf(const Race &race, const Detection &detection, Level level) {
  finding::Evidence evidence;
  evidence.level = level;
  evidence.hits = race.count;
  bool observed = level == Level::Observed;
  evidence.by = observed ? "happens-before" : "hybrid";
  std::string often = isRare(race, detection.counts) ? ", rare" : ", frequent";
  if (detection.counts.pairs != 0) often.clear(); // not every access was counted
  evidence.detail = observed ? "unordered in this execution" + often
                             : "no lock protects both, and only the order in which locks were taken kept them apart";
  return evidence;
}

// What goes through a queue is handed over in the queue's sections. Of a sampled run those were mostly not told: then all
// blocks that the queue passes on look unguarded. What has a name of its own is not passed on.
std::vector<finding::Demotion> doubtsOf(const Race &race, const Detection &detection, DetectedPlaces &places) {
  if (race.handedOver)
    return {{std::string(finding::kHandedOver),
             "each time the second thread had read, under a lock, what the first wrote under it"}};
  if (detection.counts.learnt != 0 && !places.isVariable(race.address))
    return {{std::string(finding::kHandOverNotWatched),
             "the run was sampled, so nobody saw whether the block was handed over under a lock: --full tells"}};
  return {};
}

using Show = DetectedPlaces::Show;

Finding raceFinding(const Race &race, const Detection &detection, DetectedPlaces &places, Level level,
                    std::pair<Show, Show> show) {
  Finding finding;
  finding.kind = finding::Kind::Race;
  finding.level = level;
  finding.score = level == Level::Observed ? kObservedScore : kPredictedScore;
  finding.accesses = {places.side(race.earlier, race.later, show.first),
                      places.side(race.later, race.earlier, show.second)};
  const bool isFirstWrite = (race.earlier.touch & detect::kWrite) != 0 && show.first == Show::Itself;
  const finding::Access &writer = finding.accesses[isFirstWrite ? 0 : 1];
  const finding::Access &other = finding.accesses[&writer == &finding.accesses[0] ? 1 : 0];
  finding.variable = variableOf(writer, other);
  finding.allocatedAt = places.allocation(race.address);
  finding.votes = {level == Level::Observed ? "happens-before" : "hybrid"};
  finding.evidence = {evidenceOf(race, detection, level)};
  if (level == Level::Predicted) finding.demotions = doubtsOf(race, detection, places);
  return finding;
}

// One, and what a side that reads before it writes makes of it: that read races with whatever the other side writes (instrument/carried.h).
void addRace(const Race &race, const Detection &detection, DetectedPlaces &places, Level level,
             std::vector<Finding> &list) {
  auto add = [&](Show first, Show second) {
    list.push_back(raceFinding(race, detection, places, level, {first, second}));
  };
  auto writes = [](const detect::RaceSide &side) { return (side.touch & detect::kWrite) != 0; };
  add(Show::Itself, Show::Itself);
  if (places.carriesRead(race.earlier) && writes(race.later)) add(Show::CarriedRead, Show::Itself);
  if (places.carriesRead(race.later) && writes(race.earlier)) add(Show::Itself, Show::CarriedRead);
}

// How near a circle of locks came.
struct Nearness {
  Level level;
  double score;
  const char *detail;
};
constexpr Nearness kHappened{Level::Observed, kObservedScore,
                             "the threads were still waiting for each other at the end"};
constexpr Nearness kSeen{Level::Predicted, kPredictedScore, "each order was seen, not at the same time"};
constexpr Nearness kByOne{Level::Possible, kPossibleScore,
                          "one thread took the locks in both orders, and others were created to do the same"};

Finding deadlockFinding(const detect::Deadlock &deadlock, DetectedPlaces &places) {
  const Nearness &nearness = deadlock.happened ? kHappened : deadlock.byOneThread ? kByOne : kSeen;
  Finding finding;
  finding.kind = finding::Kind::Deadlock;
  finding.level = nearness.level;
  finding.score = nearness.score;
  for (const detect::LockEdge &edge : deadlock.cycle) finding.cycle.push_back(places.edge(edge));
  finding.votes = {"lock-order"};
  finding::Evidence evidence;
  evidence.level = finding.level;
  evidence.by = "lock-order";
  evidence.hits = 1;
  evidence.detail = nearness.detail;
  finding.evidence = {evidence};
  return finding;
}

void addGap(std::map<std::string, uint64_t> &gaps, const char *kind, uint64_t count) {
  if (count != 0) gaps[kind] += count;
}

void addGaps(const Detection &detection, std::map<std::string, uint64_t> &gaps) {
  const detect::DetectionCounts &counts = detection.counts;
  addGap(gaps, "damaged-word", detection.gaps.damagedWords);
  addGap(gaps, "lost-event", detection.gaps.lostEvents);
  addGap(gaps, "missing-stamp", detection.gaps.missingStamps);
  addGap(gaps, "missing-thread-event", detection.gaps.missingThreads);
  addGap(gaps, "missing-piece", detection.gaps.missingPieces + counts.forgottenPieces);
  addGap(gaps, "access-without-model", counts.unknownAccesses);
  addGap(gaps, "forgotten-page", counts.evictedPages);
  addGap(gaps, "dropped-stack", counts.droppedStacks);
  addGap(gaps, "ignored-thread", counts.ignoredThreads);
  addGap(gaps, "lock-cycles-not-searched", counts.lockSearchCut);
}

// Any order of its sides, as static findings of the pair have.
bool isPair(const Race &race, uint32_t first, uint32_t second) {
  return std::minmax(race.earlier.access, race.later.access) == std::minmax(first, second);
}

void addRaces(const Detection &detection, DetectedPlaces &places, std::vector<Finding> &list) {
  for (const Race &race : detection.observed) addRace(race, detection, places, Level::Observed, list);
  for (const Race &race : detection.predicted) {
    auto same = [&](const Race &other) { return isPair(other, race.earlier.access, race.later.access); };
    if (std::ranges::none_of(detection.observed, same)) addRace(race, detection, places, Level::Predicted, list);
  }
}

bool isWrite(const finding::Access &access) { return access.access.ends_with("write"); }

// Less is likelier, as in a check.
auto costOf(const Finding &finding) {
  return std::tuple(finding.level != Level::Observed, finding.demotions.size(),
                    !std::ranges::all_of(finding.accesses, isWrite));
}

// All pairs of one variable at two lines are one finding: the likeliest stands for them.
void addOncePerLines(std::vector<Finding> races, std::vector<Finding> &list) {
  std::map<finding::PlaceKey, size_t> known;
  for (Finding &race : races) {
    auto [place, isNew] = known.try_emplace(placeKey(race), list.size());
    if (isNew) {
      list.push_back(std::move(race));
      continue;
    }
    Finding &before = list[place->second];
    const uint64_t hits = before.evidence[0].hits + race.evidence[0].hits;
    const bool areAlike = before.level == race.level;
    if (costOf(race) < costOf(before)) before = std::move(race);
    if (areAlike) before.evidence[0].hits = hits;
  }
}

template <typename Row> void addNew(std::vector<Row> &rows, const std::vector<Row> &more) {
  for (const Row &row : more)
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
}

} // namespace

void addDetected(const std::vector<Detection> &detections, const RunCode &code, finding::Findings &findings) {
  symbol::LineReader lines;
  std::map<std::string, uint64_t> gaps;
  for (const Detection &detection : detections) {
    DetectedPlaces places(detection, code, lines);
    std::vector<Finding> races;
    addRaces(detection, places, races);
    addOncePerLines(std::move(races), findings.list);
    for (const detect::Deadlock &deadlock : detection.deadlocks)
      if (!deadlock.byOneThread || places.hasTwin(deadlock.cycle.front().thread))
        findings.list.push_back(deadlockFinding(deadlock, places));
    addNew(findings.program.threads, places.threads());
    addNew(findings.program.locks, places.locks());
    addGaps(detection, gaps);
  }
  for (const auto &[kind, count] : gaps) findings.program.gaps.push_back({kind, count});
}

} // namespace deadheat::driver
