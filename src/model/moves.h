// Which way an atomic update moves what it finds. `number` of AtomicStore and AtomicUpdate has it, above the order.
#pragma once

#include "model/code.h"

namespace deadheat::model {

// By a number, which is taken for positive where it is not known. Any: otherwise, or not told.
enum class Move : uint8_t { Any, Up, Down };

inline constexpr unsigned kMoveShift = 8;

// Of atomic statements and fences.
constexpr Order orderOf(const Statement &row) { return static_cast<Order>(row.number & ((1 << kMoveShift) - 1)); }
constexpr Move moveOf(const Statement &row) { return static_cast<Move>(row.number >> kMoveShift); }

} // namespace deadheat::model
