// How code that goes into an executable passes over a call itself, without asking the runtime.
//
// Every executable has a thread-local word, zero until the runtime stores there where the thread's pauses lie: two numbers for each
// function, of calls and of back edges to pass over. The plain body counts down the first and goes on, unless it was zero already, or the
// word is: then it asks (`enter`), and hands over the word's address as a third argument. The slots of functions that do so say it; the
// runtime of before does not look, and code of before has no such slots.
//
//   cmp active, 0 | jne -> | mov word | test | je ask | lea slot | sub [word + 8 * slot], 1 | jae plain
//
// Eight instructions, three memory references (LiteRace: as many). Longer functions, and back edges, leave all behind the first two to a function of
// their unit, which does the same (docs/design/0064). Shared libraries ask as before: their thread-local memory would
// cost a call, or room that they might not find when they are loaded.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U8 kSlotCountsItself = 2; // in the slot of a function

// What the word holds: the pauses of the function whose slot is at address s begin 8 * s after it, with a carry lost.
inline constexpr U64 nearWord(U64 pausesOfFirst, U64 firstSlot) { return pausesOfFirst - 8 * firstSlot; }

} // namespace deadheat::abi
