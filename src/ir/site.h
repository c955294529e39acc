// Site identity: early accesses are numbered once, and every late access is traced back to the set of early sites that
// it stands for. docs/design/0001-site-identity.md tells why.
//
// Early, each access is given a number, kept as metadata on its instruction and in an index by place. The optimiser
// drops the metadata where it merges, splits, widens or replaces instructions, so late accesses are looked up by
// metadata first, then by place (function of the source, line, column, direction), then by ever less of it. A late
// access that is wider than the early one that was found stands for the neighbours of that one, too: neighbouring bytes
// become one word.
//
// Claim   A returned site is an early access of the same source function and direction as the late access, or, where debug
//         information gives it no line, one of that direction and size on a line where the same address is accessed; by
//         Metadata and Location also of the same line and column, or a neighbour in memory of one that is.
// Assumes `sanitize_thread` is on every function, so that the optimiser invents no access.
// Cost    Linear in the accesses; one hash look-up per late access and step.
// Misses  Accesses that the optimiser left without a place (counted by Origin). Neighbours whose addresses were
//         computed from different values.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include "ir/access.h"
#include "model/unit.h"

namespace deadheat::ir {

struct Traced {
  model::Origin origin = model::Origin::NoEarlySite;
  llvm::SmallVector<model::SiteId, 2> sites; // sorted, unique
};

// The number that part `part` of the instruction was given; invalid: none, or the optimiser dropped it. A clone of a
// numbered instruction has the same.
model::SiteId numberOf(const llvm::Instruction &instruction, uint8_t part);

class SiteIndex {
public:
  // Gives `access` the number `site`: writes the metadata and remembers the place.
  void number(const Access &access, model::SiteId site);

  Traced trace(const Access &late) const;

private:
  struct Place {
    const llvm::DISubprogram *function;
    uint32_t line;
    uint32_t column;
    bool write;
  };
  struct PlaceInfo {
    static Place getEmptyKey();
    static Place getTombstoneKey();
    static unsigned getHashValue(const Place &place);
    static bool isEqual(const Place &left, const Place &right);
  };
  struct Numbered {
    model::SiteId site;
    uint32_t size;
  };
  using Sites = llvm::SmallVector<Numbered, 1>;

  // Where an early access is: a constant distance from a value. The value is only a name here, it may be gone by now.
  struct Spot {
    const llvm::Value *base = nullptr;
    int64_t offset = 0;
    uint32_t size = 0;
    bool write = false;
  };
  using BaseInFunction = std::pair<const llvm::Function *, const llvm::Value *>;

  static Spot spotOf(const Access &access);
  void rememberPlace(const llvm::DILocation *location, const Access &access, model::SiteId site);
  void rememberSpot(const Access &access, model::SiteId site);
  Traced find(const Access &late) const;
  bool traceByMetadata(const Access &late, Traced &traced) const;
  bool traceBySpot(const Access &late, Traced &traced) const;
  void keepSameGlobals(const Access &late, Traced &traced) const;
  bool traceByLocation(const llvm::DILocation &location, const Access &late, Traced &traced) const;
  bool traceByOtherUses(const Access &late, Traced &traced) const;
  bool traceByPlace(const Place &place, uint32_t size, model::Origin origin, Traced &traced) const;
  void addNeighbours(const Access &late, Traced &traced) const;

  // Also under column 0: the whole line; under line 0: the whole function.
  llvm::DenseMap<Place, Sites, PlaceInfo> places_;
  std::vector<std::pair<BaseInFunction, Spot>> spots_; // by number
  llvm::DenseMap<BaseInFunction, llvm::SmallVector<model::SiteId, 1>> neighbours_;
};

} // namespace deadheat::ir
