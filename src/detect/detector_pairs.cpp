// The half of the sequencer that judges what the program remembered itself: pairs of accesses that met in its shadow.
#include <algorithm>

#include "abi/shadow.h"
#include "detect/detector_state.h"

namespace deadheat::detect {
namespace {

using trace::Event;

// Numbers come as threads give them, in rows of at most `step`; a farther jump is damage.
template <typename Row> void place(std::vector<Row> &rows, uint64_t number, Row row, uint64_t step) {
  if (number >= std::max<uint64_t>(rows.size(), 1) + 2 * step - 1 || number == 0) return;
  if (number >= rows.size()) rows.resize(number + 1);
  rows[number] = row;
}

uint8_t touchOf(uint64_t cell) {
  return static_cast<uint8_t>(((cell & abi::kWrites) != 0 ? kWrite : kRead) |
                              ((cell & abi::kPlain) != 0 ? 0 : kAtomic));
}

} // namespace

ThreadPlaces &Detector::placesOf(trace::ThreadNumber thread) {
  ThreadPlaces &places = threadPlaces_[thread.value()];
  if (places.contexts.empty()) places.contexts.push_back(result_.stacks.root(thread));
  return places;
}

void Detector::context(Thread &thread, const Event &event) {
  ThreadPlaces &places = placesOf(thread.number);
  if (event.access >= places.contexts.size()) return;
  place(places.contexts, event.number, result_.stacks.push(places.contexts[event.access], {event.bytes, event.place}),
        1);
}

void Detector::at(Thread &thread, const Event &event) {
  ThreadPlaces &places = placesOf(thread.number);
  if (event.number >= places.contexts.size()) return;
  thread.stack.jump(places.contexts[event.number]);
  thread.where = WhereId();
}

void Detector::spot(Thread &thread, const Event &event) {
  place(placesOf(thread.number).spots, event.number, {event.place, event.access}, abi::kSpotWindow);
}

void Detector::piece(Thread &thread, const Event &event) {
  remembers_ = true;
  PieceFacts facts;
  facts.thread = thread.number;
  facts.locks = thread.lockSet;
  facts.slot = thread.slot;
  facts.happensBefore = happensBefore_.tick(thread.slot);
  facts.hard = hard_.tick(thread.slot);
  facts.handed = handover_.order().tick(thread.slot);
  if (!thread.locks.empty()) {
    if (!thread.given || thread.givenVersion != handover_.order().version(thread.slot)) {
      thread.given = std::make_shared<Clock>(handover_.order().clock(thread.slot));
      thread.givenVersion = handover_.order().version(thread.slot);
    }
    facts.given = thread.given;
  }
  pieces_.add(event.number, std::move(facts));
}

// Not valid: damage.
std::optional<RaceSide> Detector::sideOf(trace::ThreadNumber thread, uint64_t cell, LockSetId locks) {
  const ThreadPlaces &places = placesOf(thread);
  uint32_t number = abi::cellSpot(cell);
  if (number == 0 || number >= places.spots.size()) return std::nullopt;
  const ThreadPlaces::Spot &spot = places.spots[number];
  if (spot.context >= places.contexts.size()) return std::nullopt;
  bool frees = (spot.what & abi::kSpotFrees) != 0;
  uint64_t what = spot.what & ~(abi::kSpotIsCall | abi::kSpotFrees);
  uint8_t kind = touchOf(cell);
  bool isCall = (spot.what & abi::kSpotIsCall) != 0;
  uint32_t access = isCall ? callId({what, (kind & kWrite) != 0, frees}) : static_cast<uint32_t>(what);
  return RaceSide{access, result_.places.intern({places.contexts[spot.context], locks}), kind};
}

// By what it did in that cell.
bool Detector::learns(const Thread &thread, uint64_t cell) {
  if ((cell & abi::kWrites) == 0) return true;
  const ThreadPlaces &places = placesOf(thread.number);
  const uint32_t number = abi::cellSpot(cell);
  if (number >= places.spots.size() || (places.spots[number].what & abi::kSpotIsCall) != 0) return false;
  return trace::learns(shapes_[static_cast<uint32_t>(places.spots[number].what)]);
}

bool Detector::isFree(const RaceSide &side) const {
  return (side.access & kCallBit) != 0 && result_.calls[side.access & ~kCallBit].frees;
}

// In log order the read comes before what it may race with is judged, so the hand-over does here, too.
void Detector::pair(Thread &thread, const Event &event) {
  ++result_.counts.pairs;
  const PieceFacts *earlier = pieces_.find(event.number);
  if (!earlier) {
    ++result_.counts.forgottenPieces;
    return;
  }
  bool guarded = !result_.lockSets.disjoint(earlier->locks, thread.lockSet);
  if (guarded && earlier->given && (event.earlier & abi::kWrites) == 0)
    handover_.overtake(thread.slot, *earlier->given);
  else if (guarded && earlier->given && learns(thread, event.later))
    handover_.order().take(thread.slot, *earlier->given);
  if (earlier->slot == thread.slot) return;
  bool observed = earlier->happensBefore > happensBefore_.clock(thread.slot)[earlier->slot];
  bool predicted = options_.predict && !guarded && earlier->hard > hard_.clock(thread.slot)[earlier->slot];
  if (observed || predicted) addPair(thread, event, *earlier, observed, predicted);
}

// Locks say nothing about who frees a block, nor about locks themselves.
void Detector::addPair(Thread &thread, const Event &event, const PieceFacts &facts, bool observed, bool predicted) {
  std::optional<RaceSide> earlier = sideOf(facts.thread, event.earlier, facts.locks);
  std::optional<RaceSide> later = sideOf(thread.number, event.later, thread.lockSet);
  if (!earlier || !later || doesNotCount(thread, event.address, later->touch)) return;
  bool inSection = !result_.lockSets[facts.locks].empty();
  bool handedOver = handover_.isOver(thread.slot, facts.slot, facts.handed, inSection);
  Race race{*earlier, *later, event.address, sequence_, 1, false};
  if (observed) observedPairs_.add(race);
  race.handedOver = handedOver;
  if (predicted && !isFree(*earlier) && !isFree(*later)) predictedPairs_.add(race);
  for (RaceTable *table : {&observedPairs_, &predictedPairs_})
    for (uint64_t address : table->takeNewAddresses()) findObject(address);
}

MadeObjects::Deed Detector::deedOf(const Thread &thread, const Event &event) const {
  bool frees = event.kind == trace::Kind::Free;
  bool makes = frees || event.kind == trace::Kind::Make;
  return {event.place, thread.stack.current(), thread.lockSet, happensBefore_.tick(thread.slot), thread.slot, makes,
          frees};
}

void Detector::addMade(uint64_t address, const MadeObjects::Deed &earlier, const MadeObjects::Deed &later) {
  auto side = [&](const MadeObjects::Deed &deed) {
    uint8_t kind = deed.makes ? kWrite : kRead;
    WhereId where = result_.places.intern({deed.stack, deed.locks});
    return RaceSide{callId({deed.place, deed.makes, deed.frees}), where, kind};
  };
  observedPairs_.add(Race{side(earlier), side(later), address, sequence_, 1, false});
}

void Detector::useMade(Thread &thread, const Event &event) {
  MadeObjects::Deed now = deedOf(thread, event);
  if (doesNotCount(thread, event.address, now.makes ? kWrite : kRead)) return;
  auto report = [&](const auto &earlier, const auto &later) { addMade(event.address, earlier, later); };
  const Clock &clock = happensBefore_.clock(thread.slot);
  if (now.makes)
    madeObjects_.make(event.address, now, clock, report);
  else
    madeObjects_.use(event.address, now, clock, report);
}

void Detector::freeMade(Thread &thread, const Event &event, uint64_t bytes) {
  madeObjects_.free(event.address, bytes, deedOf(thread, event), happensBefore_.clock(thread.slot),
                    [&](uint64_t object, const auto &earlier, const auto &later) { addMade(object, earlier, later); });
}

} // namespace deadheat::detect
