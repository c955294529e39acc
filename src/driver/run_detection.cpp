#include "driver/run_detection.h"

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

#include "driver/replay_trace.h"

namespace deadheat::driver {

detect::DetectorOptions detectorOptions(const CommonOptions &common) {
  detect::DetectorOptions options;
  options.jobs = common.jobs != 0 ? common.jobs : std::max(1u, std::thread::hardware_concurrency());
  return options;
}

// Races that are compared are observed ones.
static detect::DetectorOptions optionsFor(bool compare, detect::DetectorOptions options) {
  options.predict = options.predict && !compare;
  return options;
}

RunDetection::RunDetection(detect::DetectorOptions options, ModelPool &models, trace::TraceWriter *writer, bool compare)
    : options_(optionsFor(compare, options)), models_(models), writer_(writer), compare_(compare),
      worker_([this] { work(); }) {}

RunDetection::~RunDetection() { stop(); }

void RunDetection::words(trace::ProcessNumber process, trace::ThreadNumber thread, std::span<const uint64_t> words) {
  gathering_.chunks.push_back({process, thread, {words.begin(), words.end()}, false});
  gathering_.words += words.size();
}

void RunDetection::ended(trace::ProcessNumber process, trace::ThreadNumber thread) {
  gathering_.chunks.push_back({process, thread, {}, true});
}

void RunDetection::addObject(const ObjectImage &image) { gathering_.objects.push_back(image); }

void RunDetection::hand() {
  if (gathering_.chunks.empty() && gathering_.objects.empty()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waitingWords_ < kMaxWaiting; });
  waitingWords_ += gathering_.words;
  waiting_.push_back(std::exchange(gathering_, {}));
  changed_.notify_all();
}

void RunDetection::ask() {
  std::lock_guard lock(mutex_);
  asked_ = true;
  changed_.notify_all();
}

// The program comes first: what it tells waits in memory until there is time, as far as kMaxWaiting goes.
void RunDetection::work() {
  constexpr int kNice = 5; // of this thread, and of those that it starts
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || asked_ || !waiting_.empty(); });
    if (stopping_ && waiting_.empty()) return;
    std::vector<Batch> batches = std::exchange(waiting_, {});
    waitingWords_ = 0;
    const bool asked = std::exchange(asked_, false);
    changed_.notify_all();
    lock.unlock();
    for (const Batch &batch : batches) apply(batch);
    if (asked && report_) report();
    lock.lock();
  }
}

void RunDetection::report() {
  std::vector<detect::Detection> detections;
  for (const auto &[number, parts] : finished_) std::ranges::copy(parts, std::back_inserter(detections));
  for (const auto &[number, process] : processes_) detections.push_back(process->detector.soFar());
  report_(detections, code_);
}

void RunDetection::store(const Batch &batch) {
  for (const ObjectImage &image : batch.objects) writer_->object(toTrace(image));
  for (const Chunk &chunk : batch.chunks)
    if (chunk.ended)
      writer_->ended(chunk.process, chunk.thread);
    else
      writer_->words(chunk.process, chunk.thread, chunk.words);
}

void RunDetection::apply(const Batch &batch) {
  if (writer_) store(batch);
  if (storeOnly_) return;
  for (const ObjectImage &image : batch.objects) code_.add(image, models_);
  for (const Chunk &chunk : batch.chunks) apply(chunk);
}

void RunDetection::Process::apply(const trace::Event &event) {
  detector.apply(event);
  if (comparison) comparison->apply(event);
}

void RunDetection::apply(const Chunk &chunk) {
  std::unique_ptr<Process> &process = processes_[chunk.process];
  if (!process) {
    process = std::make_unique<Process>(code_.shapes(), options_);
    if (compare_) process->comparison = std::make_unique<detect::Comparison>(code_.shapes(), options_);
  }
  if (chunk.ended)
    process->merger.end(chunk.thread);
  else
    process->merger.add(chunk.thread, chunk.words);
  process->merger.drain([&](const trace::Event &event) { process->apply(event); });
  if (chunk.ended && process->merger.allEnded()) finish(chunk.process);
}

void RunDetection::finish(trace::ProcessNumber number) {
  Process &process = *processes_.at(number);
  process.merger.finish([&](const trace::Event &event) { process.apply(event); });
  detect::Detection detection = process.detector.finish();
  if (process.comparison) process.comparison->finish(detection, comparison_);
  detection.gaps = process.merger.gaps();
  finished_[number].push_back(std::move(detection));
  processes_.erase(number);
}

void RunDetection::stop() {
  if (!worker_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  worker_.join();
}

std::vector<detect::Detection> RunDetection::finish() {
  hand();
  stop();
  while (!processes_.empty()) finish(processes_.begin()->first);
  std::vector<detect::Detection> detections;
  for (auto &[number, parts] : finished_) std::ranges::move(parts, std::back_inserter(detections));
  return detections;
}

} // namespace deadheat::driver
