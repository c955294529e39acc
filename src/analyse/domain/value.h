// Symbolic values (RELAY, Fig. 2): bottom, a constant, must(o), may(os), top. init(o) is must of the node Load(o).
//
// Claim   join is the least upper bound; a value can climb at most kMaxTargets + 3 times, so every fixed point ends.
// Assumes a null pointer is never dereferenced: 0 joined with an address is that address, or null.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"

#include "analyse/domain/path.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxTargets = 4; // of may(os); more is top

class Value {
public:
  enum class Kind : uint8_t { Bottom, Number, Pointer, Top };
  using Targets = llvm::SmallVector<Address, 1>; // most are one: states hold many values, and are copied all the time

  Value() = default;
  static Value top();
  static Value number(int64_t number);
  static Value must(Address target);

  Kind kind() const { return kind_; }
  bool isBottom() const { return kind_ == Kind::Bottom; }
  bool isTop() const { return kind_ == Kind::Top; }
  bool isNumber() const { return kind_ == Kind::Number; }
  bool isPointer() const { return kind_ == Kind::Pointer; }
  int64_t number() const { return number_; }
  const Targets &targets() const { return targets_; } // sorted, unique; one: must, more: may
  bool isMust() const { return targets_.size() == 1; }
  bool mayBeNull() const { return mayBeNull_; } // a pointer that is null on some way
  Value orNull() const;

  Value moved(int64_t bytes) const;
  static Value join(const Value &a, const Value &b);
  bool operator==(const Value &) const = default;

private:
  Kind kind_ = Kind::Bottom;
  bool mayBeNull_ = false;
  int64_t number_ = 0;
  Targets targets_;
};

} // namespace deadheat::analyse
