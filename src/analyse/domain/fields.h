// Which field of which type an access site touches, as one number for the whole program.
//
// Two accesses to fields of different types do not touch the same bytes, whatever points-to says: in C and C++ as they
// are written, memory has one type at a time. Ranges (memcpy, memset) have no field.
//
// Assumes objects are not assigned as a whole while a name that goes through one of their settled fields is in use.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/StringMap.h"

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
  // Only constructors of its type write it: whoever has the object finds the same value each time.
  bool isSettled(uint32_t field) const { return field != 0 && !isRewritten_[field]; }

private:
  uint32_t add(const model::Unit &unit, const model::Site &site);

  std::vector<std::vector<uint32_t>> bySite_; // [unit][site]; 0: none
  std::vector<uint32_t> typeOf_;              // [field]
  std::vector<bool> isRewritten_;             // [field]
  llvm::StringMap<uint32_t> types_, fields_;  // by name; a field's is that of its type, 0, its own
};

} // namespace deadheat::analyse
