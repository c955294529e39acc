// Puts the events of a process's threads into one order that its synchronisation allows.
//
// Claim   The order extends that of each thread, that of the stamps of each counter, and what threads have by being created
//         and ended; a Pair comes after the Piece that its earlier access belongs to. It depends on nothing but the words and the sequence of calls.
// Assumes stamps of a counter are dense from 1 (abi/event.h). One that is missing is waited for; it is given up, and
//         counted as a gap, when nothing else can go on: after finish(), or when more than `maxPending` words have gathered
//         behind it. So a thread that was killed between taking a stamp and telling it holds up nothing for ever.
// Cost    Constant time per event and wake-up; memory for the words that wait.
//         Where something was given up a Gap event says so: order across it is unknown.
#pragma once

#include <bitset>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "trace/decode.h"

namespace deadheat::trace {

// What could not be read or put in order.
struct MergeGaps {
  uint64_t damagedWords = 0;
  uint64_t lostEvents = 0;     // told by Gap events
  uint64_t missingStamps = 0;  // given up
  uint64_t missingThreads = 0; // begun without a Spawn, or joined without an End
  uint64_t missingPieces = 0;  // that a Pair speaks of

  uint64_t total() const { return damagedWords + lostEvents + missingStamps + missingThreads + missingPieces; }
  MergeGaps &operator+=(const MergeGaps &other);
};

class Merger {
public:
  using Take = llvm::function_ref<void(const Event &)>;

  static constexpr size_t kMaxPending = size_t(64) << 20; // words

  explicit Merger(size_t maxPending = kMaxPending) : nextStamp_(abi::kStampCounters, 1), maxPending_(maxPending) {}

  void add(ThreadNumber thread, std::span<const uint64_t> words);

  // This thread writes no more.
  void end(ThreadNumber thread);

  // Hands out what is in order by now.
  void drain(Take take);

  // No thread writes any more: hands out all that is left.
  void finish(Take take);

  // Every thread that was ever seen has ended, and all it told was handed out.
  bool allEnded();

  MergeGaps gaps() const;

private:
  struct Stream {
    explicit Stream(ThreadNumber number) : decoder(number) {}
    Decoder decoder;
    Event front; // decoded, not handed out
    bool hasFront = false;
    bool queued = false; // in ready_
    bool blocked = false;
    bool ended = false;

    bool isDone() const;
  };

  static constexpr uint64_t kPiecesPerRow = 512;
  using PieceBits = std::bitset<kPiecesPerRow>;

  Stream &streamOf(ThreadNumber thread);
  void wake(Stream &stream);
  void advance(Stream &stream, Take take);
  bool holdBack(Stream &stream); // true: its front must wait
  bool holdBackStamp(Stream &stream);
  bool holdBackThread(Stream &stream);
  bool holdBackPair(Stream &stream);
  void pass(Stream &stream, Take take);
  void passThread(const Event &event);
  void passPiece(uint64_t piece);
  bool giveUpOne(Take take);
  void giveUpStamp(Take take);
  void tellGap(const Stream &stream, uint64_t lost, Take take);
  size_t pendingWords() const;
  bool isOverfull();

  std::map<ThreadNumber, std::unique_ptr<Stream>> streams_;
  std::deque<Stream *> ready_;
  std::vector<uint64_t> nextStamp_;                           // by counter
  std::map<std::pair<uint32_t, uint64_t>, Stream *> atStamp_; // (counter, stamp) -> who waits for it
  std::map<uint32_t, Stream *> atSpawn_;                      // thread number -> its stream, not announced yet
  std::map<uint32_t, std::vector<Stream *>> atEnd_;           // thread number -> who joins it
  std::multimap<uint64_t, Stream *> atPiece_;                 // piece -> whose Pair speaks of it
  llvm::DenseMap<uint64_t, PieceBits> pieces_;                // told so far, by their upper bits
  llvm::DenseSet<uint32_t> spawned_;
  llvm::DenseSet<uint32_t> ended_;
  MergeGaps gaps_;
  size_t maxPending_;
  size_t mostPending_ = 0; // words that wait, at most
  Stream *open_ = nullptr; // one that had not ended
};

} // namespace deadheat::trace
