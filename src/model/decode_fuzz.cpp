// Any bytes are a model or an Error. The checksum would stop nearly every input at the door, so the first byte chooses:
// the whole reader, or the inside of a frame as it is after decompression.
#include <algorithm>
#include <vector>

#include "model/frame.h"
#include "model/payload.h"

using namespace deadheat;
using namespace deadheat::model;

namespace {

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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const uint8_t> bytes(data, size);
  bool whole = std::ranges::equal(bytes.first(std::min<size_t>(size, 4)), std::span(kMagic, 4));
  if (whole)
    decodeWhole(bytes);
  else
    decodeInside(bytes);
  return 0;
}
