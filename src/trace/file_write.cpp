#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"

#include "support/file_limit.h"
#include "trace/file.h"
#include "trace/file_format.h"

namespace deadheat::trace {
namespace {

constexpr size_t kGather = size_t(1) << 15; // words of a thread before they become a record
constexpr int kLevel = llvm::compression::zstd::BestSpeedCompression;

void putNumber(std::vector<uint8_t> &bytes, uint64_t number) {
  for (int shift = 0; shift != 64; shift += 8) bytes.push_back(static_cast<uint8_t>(number >> shift));
}

template <typename Bytes> void putBytes(std::vector<uint8_t> &bytes, const Bytes &more) {
  putNumber(bytes, more.size());
  bytes.insert(bytes.end(), more.begin(), more.end());
}

} // namespace

Expected<TraceWriter> TraceWriter::create(const std::string &path, uint64_t limit) {
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return fail(path + ": " + std::strerror(errno), "name a file that can be written after --keep-trace");
  TraceWriter writer(path, file, limit);
  FileHeader header{{}, kTraceVersion, sizeof(FileHeader)};
  std::memcpy(header.magic, kFileMagic, sizeof(kFileMagic));
  writer.writeAll({reinterpret_cast<const char *>(&header), sizeof(header)});
  return writer;
}

TraceWriter::TraceWriter(TraceWriter &&other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), limit_(other.limit_),
      written_(other.written_), stopped_(std::move(other.stopped_)), gathered_(std::move(other.gathered_)) {}

TraceWriter::~TraceWriter() {
  if (file_ >= 0) close(file_);
}

void TraceWriter::stop(std::string why) {
  if (stopped_.empty()) stopped_ = path_ + ": " + std::move(why) + ": nothing more is stored; the program went on";
  gathered_.clear();
}

// A record that could not be written whole is cut off again, so that the file ends with a whole one.
bool TraceWriter::writeAll(std::string_view bytes) {
  if (limit_ != 0 && written_ + bytes.size() > limit_) return stop("the limit of --max-log is reached"), false;
  FileSizeSignalIgnored guard;
  for (size_t done = 0; done != bytes.size();) {
    ssize_t count = write(file_, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      stop(std::strerror(count < 0 ? errno : ENOSPC));
      if (ftruncate(file_, static_cast<off_t>(written_)) != 0) return false; // the reader passes over it
      return false;
    }
    done += static_cast<size_t>(count);
  }
  written_ += bytes.size();
  return true;
}

void TraceWriter::record(RecordKind kind, Stream stream, uint32_t sequence, std::span<const uint8_t> raw) {
  if (!stopped_.empty()) return;
  llvm::SmallVector<uint8_t> payload;
  if (!raw.empty()) llvm::compression::zstd::compress({raw.data(), raw.size()}, payload, kLevel);
  RecordHeader header{kRecordMagic,
                      static_cast<uint32_t>(kind),
                      stream.first.value(),
                      stream.second.value(),
                      sequence,
                      0,
                      payload.size(),
                      raw.size(),
                      checksum(payload),
                      0};
  header.headerChecksum = headerChecksum(header);
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof(header));
  bytes.append(payload.begin(), payload.end());
  bytes.resize(padded(bytes.size()));
  writeAll(bytes);
}

void TraceWriter::command(const std::vector<std::string> &words) {
  std::vector<uint8_t> bytes;
  for (const std::string &word : words) putBytes(bytes, word);
  record(RecordKind::Command, {}, 0, bytes);
}

void TraceWriter::object(const TraceObject &object) {
  std::vector<uint8_t> bytes;
  putBytes(bytes, object.path);
  for (uint64_t number : {object.file.device, object.file.inode, object.file.modified, uint64_t(object.base),
                          uint64_t(object.slotCount), uint64_t(object.functionBase), uint64_t(object.functionCount)})
    putNumber(bytes, number);
  putBytes(bytes, object.models);
  putBytes(bytes, object.notes);
  record(RecordKind::Object, {}, 0, bytes);
}

void TraceWriter::words(ProcessNumber process, ThreadNumber thread, std::span<const uint64_t> words) {
  if (!stopped_.empty()) return;
  Gathered &gathered = gathered_[{process, thread}];
  gathered.words.insert(gathered.words.end(), words.begin(), words.end());
  if (gathered.words.size() >= kGather) flush({process, thread}, gathered);
}

void TraceWriter::flush(const Stream &stream, Gathered &gathered) {
  std::vector<uint64_t> words = std::exchange(gathered.words, {});
  if (words.empty()) return;
  record(RecordKind::Words, stream, gathered.sequence++,
         {reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint64_t)});
}

void TraceWriter::ended(ProcessNumber process, ThreadNumber thread) {
  Stream stream{process, thread};
  if (!stopped_.empty()) return;
  Gathered gathered = std::move(gathered_[stream]);
  gathered_.erase(stream);
  flush(stream, gathered);
  record(RecordKind::Ended, stream, gathered.sequence, {});
}

void TraceWriter::finish() {
  auto gathered = std::exchange(gathered_, {});
  for (auto &[stream, rest] : gathered) flush(stream, rest);
  record(RecordKind::Finish, {}, 0, {});
}

} // namespace deadheat::trace
