// What a process remembers of its own memory while every access is watched: four accesses for every eight bytes, in a shadow
// that only it sees (abi/cells.h). One is told where two threads meet (Pair), in a word that both ends know:
//
//   63 .. 53 owner | 52 .. 33 piece | 32 .. 11 spot | 9 writes | 8 plain | 7 .. 0 the bytes of the eight
//
// An owner is a number that a thread has for some time, a piece a stretch of its execution that ends where it lets others go
// on or takes a lock, a spot an access in its calling context. What a number means is told before any cell has it (Piece, Spot).
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U32 kGranule = 8;

inline constexpr U32 kSpotBits = 22;
inline constexpr U32 kPieceBits = 20;
inline constexpr U32 kOwnerBits = 11;
inline constexpr U32 kSpotShift = 11;
inline constexpr U32 kPieceShift = kSpotShift + kSpotBits;
inline constexpr U32 kOwnerShift = kPieceShift + kPieceBits;
static_assert(kOwnerShift + kOwnerBits == 64);

inline constexpr U32 kOwners = 1 << kOwnerBits;
inline constexpr U32 kMostPieces = 1 << kPieceBits;
inline constexpr U32 kMostSpots = 1 << kSpotBits;
inline constexpr U32 kSpotWindow = 8; // spots of neighbouring accesses have numbers in a row, not all of which are told

// What an access does, as the low bits of its cell.
inline constexpr U64 kBytesMask = 0xff;
inline constexpr U64 kPlain = 1 << 8; // not atomic
inline constexpr U64 kWrites = 1 << 9;
inline constexpr U64 kDeedMask = kBytesMask | kPlain | kWrites;

inline constexpr U64 makeCell(U32 owner, U32 piece, U32 spot, U64 deed) {
  return static_cast<U64>(owner) << kOwnerShift | static_cast<U64>(piece) << kPieceShift |
         static_cast<U64>(spot) << kSpotShift | deed;
}
inline constexpr U32 cellOwner(U64 cell) { return static_cast<U32>(cell >> kOwnerShift); }
inline constexpr U32 cellPiece(U64 cell) { return static_cast<U32>(cell >> kPieceShift) & (kMostPieces - 1); }
inline constexpr U32 cellSpot(U64 cell) { return static_cast<U32>(cell >> kSpotShift) & (kMostSpots - 1); }

// Whatever conflicts with `old` conflicts with `now` too.
inline constexpr bool deedCovers(U64 now, U64 old) { return (old & ~now & kDeedMask) == 0; }
inline constexpr bool deedsConflict(U64 left, U64 right) {
  return (left & right & kBytesMask) != 0 && ((left | right) & kWrites) != 0 && ((left | right) & kPlain) != 0;
}

// The payload of Piece: which owner begins which piece. `term`: how often the owner's numbers for them had been used up before.
inline constexpr U64 piecePayload(U32 term, U32 owner, U32 piece) {
  return static_cast<U64>(term & 0xffff) << (kOwnerBits + kPieceBits) | static_cast<U64>(owner) << kPieceBits | piece;
}
inline constexpr U64 piecePayload(U32 owner, U32 piece) {
  return piecePayload(piece >> kPieceBits, owner, piece & (kMostPieces - 1));
}
inline constexpr U64 pieceOfCell(U32 term, U64 cell) { return piecePayload(term, cellOwner(cell), cellPiece(cell)); }

// Of the first word of Spot: a library call, known by its return address; and one that frees.
inline constexpr U64 kSpotIsCall = U64(1) << 63;
inline constexpr U64 kSpotFrees = U64(1) << 62;

} // namespace deadheat::abi
