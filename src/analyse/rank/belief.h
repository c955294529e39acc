// What the program itself believes: which lock is held where a variable is accessed.
//
// Assumes that most of a program is right: a variable that is guarded at nearly all its accesses is meant to be.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "analyse/race/world.h"

namespace deadheat::analyse {

// A field of a type wherever it is, or one location.
using VariableKey = std::tuple<uint32_t, uint32_t, int64_t>;
VariableKey variableOf(const World &world, const WorldAccess &access);

struct Belief {
  uint32_t accesses = 0;
  uint32_t guarded = 0;  // by the lock that is held most often
  std::string lock = {}; // its name; empty: none
  bool isHeld() const { return accesses >= 3 && guarded * 3 >= accesses * 2; }
};

class Beliefs {
public:
  explicit Beliefs(const World &world);
  const Belief &of(const World &world, const WorldAccess &access) const {
    return beliefs_.at(variableOf(world, access));
  }

private:
  std::map<VariableKey, Belief> beliefs_;
};

// As the source calls it.
std::string lockName(const World &world, Address lock);

} // namespace deadheat::analyse
