// How a unit's model lies in a file: a fixed header, then the payload (FlatBuffers, compressed by zstd), padded to
// eight bytes. Frames follow one another, as a linker concatenates the `.deadheat` sections of its inputs; a file of a
// model directory holds one frame. docs/formats/model.md is normative.
//
// Claim   decodeFrames returns a model or an Error, for any bytes: lengths, checksum, version, FlatBuffers structure
//         and every index inside are verified before anything is used.
// Cost    one pass over the bytes, decompression included.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/unit.h"
#include "support/error.h"

namespace deadheat::model {

inline constexpr char kMagic[8] = {'D', 'E', 'A', 'D', 'H', 'E', 'A', 'T'};
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr char kSectionName[] = ".deadheat";
inline constexpr char kFileSuffix[] = ".dhm";

struct FrameHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;  // bytes, so that a later version can grow it
  uint64_t payloadSize; // bytes that follow the header, without padding
  uint64_t rawSize;     // of the payload after decompression
  uint64_t checksum;    // xxh3 of the payload
};
static_assert(sizeof(FrameHeader) == 40);

// A unit as it was found. The checksum names its model: the note of the unit's slots has it too (abi/note.h).
struct LinkedUnit {
  Unit unit;
  uint64_t checksum = 0;
};

// The header, the payload and the padding.
std::string encodeFrame(const Unit &unit);

// The checksum in the header of a frame that encodeFrame made: it names the unit's model.
uint64_t checksumOf(const std::string &frame);

// Every frame in `bytes`; `source` names them in errors.
Expected<std::vector<LinkedUnit>> decodeFrames(std::span<const uint8_t> bytes, const std::string &source);

} // namespace deadheat::model
