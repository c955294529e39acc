#include "finding/collect.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "oneapi/tbb/parallel_for.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include "finding/in_batches.h"
#include "finding/names.h"

namespace deadheat::finding {
namespace {

// A byte that occurs in no name separates the parts, so that no two lists of parts give the same text.
std::string joinParts(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text.append(part).push_back('\0');
  return text;
}

// What tells a side from others.
const std::string &identity(const Access &access) { return access.spot.empty() ? access.site : access.spot; }
const std::string &identity(const CycleEdge &edge) { return edge.site; }

template <typename Side> std::string sideText(const Side &side) {
  return joinParts({llvm::sys::path::filename(side.place.file), side.function, identity(side)});
}

std::vector<std::string> sideTexts(const Finding &finding) {
  std::vector<std::string> texts;
  for (const Access &access : finding.accesses) texts.push_back(sideText(access));
  for (const CycleEdge &edge : finding.cycle) texts.push_back(sideText(edge));
  llvm::sort(texts);
  return texts;
}

std::vector<Place> placesOf(const Finding &finding) {
  std::vector<Place> places;
  for (const Access &access : finding.accesses) {
    places.push_back(access.place);
    if (!access.spot.empty()) places.back().column = 0; // all that the line does to the object
  }
  for (const CycleEdge &edge : finding.cycle) places.push_back(edge.place);
  llvm::sort(places);
  return places;
}

auto sideOrder(const Access &access) {
  return std::tie(identity(access), access.site, access.place, access.function, access.access, access.thread,
                  access.locks, access.stack);
}

auto edgeOrder(const CycleEdge &edge) { return std::tie(edge.site, edge.place, edge.function, edge.holds, edge.wants); }

// Engines meet a pair in either order and a cycle at any edge.
void orderSides(Finding &finding) {
  llvm::sort(finding.accesses, [](const Access &a, const Access &b) { return sideOrder(a) < sideOrder(b); });
  auto first =
      std::ranges::min_element(finding.cycle, [](const auto &a, const auto &b) { return edgeOrder(a) < edgeOrder(b); });
  std::ranges::rotate(finding.cycle, first);
}

template <typename T> void unite(std::vector<T> &all, std::vector<T> more) {
  std::ranges::move(more, std::back_inserter(all));
  llvm::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
}

void fill(std::string &known, std::string &other) {
  if (known.empty()) known = std::move(other);
}

void fill(Place &known, Place &other) {
  if (!known.known()) known = std::move(other);
}

void fill(std::vector<Frame> &known, std::vector<Frame> &other) {
  if (known.empty()) known = std::move(other);
}

void fill(Access &known, Access &other) {
  if (identity(known) != identity(other)) return;
  fill(known.path, other.path);
  if (known.thread != other.thread && !known.thread.empty()) return;
  fill(known.thread, other.thread);
  fill(known.createdAt, other.createdAt);
  fill(known.stack, other.stack);
}

void fill(CycleEdge &known, CycleEdge &other) {
  if (identity(known) != identity(other)) return;
  fill(known.holds, other.holds);
  fill(known.wants, other.wants);
  fill(known.heldSince, other.heldSince);
  fill(known.createdAt, other.createdAt);
  fill(known.trace, other.trace);
}

template <typename Side> void fillSides(std::vector<Side> &known, std::vector<Side> &other) {
  if (known.empty()) return void(known = std::move(other));
  for (auto [mine, theirs] : llvm::zip(known, other)) fill(mine, theirs);
}

void fillFacts(Finding &known, Finding &other) {
  fill(known.id, other.id);
  fill(known.title, other.title);
  fill(known.variable, other.variable);
  fill(known.allocatedAt, other.allocatedAt);
  fill(known.why, other.why);
  fill(known.fix, other.fix);
  fillSides(known.accesses, other.accesses);
  fillSides(known.cycle, other.cycle);
}

// Two accesses of one line are at their own places in it.
template <typename Side> bool hasMoved(const Side &mine, const Side &theirs) {
  if (mine.site == theirs.site) return mine.place != theirs.place;
  return std::tie(mine.place.file, mine.place.line) != std::tie(theirs.place.file, theirs.place.line);
}

// The source was edited since: frames of then would lie beside lines of now.
template <typename Side>
void followSource(std::vector<Side> &known, const std::vector<Side> &later, std::vector<Frame> Side::*frames) {
  for (auto [mine, theirs] : llvm::zip(known, later)) {
    if (identity(mine) != identity(theirs) || !hasMoved(mine, theirs)) continue;
    mine.place = theirs.place;
    (mine.*frames).clear();
  }
}

// A demotion is a reason to doubt; what was seen in an execution outweighs the doubts of those who only read the text.
void joinDemotions(Finding &stronger, Finding &weaker) {
  if (stronger.level >= Level::Observed && stronger.level > weaker.level) return;
  unite(stronger.demotions, std::move(weaker.demotions));
}

bool isSameMeasurement(Evidence one, const Evidence &two) {
  one.runs = two.runs;
  one.hits = two.hits;
  return one == two;
}

// A count that was taken again replaces the one of before: a program that is run every day does not fill its store.
void appendEvidence(std::vector<Evidence> &all, std::vector<Evidence> more) {
  for (Evidence &evidence : more) {
    auto before = llvm::find_if(all, [&](const Evidence &each) { return isSameMeasurement(each, evidence); });
    if (before != all.end())
      *before = std::move(evidence);
    else
      all.push_back(std::move(evidence));
  }
}

// Of findings with one fingerprint, in order of their places: each without an id gets the first one that is free.
void giveIds(std::vector<Finding *> &alike) {
  llvm::StringSet<> taken;
  for (const Finding *finding : alike)
    if (!finding->id.empty()) taken.insert(finding->id);
  uint32_t ordinal = 0;
  for (Finding *finding : alike)
    while (finding->id.empty())
      if (std::string id = idText(finding->kind, fingerprint(*finding, ++ordinal)); taken.insert(id).second)
        finding->id = std::move(id);
}

// As it was before sides had spots.
PlaceKey siteKeyOf(Finding finding) {
  for (Access &access : finding.accesses) access.spot.clear();
  return placeKey(finding);
}

std::vector<PlaceKey> keysOf(const std::vector<Finding> &findings) {
  return ofEach(findings.size(), [&](size_t i) { return placeKey(findings[i]); });
}

void putInOrder(Finding &finding) {
  orderSides(finding);
  llvm::sort(finding.votes);
  llvm::sort(finding.demotions);
}

} // namespace

uint64_t fingerprint(const Finding &finding, uint32_t ordinal) {
  std::string text = joinParts({name(finding.kind)});
  const std::vector<std::string> sides = sideTexts(finding);
  for (const std::string &side : sides) text += side;
  if (sides.empty()) text += joinParts({finding.variable, finding.title});
  if (ordinal > 1) text += joinParts({std::to_string(ordinal)});
  return llvm::xxh3_64bits(text);
}

PlaceKey placeKey(const Finding &finding) { return {fingerprint(finding), placesOf(finding)}; }

std::string idText(Kind kind, uint64_t fingerprint) {
  std::string text(row(kind).prefix);
  llvm::raw_string_ostream(text) << llvm::format("-%016llx", static_cast<unsigned long long>(fingerprint));
  return text;
}

void merge(Finding &known, Finding later) {
  followSource(known.accesses, later.accesses, &Access::stack);
  followSource(known.cycle, later.cycle, &CycleEdge::trace);
  std::vector<Evidence> evidence = std::move(known.evidence);
  appendEvidence(evidence, std::move(later.evidence));
  std::optional<NotClimbed> notClimbed = later.notClimbed ? later.notClimbed : known.notClimbed;
  if (known.level != later.level) notClimbed = (known.level > later.level ? known : later).notClimbed;
  if (later.level >= known.level) std::swap(known, later);
  joinDemotions(known, later);
  fillFacts(known, later);
  unite(known.votes, std::move(later.votes));
  known.score = std::max(known.score, later.score);
  known.evidence = std::move(evidence);
  known.notClimbed = std::move(notClimbed);
}

void rank(std::vector<Finding> &findings) {
  // What was proven stands above what any score promises.
  auto proven = [](const Finding &finding) { return std::max(finding.level, Level::Observed); };
  llvm::sort(findings, [&](const Finding &a, const Finding &b) {
    if (proven(a) != proven(b)) return proven(a) > proven(b);
    return std::tie(b.score, a.id) < std::tie(a.score, b.id);
  });
  for (uint32_t position = 0; Finding & finding : findings) finding.rank = ++position;
}

void update(Finding &known, Finding later) {
  bool isLastWord = later.level >= known.level || known.level < Level::Observed;
  bool isRankedAnew = later.level == known.level;
  double score = later.score;
  std::vector<Demotion> demotions = later.demotions;
  auto isOfExecution = [](const Demotion &one) {
    return one.reason == kHandedOver || one.reason == kHandOverNotWatched;
  };
  if (later.level < known.level) {
    std::vector<Demotion> kept;
    std::ranges::copy_if(known.demotions, std::back_inserter(kept), isOfExecution);
    unite(demotions, std::move(kept));
  }
  merge(known, std::move(later));
  if (isLastWord) known.demotions = std::move(demotions);
  if (isRankedAnew) known.score = score;
}

bool isSettled(const Finding &finding) {
  bool isEachOnce = std::ranges::adjacent_find(finding.votes, std::ranges::greater_equal()) == finding.votes.end();
  for (auto one = finding.evidence.begin(); one != finding.evidence.end(); ++one)
    isEachOnce &= std::none_of(finding.evidence.begin(), one,
                               [&](const Evidence &before) { return isSameMeasurement(before, *one); });
  return isEachOnce;
}

void recognise(std::vector<Finding> &findings, const std::vector<Finding> &known) {
  std::map<PlaceKey, const Finding *> byPlace;
  for (const Finding &each : known) byPlace.emplace(placeKey(each), &each);
  if (byPlace.empty()) return;
  auto recogniseAs = [&](Finding &finding, const PlaceKey &key) {
    if (auto found = byPlace.find(key); found != byPlace.end()) finding.id = found->second->id;
  };
  oneapi::tbb::parallel_for(size_t(0), findings.size(), [&](size_t i) {
    if (findings[i].id.empty()) recogniseAs(findings[i], placeKey(findings[i]));
    if (findings[i].id.empty()) recogniseAs(findings[i], siteKeyOf(findings[i]));
  });
}

void collect(std::vector<Finding> &findings) {
  oneapi::tbb::parallel_for(size_t(0), findings.size(), [&](size_t i) { putInOrder(findings[i]); });
  std::vector<PlaceKey> keys = keysOf(findings);
  std::map<PlaceKey, Finding> byPlace;
  for (size_t i = 0; i < findings.size(); ++i) {
    auto [known, isNew] = byPlace.try_emplace(std::move(keys[i]));
    if (isNew)
      known->second = std::move(findings[i]);
    else
      merge(known->second, std::move(findings[i]));
  }
  std::map<uint64_t, std::vector<Finding *>> alike;
  for (auto &[key, finding] : byPlace) alike[key.first].push_back(&finding);
  for (auto &[print, group] : alike) giveIds(group);
  findings.clear();
  for (auto &[key, finding] : byPlace) findings.push_back(std::move(finding));
  rank(findings);
}

} // namespace deadheat::finding
