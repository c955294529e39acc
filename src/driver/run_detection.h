// Detection while a program runs: a thread of its own that is given words as the rings are drained. It also stores them, if
// that is wanted.
//
// Claim   Words are looked at only after the objects that they speak of were added: what came since the last hand() waits.
//         finish() returns one detection per process that told anything, by process number. A process whose threads have
//         all ended is finished at once, so that a test suite of many processes needs the memory of one.
// Cost    The words that wait: if more than kMaxWaiting have gathered, words() waits, and so, in the end, does the program.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "detect/comparison.h"
#include "detect/detector.h"
#include "driver/common_options.h"
#include "driver/run_code.h"
#include "trace/file.h"
#include "trace/merge.h"
#include "trace/sink.h"

namespace deadheat::driver {

detect::DetectorOptions detectorOptions(const CommonOptions &common);

class RunDetection : public trace::EventSink {
public:
  static constexpr size_t kMaxWaiting = size_t(4) << 20; // words

  // `writer`, if given, must live as long.
  RunDetection(detect::DetectorOptions options, ModelPool &models, trace::TraceWriter *writer = nullptr,
               bool compare = false);
  ~RunDetection() override;

  void words(trace::ProcessNumber process, trace::ThreadNumber thread, std::span<const uint64_t> words) override;
  void ended(trace::ProcessNumber process, trace::ThreadNumber thread) override;
  void addObject(const ObjectImage &image);
  void hand(); // what came since the last time goes to the detector

  // ask() has the worker call `report`, on its own thread, with what was found until now.
  using Report = std::function<void(const std::vector<detect::Detection> &, const RunCode &)>;
  void whenAsked(Report report) { report_ = std::move(report); } // before the first words
  void ask();

  // Words are stored and not looked at.
  void storeOnly() { storeOnly_ = true; } // before the first words

  std::vector<detect::Detection> finish();
  const RunCode &code() const { return code_; }                              // after finish()
  const detect::ComparisonTotals &comparison() const { return comparison_; } // after finish()

private:
  struct Chunk {
    trace::ProcessNumber process;
    trace::ThreadNumber thread;
    std::vector<uint64_t> words;
    bool ended = false;
  };
  struct Batch {
    std::vector<ObjectImage> objects;
    std::vector<Chunk> chunks;
    size_t words = 0;
  };
  struct Process {
    Process(const trace::AccessShapes &shapes, detect::DetectorOptions options) : detector(shapes, options) {}
    void apply(const trace::Event &event);

    trace::Merger merger;
    detect::Detector detector;
    std::unique_ptr<detect::Comparison> comparison; // none: not wanted
  };

  void work();
  void apply(const Batch &batch);
  void apply(const Chunk &chunk);
  void store(const Batch &batch);
  void report();
  void finish(trace::ProcessNumber number);
  void stop();

  detect::DetectorOptions options_;
  ModelPool &models_;
  trace::TraceWriter *writer_;
  bool compare_;
  detect::ComparisonTotals comparison_;
  RunCode code_;
  std::map<trace::ProcessNumber, std::unique_ptr<Process>> processes_; // the worker's
  std::map<trace::ProcessNumber, std::vector<detect::Detection>> finished_;
  Batch gathering_; // the caller's

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> waiting_;
  size_t waitingWords_ = 0;
  bool stopping_ = false;
  bool asked_ = false;
  bool storeOnly_ = false;
  Report report_;
  std::thread worker_;
};

} // namespace deadheat::driver
