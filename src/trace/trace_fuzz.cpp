// Any bytes are a trace or an Error. Checksums stop nearly every changed record at the door, so what follows the first byte
// is also read as what a record holds inside: words.
#include <cstring>

#include "trace/file.h"
#include "trace/merge.h"
#include "trace/text.h"

using namespace deadheat;
using namespace deadheat::trace;

static void merge(std::span<const uint64_t> words) {
  Merger merger(1000);
  auto take = [](const Event &event) { DEADHEAT_CHECK(!eventText(event).empty()); };
  size_t half = words.size() / 2;
  merger.add(ThreadNumber(1), words.first(half));
  merger.drain(take);
  merger.add(ThreadNumber(2), words.subspan(half));
  merger.finish(take);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (auto reader = TraceReader::read(llvm::MemoryBuffer::getMemBufferCopy(bytes), "fuzz")) {
    for (TraceRecord record; reader->next(record);) merge(record.words);
    return 0;
  }
  std::vector<uint64_t> words(size / sizeof(uint64_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(uint64_t));
  merge(words);
  return 0;
}
