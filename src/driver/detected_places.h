// What the numbers of a detection mean: places in the source, stacks, threads, locks.
//
// Claim   The place of an access is that of the innermost frame in the user's own files, as far as models and debug
//         information know it; of a late access that stands for several sites, one in the user's files of the same member
//         as the other side's, if there is one.
// Misses  Of a library function that was inlined into the user's at several calls, which of them it was (call_path.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "detect/detection.h"
#include "driver/run_code.h"
#include "finding/finding.h"
#include "symbol/source_lines.h"

namespace deadheat::driver {

class DetectedPlaces {
public:
  DetectedPlaces(const detect::Detection &detection, const RunCode &code, symbol::LineReader &lines);

  // A write may carry a read of the same bytes (model/late_sites.h): that is shown where it is asked for.
  enum class Show : bool { Itself, CarriedRead };
  bool carriesRead(const detect::RaceSide &side) const;
  finding::Access side(const detect::RaceSide &side, const detect::RaceSide &other, Show show = Show::Itself);
  finding::CycleEdge edge(const detect::LockEdge &edge);
  finding::Place allocation(uint64_t address); // of the block in which it lies, if it is known
  bool isVariable(uint64_t address);           // of static storage
  finding::ProgramThread thread(trace::ThreadNumber number);
  bool hasTwin(trace::ThreadNumber number); // another thread was created at the same place, to do the same
  std::string lockName(detect::LockId lock);

  std::vector<finding::ProgramThread> threads(); // each once, by place of creation
  std::vector<finding::ProgramLock> locks();

private:
  using Frames = std::vector<finding::Frame>;

  void describeAccess(const detect::RaceSide &side, const detect::RaceSide &other, Show show, finding::Access &access);
  void describeCall(const detect::RaceSide &side, finding::Access &access);
  void nameCall(const detect::StackFrame &caller, finding::Access &access);
  void nameObject(const finding::Frame &shown, detect::StackId stack, finding::Access &access);
  void nameThread(trace::ThreadNumber number, const Frames &stack);
  void describeThread(detect::StackId stack, finding::Access &access);
  Frames callers(const std::vector<detect::StackFrame> &stack, size_t first);
  Frames framesAt(uint64_t returnAddress);
  finding::Frame functionFrame(uint64_t function) const;
  finding::Frame siteFrame(const model::Unit &unit, model::SiteId site) const;
  std::string entryOf(const detect::ThreadFacts &facts);
  std::pair<std::string, uint64_t> object(uint64_t address) const; // file and link-time address; "": no object's

  const detect::Detection &detection_;
  const RunCode &code_;
  symbol::LineReader &lines_;
  std::map<uint64_t, uint32_t> byBias_; // what link-time addresses lack -> object
  std::map<trace::ThreadNumber, finding::ProgramThread> threads_;
};

} // namespace deadheat::driver
