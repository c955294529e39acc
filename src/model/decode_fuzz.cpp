// Any bytes are a model or an Error. The checksum stops nearly every changed frame at the door, so bytes that do not
// begin as a frame does are read as the inside of one, and the mutator turns whole frames into such insides.
#include <algorithm>
#include <cstring>
#include <vector>

#include "model/frame.h"
#include "model/payload.h"

using namespace deadheat;
using namespace deadheat::model;

namespace {

// No inside begins so: it would be larger than any frame may be.
bool isWhole(std::span<const uint8_t> bytes) {
  return std::ranges::equal(bytes.first(std::min<size_t>(bytes.size(), 4)), std::span(kMagic, 4));
}

// A unit that was accepted is written again and must come back equal.
void checkRoundTrip(const Unit &unit) {
  std::string frame = encodeFrame(unit);
  auto again = decodeFrames({reinterpret_cast<const uint8_t *>(frame.data()), frame.size()}, "fuzz");
  DEADHEAT_CHECK(again && again->size() == 1 && again->front().unit == unit);
}

void decodeInside(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> aligned(bytes.begin(), bytes.end());
  if (auto unit = decodePayload(aligned)) checkRoundTrip(*unit);
}

void decodeWhole(std::span<const uint8_t> bytes) {
  auto units = decodeFrames(bytes, "fuzz");
  if (!units) return;
  for (const LinkedUnit &linked : *units) checkRoundTrip(linked.unit);
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::span<const uint8_t> bytes(data, size);
  if (seed % 2 == 0 && isWhole(bytes)) {
    auto units = decodeFrames(bytes, "fuzz");
    std::string inside = units ? encodePayload(units->front().unit) : std::string();
    if (!inside.empty() && inside.size() <= maxSize) {
      std::memcpy(data, inside.data(), inside.size());
      return inside.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const uint8_t> bytes(data, size);
  bool whole = std::ranges::equal(bytes.first(std::min<size_t>(size, 4)), std::span(kMagic, 4));
  if (whole)
    decodeWhole(bytes);
  else
    decodeInside(bytes);
  return 0;
}
