// Traces: the events of a run in a file. docs/formats/trace.md is normative.
//
//   header | record | record | ...        a record: header with checksums, payload compressed by zstd, padded to eight bytes
//
// Claim   A reader returns what is whole, for any bytes: a record that is damaged is passed over and counted, and what a thread
//         told after it is marked by a Gap, so that no order is believed across it. A file that was cut off is told.
// Claim   A writer that meets a full disk, or its own limit, stops writing and says so once; what it wrote is readable.
// Cost    One compression per record on the writer's side; records are kilobytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/MemoryBuffer.h"

#include "abi/ring.h"
#include "support/error.h"
#include "trace/sink.h"

namespace deadheat::trace {

inline constexpr uint32_t kTraceVersion = 3;

// A file with instrumented code, with all that is needed to speak of its accesses when the file itself is gone.
struct TraceObject {
  std::string path;
  abi::FileIdentity file = {};
  uint32_t base = 0; // id of its first access slot
  uint32_t slotCount = 0;
  uint32_t functionBase = 0;
  uint32_t functionCount = 0;
  std::vector<uint8_t> models;
  std::vector<uint8_t> notes;

  bool operator==(const TraceObject &) const = default;
};

enum class RecordKind : uint32_t { Command = 1, Object, Words, Ended, Finish };

class TraceWriter {
public:
  // `limit` is in bytes; 0: none. Error: the file cannot be made.
  static Expected<TraceWriter> create(const std::string &path, uint64_t limit);

  TraceWriter(TraceWriter &&other) noexcept;
  TraceWriter &operator=(TraceWriter &&) = delete;
  ~TraceWriter();

  void command(const std::vector<std::string> &words);
  void object(const TraceObject &object);
  void words(ProcessNumber process, ThreadNumber thread, std::span<const uint64_t> words);
  void ended(ProcessNumber process, ThreadNumber thread);
  void finish(); // writes what is gathered, and the mark that nothing is missing

  const std::string &stopped() const { return stopped_; } // why writing stopped; empty: it did not
  uint64_t bytes() const { return written_; }

private:
  using Stream = std::pair<ProcessNumber, ThreadNumber>;
  struct Gathered {
    std::vector<uint64_t> words;
    uint32_t sequence = 0; // of the thread's next record
  };

  TraceWriter(std::string path, int file, uint64_t limit) : path_(std::move(path)), file_(file), limit_(limit) {}
  void flush(const Stream &stream, Gathered &gathered);
  void record(RecordKind kind, Stream stream, uint32_t sequence, std::span<const uint8_t> raw);
  bool writeAll(std::string_view bytes);
  void stop(std::string why);

  std::string path_;
  int file_ = -1;
  uint64_t limit_ = 0;
  uint64_t written_ = 0;
  std::string stopped_;
  std::map<Stream, Gathered> gathered_;
};

struct TraceRecord {
  RecordKind kind = RecordKind::Finish;
  ProcessNumber process;
  ThreadNumber thread;
  bool afterLoss = false; // records of this thread are missing before this one
  std::vector<uint64_t> words;
  std::vector<std::string> command;
  TraceObject object;
};

class TraceReader {
public:
  static Expected<TraceReader> open(const std::string &path);
  // For bytes that are there already; `source` names them in errors.
  static Expected<TraceReader> read(std::unique_ptr<llvm::MemoryBuffer> bytes, const std::string &source);

  // The next whole record; false: there is none.
  bool next(TraceRecord &record);

  uint64_t damagedRecords() const { return damaged_; }
  bool complete() const { return complete_; } // the mark of the end was met

private:
  explicit TraceReader(std::unique_ptr<llvm::MemoryBuffer> bytes);
  bool take(TraceRecord &record);
  bool findNext(); // passes over bytes that are no record

  std::unique_ptr<llvm::MemoryBuffer> bytes_;
  size_t at_ = 0;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> sequences_; // of the next record of each thread
  uint64_t damaged_ = 0;
  bool complete_ = false;
};

} // namespace deadheat::trace
