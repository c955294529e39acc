// The layout of traces, for reader and writer.
#pragma once

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

namespace deadheat::trace {

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;
};
static_assert(sizeof(FileHeader) == 16);

inline constexpr char kFileMagic[8] = {'D', 'H', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr uint32_t kRecordMagic = 0x43524844; // "DHRC"
inline constexpr uint64_t kMaxRawSize = uint64_t(1) << 30;
inline constexpr uint64_t kAlignment = 8;

struct RecordHeader {
  uint32_t magic;
  uint32_t kind;
  uint32_t process;
  uint32_t thread;
  uint32_t sequence; // of the thread's record
  uint32_t reserved;
  uint64_t payloadSize; // compressed, without padding
  uint64_t rawSize;
  uint64_t payloadChecksum; // xxh3
  uint64_t headerChecksum;  // xxh3 of all before
};
static_assert(sizeof(RecordHeader) == 56);

inline uint64_t checksum(llvm::ArrayRef<uint8_t> bytes) { return llvm::xxh3_64bits(bytes); }

inline uint64_t headerChecksum(const RecordHeader &header) {
  return checksum({reinterpret_cast<const uint8_t *>(&header), offsetof(RecordHeader, headerChecksum)});
}

inline constexpr uint64_t padded(uint64_t size) { return (size + kAlignment - 1) & ~(kAlignment - 1); }

} // namespace deadheat::trace
