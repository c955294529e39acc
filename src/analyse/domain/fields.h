// Which field of which type an access site touches, as one number for the whole program.
//
// Two accesses to fields of different types do not touch the same bytes, whatever points-to says: in C and C++ as they
// are written, memory has one type at a time. Nor do two fields of one type, unless it has unions or bit fields.
//
// A copy (memcpy, memset, a struct assigned) is a span of a type: all of it, one member, or some bytes. It meets the fields that
// lie there, and those of the types that lie inside (contents.h).
//
// Where debug info of a unit only declares a class, its sites say `this->@16`: a part of the type, which is compared with
// its fields by bytes. At which bytes fields lie is learned from the accesses (`p->field`); members that share bytes tell of
// unions and bit fields.
//
// Assumes objects are not assigned as a whole while a name that goes through one of their settled fields is in use; unions
//         whose members are never accessed by their own names are not there.
// Cost    linear in accesses.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringMap.h"

#include "analyse/domain/contents.h"
#include "link/program.h"

namespace deadheat::analyse {

class Fields {
public:
  explicit Fields(const link::Program &program);

  // Also parts of a type that have no name. 0 for copies.
  uint32_t of(link::UnitId unit, model::SiteId site) const {
    uint32_t field = touched(unit, site);
    return rows_[field].isSpan ? 0 : field;
  }
  // Also what a copy spans.
  uint32_t touched(link::UnitId unit, model::SiteId site) const { return bySite_[unit.value()][site.value()]; }
  bool isSpan(uint32_t field) const { return rows_[field].isSpan; }
  // 0: none, or only a part.
  uint32_t named(link::UnitId unit, model::SiteId site) const {
    uint32_t field = of(unit, site);
    return rows_[field].isPart ? 0 : field;
  }
  // Neither is unknown, and the types that hold them differ. The members of what a copy spans do not.
  bool differ(uint32_t a, uint32_t b) const {
    return a != 0 && b != 0 && rows_[a].type != rows_[b].type && !isWithin(a, b) && !isWithin(b, a);
  }
  // Of one type, and they have no byte in common.
  bool areApart(uint32_t a, uint32_t b) const;
  uint32_t holder(uint32_t field) const { return rows_[field].type; } // the type that holds it; 0: not known
  const std::vector<uint32_t> &inside(uint32_t type) const { return contents_.of(type); } // types, sorted
  static bool mayMeet(uint32_t a, uint32_t b) { return a == 0 || b == 0 || a == b; }
  // A member of one of the C++ library's types.
  bool isLibrarys(uint32_t field) const { return rows_[field].isLibrarys; }
  // The pointer of a std::vector to what it keeps, which no other vector has.
  bool isBuffer(uint32_t field) const { return rows_[field].isBuffer; }
  // Only constructors of its type write it: whoever has the object finds the same value each time.
  bool isSettled(uint32_t field) const { return field != 0 && !rows_[field].isRewritten; }

private:
  struct Row {
    uint32_t type = 0;
    bool isRewritten = false;
    bool isPart = false;
    bool isSpan = false;
    bool isMoved = false; // found at several places
    bool isLibrarys = false;
    bool isBuffer = false;
    int64_t offset = -1; // of its first byte in the type; -1: not known
    int64_t end = -1;    // after its last byte
    std::string_view name = {};
  };
  struct Learner;

  uint32_t add(const model::Unit &unit, const model::Site &site);
  uint32_t addPart(const model::Unit &unit, const model::Site &site);
  uint32_t addSpan(const model::Unit &unit, const model::Site &site);
  bool isWithin(uint32_t field, uint32_t span) const;
  void findDerived(const link::Program &program);

  std::vector<std::vector<uint32_t>> bySite_; // [unit][site]; 0: none
  std::vector<Row> rows_;                     // [field]
  std::vector<bool> hasOverlaps_;             // [type]: members share bytes
  Contents contents_;
  llvm::StringMap<uint32_t> types_, fields_; // by name; a field's is that of its type, 0, its own
  llvm::StringMap<bool> derived_;            // types that have bases: a part may be a field of one of those
};

// A constructor or destructor, by its name.
bool isMakerOrBreaker(std::string_view function);

} // namespace deadheat::analyse
