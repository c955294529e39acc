#include <cstring>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include "support/file.h"
#include "trace/file.h"
#include "trace/file_format.h"

namespace deadheat::trace {
namespace {

using Bytes = std::span<const uint8_t>;

// Takes numbers and bytes from the front; once something was missing, all that follows is too.
class Fields {
public:
  explicit Fields(Bytes bytes) : bytes_(bytes) {}

  uint64_t number() {
    if (bytes_.size() < 8) return good_ = false, 0;
    uint64_t value = 0;
    for (int index = 0; index != 8; ++index) value |= uint64_t(bytes_[index]) << 8 * index;
    bytes_ = bytes_.subspan(8);
    return value;
  }
  Bytes bytes() {
    uint64_t size = number();
    if (!good_ || size > bytes_.size()) return good_ = false, Bytes();
    Bytes found = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return found;
  }
  std::string text() {
    Bytes found = bytes();
    return {found.begin(), found.end()};
  }
  bool good() const { return good_; }
  bool empty() const { return bytes_.empty(); }

private:
  Bytes bytes_;
  bool good_ = true;
};

bool readCommand(Bytes raw, TraceRecord &record) {
  Fields fields(raw);
  while (fields.good() && !fields.empty()) record.command.push_back(fields.text());
  return fields.good();
}

bool readObject(Bytes raw, TraceRecord &record) {
  Fields fields(raw);
  TraceObject &object = record.object;
  object.path = fields.text();
  object.file = {fields.number(), fields.number(), fields.number()};
  object.base = static_cast<uint32_t>(fields.number());
  object.slotCount = static_cast<uint32_t>(fields.number());
  object.functionBase = static_cast<uint32_t>(fields.number());
  object.functionCount = static_cast<uint32_t>(fields.number());
  Bytes models = fields.bytes(), notes = fields.bytes();
  object.models.assign(models.begin(), models.end());
  object.notes.assign(notes.begin(), notes.end());
  constexpr uint32_t kMostSlots = 1 << 26; // as many as ids may be
  return fields.good() && fields.empty() && object.slotCount <= kMostSlots && object.base <= kMostSlots;
}

bool readWords(Bytes raw, TraceRecord &record) {
  record.words.resize(raw.size() / sizeof(uint64_t));
  if (!raw.empty()) std::memcpy(record.words.data(), raw.data(), record.words.size() * sizeof(uint64_t));
  return raw.size() % sizeof(uint64_t) == 0;
}

bool readNothing(Bytes raw, TraceRecord &) { return raw.empty(); }

using Read = bool (*)(Bytes, TraceRecord &);
constexpr Read kReaders[] = {nullptr, readCommand, readObject, readWords, readNothing, readNothing};

bool isSound(const RecordHeader &header, uint64_t left) {
  return header.magic == kRecordMagic && header.headerChecksum == headerChecksum(header) && header.kind != 0 &&
         header.kind < std::size(kReaders) && header.rawSize <= kMaxRawSize && header.payloadSize <= left &&
         padded(header.payloadSize) <= left;
}

bool expand(Bytes payload, uint64_t rawSize, llvm::SmallVectorImpl<uint8_t> &raw) {
  if (rawSize == 0 || payload.empty()) return rawSize == 0 && payload.empty();
  llvm::Error failed = llvm::compression::zstd::decompress({payload.data(), payload.size()}, raw, rawSize);
  bool good = !failed;
  llvm::consumeError(std::move(failed));
  return good && raw.size() == rawSize;
}

} // namespace

TraceReader::TraceReader(std::unique_ptr<llvm::MemoryBuffer> bytes)
    : bytes_(std::move(bytes)), at_(sizeof(FileHeader)) {}

Expected<TraceReader> TraceReader::open(const std::string &path) {
  auto file = readFile(path);
  if (!file) return std::unexpected(file.error());
  return read(std::move(*file), path);
}

Expected<TraceReader> TraceReader::read(std::unique_ptr<llvm::MemoryBuffer> bytes, const std::string &source) {
  FileHeader header = {};
  if (bytes->getBufferSize() < sizeof(header) ||
      std::memcmp(bytes->getBufferStart(), kFileMagic, sizeof(kFileMagic)) != 0)
    return fail(source + ": it is no trace", "name a file that deadheat run --keep-trace wrote");
  std::memcpy(&header, bytes->getBufferStart(), sizeof(header));
  if (header.version != kTraceVersion)
    return fail(source + ": it is a trace of version " + std::to_string(header.version) +
                    ", this program reads version " + std::to_string(kTraceVersion),
                "use the Deadheat that wrote it");
  return TraceReader(std::move(bytes));
}

bool TraceReader::findNext() {
  const char *begin = bytes_->getBufferStart();
  size_t size = bytes_->getBufferSize();
  bool wasDamaged = false;
  for (; at_ + sizeof(RecordHeader) <= size; at_ += kAlignment) {
    RecordHeader header;
    std::memcpy(&header, begin + at_, sizeof(header));
    if (isSound(header, size - at_ - sizeof(header))) break;
    wasDamaged = true;
  }
  bool found = at_ + sizeof(RecordHeader) <= size;
  if (!found && at_ < size) wasDamaged = true; // the rest of a record that was cut off
  if (!found) at_ = size;
  damaged_ += wasDamaged;
  return found;
}

// At a header that is sound. False: the payload is not.
bool TraceReader::take(TraceRecord &record) {
  RecordHeader header;
  const char *begin = bytes_->getBufferStart();
  std::memcpy(&header, begin + at_, sizeof(header));
  Bytes payload(reinterpret_cast<const uint8_t *>(begin) + at_ + sizeof(header), header.payloadSize);
  at_ += sizeof(header) + padded(header.payloadSize);
  record = TraceRecord();
  record.kind = static_cast<RecordKind>(header.kind);
  record.process = ProcessNumber(header.process);
  record.thread = ThreadNumber(header.thread);
  llvm::SmallVector<uint8_t> raw;
  if (checksum({payload.data(), payload.size()}) != header.payloadChecksum || !expand(payload, header.rawSize, raw))
    return false;
  if (record.kind == RecordKind::Words || record.kind == RecordKind::Ended) {
    uint32_t &expected = sequences_[{header.process, header.thread}];
    record.afterLoss = header.sequence != expected;
    expected = header.sequence + 1;
  }
  return kReaders[header.kind]({raw.data(), raw.size()}, record);
}

bool TraceReader::next(TraceRecord &record) {
  while (findNext()) {
    if (!take(record)) {
      ++damaged_;
      continue;
    }
    complete_ |= record.kind == RecordKind::Finish;
    return true;
  }
  return false;
}

} // namespace deadheat::trace
