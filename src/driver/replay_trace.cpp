#include "driver/replay_trace.h"

#include "driver/run_detection.h"

namespace deadheat::driver {

using trace::RecordKind;
using trace::TraceRecord;

trace::TraceObject toTrace(const ObjectImage &image) {
  const RunObject &object = image.object;
  return {object.path,         object.file,          object.base,  object.slotCount,
          object.functionBase, object.functionCount, image.models, image.notes};
}

ObjectImage fromTrace(trace::TraceObject object) {
  RunObject run{std::move(object.path), object.file,         object.base,
                object.slotCount,       object.functionBase, object.functionCount};
  std::string missing = object.notes.empty() ? run.path + " could not be read when it ran" : "";
  return {std::move(run), std::move(object.models), std::move(object.notes), std::move(missing), {}};
}

// Where records of a thread are missing, what it told before and after has no order that could be believed.
static void replayWords(const TraceRecord &record, RunDetection &detection) {
  const uint64_t gap = abi::eventWord(abi::EventKind::Gap, 1);
  if (record.afterLoss) detection.words(record.process, record.thread, std::span(&gap, 1));
  if (!record.words.empty()) detection.words(record.process, record.thread, record.words);
}

Expected<Replayed> replayTrace(const std::string &path, RunDetection &detection) {
  auto reader = trace::TraceReader::open(path);
  if (!reader) return std::unexpected(reader.error());
  Replayed replayed;
  for (TraceRecord record; reader->next(record); detection.hand()) {
    if (record.kind == RecordKind::Command) replayed.command = std::move(record.command);
    if (record.kind == RecordKind::Object) detection.addObject(fromTrace(std::move(record.object)));
    if (record.kind == RecordKind::Words || record.kind == RecordKind::Ended) replayWords(record, detection);
    if (record.kind == RecordKind::Ended) detection.ended(record.process, record.thread);
  }
  replayed.damagedRecords = reader->damagedRecords();
  replayed.complete = reader->complete();
  return replayed;
}

} // namespace deadheat::driver
