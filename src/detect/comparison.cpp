#include "detect/comparison.h"

namespace deadheat::detect {
namespace {

using trace::Event;
using trace::Kind;

constexpr uint64_t kRareCount = 3; // in so many accesses
constexpr uint64_t kRareAmong = 1'000'000;
constexpr uint32_t kMaxThreads = 1 << 16; // more are damage, or count as no sampler's

// Synchronisation is told by all: atomics, although they access memory as well.
bool isSampled(Kind kind) { return kind == Kind::Access || kind == Kind::Range || kind == Kind::Bytes; }

bool takes(uint64_t samplers, size_t index) { return (samplers >> index & 1) != 0; }

DetectorOptions withoutPrediction(DetectorOptions options) {
  options.predict = false;
  return options;
}

uint64_t placeOf(uint32_t access, const Detection &detection) {
  if ((access & kCallBit) == 0) return access;
  const CallPlace &call = detection.calls[access & ~kCallBit];
  return uint64_t(1) << 63 | call.place << 2 | uint64_t(call.write) << 1 | uint64_t(call.frees);
}

} // namespace

Comparison::Comparison(const trace::AccessShapes &shapes, DetectorOptions options) {
  for (auto &sampler : samplers_) sampler = std::make_unique<Detector>(shapes, withoutPrediction(options));
}

void Comparison::tally(const Event &event) {
  accesses_ += event.bytes;
  for (size_t index = 0; index != abi::kCompared; ++index)
    if (takes(event.number, index)) taken_[index] += event.bytes;
}

void Comparison::apply(const Event &event) {
  if (event.thread.value() >= kMaxThreads) return;
  if (event.thread.value() >= current_.size()) current_.resize(event.thread.value() + 1);
  uint64_t &current = current_[event.thread.value()];
  if (event.kind == Kind::Tally) return tally(event);
  if (event.kind == Kind::Samplers) {
    current = event.number;
    return;
  }
  for (size_t index = 0; index != abi::kCompared; ++index)
    if (!isSampled(event.kind) || takes(current, index)) samplers_[index]->apply(event);
}

void Comparison::finish(const Detection &full, ComparisonTotals &totals) {
  totals.accesses_ += accesses_;
  totals.add(full, totals.all_);
  for (size_t index = 0; index != abi::kCompared; ++index) {
    totals.taken_[index] += taken_[index];
    totals.add(samplers_[index]->finish(), totals.found_[index]);
  }
}

void ComparisonTotals::add(const Detection &detection, std::map<Pair, uint64_t> &races) {
  for (const Race &race : detection.observed)
    races[std::minmax(placeOf(race.earlier.access, detection), placeOf(race.later.access, detection))] += race.count;
}

ComparisonResult ComparisonTotals::result() const {
  ComparisonResult result;
  result.accesses = accesses_;
  for (const auto &[pair, count] : all_) {
    const bool rare = count * kRareAmong < kRareCount * accesses_;
    ++(rare ? result.rare : result.frequent);
    for (size_t index = 0; index != abi::kCompared; ++index)
      if (found_[index].contains(pair)) ++(rare ? result.samplers[index].rare : result.samplers[index].frequent);
  }
  for (size_t index = 0; index != abi::kCompared; ++index) result.samplers[index].accesses = taken_[index];
  return result;
}

} // namespace deadheat::detect
