// Site identity: early accesses are numbered once, and every late access is traced back to the set of early sites that
// it stands for. docs/design/0001-site-identity.md tells why.
//
// Early, each access is given a number, kept as metadata on its instruction and in an index by place. The optimiser
// drops the metadata where it merges, splits, widens or replaces instructions, so late accesses are looked up by
// metadata first, then by place (function of the source, line, column, direction), then by ever less of it.
//
// Claim   A returned site is an early access of the same source function and direction as the late access; by Metadata
// and
//         Location also of the same line and column.
// Assumes `sanitize_thread` is on every function, so that the optimiser invents no access.
// Cost    Linear in the accesses; one hash look-up per late access and step.
// Misses  Accesses that the optimiser left without a place (counted by Origin).
#pragma once

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

  void remember(const llvm::DILocation *location, const Access &access, model::SiteId site);
  bool traceByMetadata(const Access &late, Traced &traced) const;
  bool traceByPlace(const Place &place, uint32_t size, model::Origin origin, Traced &traced) const;

  llvm::DenseMap<Place, Sites, PlaceInfo>
      places_; // also under column 0: the whole line; under line 0: the whole function
};

} // namespace deadheat::ir
