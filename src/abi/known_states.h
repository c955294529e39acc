// What a state says (known.h), how it is kept in memory that threads share, and how two of them compare.
//
// Cost    A row of two lines of memory for each state that is kept, up to kNearKnowers threads; beyond, as much again for each of them.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U32 kKnowerBits = 6;
inline constexpr U32 kKnowers = (1 << kKnowerBits) - 1;
inline constexpr U32 kNoKnower = kKnowers; // in ids: of several, or of a thread that has no place
inline constexpr U32 kRowBits = 13;        // states of which more is kept than their ids

// For each place: how much of its thread is known. The last, of kNoKnower, is always 0.
using Counts = U32[kKnowers + 1];

struct Known {
  Counts before;     // stretches
  Counts hard;       // stretches
  Counts states;     // that it gave
  Counts hardStates; // that it gave
};

inline constexpr U32 kNearKnowers = 7;

// Where a state is kept: what it says of the first threads beside its id, as most programs have no others; the rest in another table,
// which takes memory only then.
struct alignas(64) StateRow {
  U64 id;                    // 0: none; all ones: is being written
  bool isOpaque;             // says less than it stands for: always learnt
  bool isJoint;              // of several threads' givings
  U32 near[4][kNearKnowers]; // of what Known has, in its order
};
static_assert(sizeof(StateRow) == 128);

struct FarCounts {
  U32 counts[4][kKnowers - kNearKnowers];
};

// All zero at the beginning.
struct StateRows {
  StateRow rows[1 << kRowBits];
  FarCounts far[1 << kRowBits];

  U32 &count(U64 row, U32 kind, U32 place) {
    return place < kNearKnowers ? rows[row].near[kind][place] : far[row].counts[kind][place - kNearKnowers];
  }
};

// A copy of one.
struct State {
  bool isOpaque;
  bool isJoint;
  U32 count; // of places; further ones are not set
  Known known;
};

// A state's id: which of its giver's, and the giver's place.
inline constexpr U64 stateId(U32 which, U32 place) { return static_cast<U64>(which) << kKnowerBits | place; }
inline constexpr U32 statePlace(U64 id) { return static_cast<U32>(id & kNoKnower); }
inline constexpr U32 stateNumber(U64 id) { return static_cast<U32>(id >> kKnowerBits); }

inline bool covers(const Counts &one, const Counts &other, U32 count) {
  bool all = true;
  for (U32 at = 0; at != count; ++at) all &= one[at] >= other[at];
  return all;
}

inline void addCounts(Counts &to, const Counts &from, U32 count) {
  for (U32 at = 0; at != count; ++at) to[at] = to[at] < from[at] ? from[at] : to[at];
}

inline bool saysAll(const State &one, const State &other) {
  return covers(one.known.before, other.known.before, other.count) &&
         covers(one.known.hard, other.known.hard, other.count);
}

template <typename KnownOrConst, typename Visit> void eachCounts(KnownOrConst &known, Visit visit) {
  visit(known.before, 0);
  visit(known.hard, 1);
  visit(known.states, 2);
  visit(known.hardStates, 3);
}

// Of places that were never given all counts are zero, in every row. So a copy may be made longer.
inline void lengthen(State &state, U32 count) {
  eachCounts(state.known, [&](Counts &counts, U32) {
    for (U32 at = state.count; at < count; ++at) counts[at] = 0;
  });
  if (state.count < count) state.count = count;
}

} // namespace deadheat::abi
