// Which field of which type an access site touches, as one number for the whole program.
//
// Two accesses to fields of different types do not touch the same bytes, whatever points-to says: in C and C++ as they
// are written, memory has one type at a time. Ranges (memcpy, memset) have no field.
#pragma once

#include <cstdint>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

class Fields {
public:
  explicit Fields(const link::Program &program);

  uint32_t of(link::UnitId unit, model::SiteId site) const { return bySite_[unit.value()][site.value()]; }
  // Neither is unknown, and the types that hold them differ.
  bool differ(uint32_t a, uint32_t b) const { return a != 0 && b != 0 && typeOf_[a] != typeOf_[b]; }
  uint32_t holder(uint32_t field) const { return typeOf_[field]; } // the type that holds it; 0: not known
  static bool mayMeet(uint32_t a, uint32_t b) { return a == 0 || b == 0 || a == b; }

private:
  std::vector<std::vector<uint32_t>> bySite_; // [unit][site]; 0: none
  std::vector<uint32_t> typeOf_;              // [field]
};

} // namespace deadheat::analyse
