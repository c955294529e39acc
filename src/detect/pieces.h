// What the detector keeps of the pieces of threads, so that an access which the program remembered (abi/shadow.h) can be judged
// long after: where its thread stood then, by each order, and which locks it held.
//
// Claim   A piece that was told is found until kMaxRows rows of younger ones were told.
// Cost    Forty bytes a piece; one look-up in a hash table to find it.
#pragma once

#include <array>
#include <deque>
#include <memory>

#include "llvm/ADT/DenseMap.h"

#include "detect/clock.h"
#include "detect/locks.h"

namespace deadheat::detect {

struct PieceFacts {
  trace::ThreadNumber thread; // not valid: not told
  LockSetId locks;
  Tick happensBefore = 0, hard = 0, handed = 0;
  Slot slot = 0;
  std::shared_ptr<const Clock> given; // by what critical sections hand over; none: no lock is held
};

class PieceTable {
public:
  static constexpr uint64_t kRow = 512;
  static constexpr size_t kMaxRows = 8192;

  void add(uint64_t piece, PieceFacts facts) {
    std::unique_ptr<Row> &row = rows_[piece / kRow];
    if (!row) {
      row = std::make_unique<Row>();
      age_.push_back(piece / kRow);
    }
    (*row)[piece % kRow] = std::move(facts);
    if (age_.size() <= kMaxRows) return;
    rows_.erase(age_.front());
    age_.pop_front();
  }

  const PieceFacts *find(uint64_t piece) const {
    auto row = rows_.find(piece / kRow);
    if (row == rows_.end() || !(*row->second)[piece % kRow].thread.valid()) return nullptr;
    return &(*row->second)[piece % kRow];
  }

private:
  using Row = std::array<PieceFacts, kRow>;
  llvm::DenseMap<uint64_t, std::unique_ptr<Row>> rows_;
  std::deque<uint64_t> age_; // of rows
};

// What the numbers of a thread mean. Kept after its end: its accesses are still remembered.
struct ThreadPlaces {
  struct Spot {
    uint64_t what = 0; // access id, or a call (abi::kSpotIsCall)
    uint32_t context = 0;
  };
  std::vector<StackId> contexts; // by number; the first is the thread's own begin
  std::vector<Spot> spots;       // by number
};

} // namespace deadheat::detect
