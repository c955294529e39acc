#include "model/frame.h"

#include <algorithm>
#include <cstring>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include "model/payload.h"

namespace deadheat::model {
namespace {

constexpr uint64_t kAlignment = 8;
constexpr uint64_t kMaxRawSize = 1ull << 30;
// zstd stores at most 128 KiB in a block and needs four bytes for it: no honest payload grows more.
constexpr uint64_t kMaxRatio = 32768;
constexpr int kLevel = llvm::compression::zstd::DefaultCompression;

using Span = std::span<const uint8_t>;

// Everything wrong with a frame is told with the place of the frame, and cured the same way.
struct Place {
  const std::string &source;
  size_t number; // of the unit, from 1

  std::unexpected<Error> bad(const std::string &what, std::string hint = "build it again with deadheat-cc") const {
    return fail(source + ": the model of unit " + std::to_string(number) + " " + what, std::move(hint));
  }
};

std::string sizes(uint64_t have, uint64_t want) {
  return std::to_string(have) + " of " + std::to_string(want) + " bytes";
}

Expected<FrameHeader> readHeader(Span bytes, const Place &place) {
  FrameHeader header;
  size_t have = std::min(bytes.size(), sizeof(kMagic));
  if (std::memcmp(bytes.data(), kMagic, have) != 0)
    return place.bad("does not begin with DEADHEAT: these bytes are no model");
  if (bytes.size() < sizeof(header))
    return place.bad("is truncated: " + sizes(bytes.size(), sizeof(header)) + " of its header");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.version > kFormatVersion)
    return place.bad("was written by a newer Deadheat (format " + std::to_string(header.version) + ", this one reads " +
                         std::to_string(kFormatVersion) + ")",
                     "use that version to read it, or build it again with this one");
  if (header.version != kFormatVersion || header.headerSize != sizeof(header)) return place.bad("has a damaged header");
  return header;
}

// The payload, once its length and checksum are known to be right.
Expected<Span> readPayload(Span bytes, const FrameHeader &header, const Place &place) {
  Span rest = bytes.subspan(sizeof(header));
  if (header.payloadSize > rest.size()) return place.bad("is truncated: " + sizes(rest.size(), header.payloadSize));
  Span payload = rest.first(header.payloadSize);
  if (llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(payload.data(), payload.size())) != header.checksum)
    return place.bad("is damaged: its checksum is wrong");
  if (header.rawSize > kMaxRawSize || header.rawSize / kMaxRatio > header.payloadSize)
    return place.bad("is damaged: it claims to hold " + std::to_string(header.rawSize) + " bytes");
  return payload;
}

Expected<Unit> readUnit(Span payload, uint64_t rawSize, const Place &place) {
  llvm::SmallVector<uint8_t, 0> raw;
  llvm::Error failed = llvm::compression::zstd::decompress({payload.data(), payload.size()}, raw, rawSize);
  if (failed) return place.bad("is damaged: " + llvm::toString(std::move(failed)));
  if (raw.size() != rawSize) return place.bad("is damaged: it holds " + sizes(raw.size(), rawSize));
  Expected<Unit> unit = decodePayload({raw.data(), raw.size()});
  if (!unit) return place.bad("is damaged: " + unit.error().what);
  return unit;
}

// The bytes of a frame with its padding, which must be there and zero.
Expected<size_t> frameSize(Span bytes, uint64_t payloadSize, const Place &place) {
  uint64_t used = sizeof(FrameHeader) + payloadSize;
  uint64_t padded = llvm::alignTo(used, kAlignment);
  if (padded > bytes.size()) return place.bad("is truncated: " + sizes(bytes.size(), padded));
  Span padding = bytes.subspan(used, padded - used);
  if (std::ranges::any_of(padding, [](uint8_t byte) { return byte != 0; })) return place.bad("has damaged padding");
  return padded;
}

Expected<size_t> readFrame(Span bytes, const Place &place, std::vector<LinkedUnit> &units) {
  auto header = readHeader(bytes, place);
  if (!header) return std::unexpected(header.error());
  auto payload = readPayload(bytes, *header, place);
  if (!payload) return std::unexpected(payload.error());
  auto size = frameSize(bytes, payload->size(), place);
  if (!size) return size;
  auto unit = readUnit(*payload, header->rawSize, place);
  if (!unit) return std::unexpected(unit.error());
  units.push_back({std::move(*unit), header->checksum});
  return size;
}

} // namespace

std::string encodeFrame(const Unit &unit) {
  std::string raw = encodePayload(unit);
  llvm::SmallVector<uint8_t, 0> payload;
  llvm::compression::zstd::compress({reinterpret_cast<const uint8_t *>(raw.data()), raw.size()}, payload, kLevel);
  FrameHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kFormatVersion;
  header.headerSize = sizeof(header);
  header.payloadSize = payload.size();
  header.rawSize = raw.size();
  header.checksum = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(payload));
  std::string frame(reinterpret_cast<const char *>(&header), sizeof(header));
  frame.append(payload.begin(), payload.end());
  frame.resize(llvm::alignTo(frame.size(), kAlignment));
  return frame;
}

uint64_t checksumOf(const std::string &frame) {
  FrameHeader header;
  DEADHEAT_CHECK(frame.size() >= sizeof(header));
  std::memcpy(&header, frame.data(), sizeof(header));
  return header.checksum;
}

Expected<std::vector<LinkedUnit>> decodeFrames(Span bytes, const std::string &source) {
  std::vector<LinkedUnit> units;
  while (!bytes.empty()) {
    auto size = readFrame(bytes, Place{source, units.size() + 1}, units);
    if (!size) return std::unexpected(size.error());
    bytes = bytes.subspan(*size);
    // A linker may align its inputs to more than eight bytes: no frame begins with zero.
    while (!bytes.empty() && bytes.front() == 0) bytes = bytes.subspan(1);
  }
  if (units.empty()) return fail(source + ": it holds no model: it is empty", "build it again with deadheat-cc");
  return units;
}

} // namespace deadheat::model
