// Which types lie inside which, and in which member: what a copy of the one touches of the other.
//
// No model has the layout of types. In the words of accesses, `h->sh.first` is a field of the type of `sh`, and `h->frame` one of the
// type of `*h`: so the first of them lies in the second one's type, in `sh`. Base classes lie in those derived from them.
//
// Misses  types of which no member is accessed beside what they hold, within one function; arrays of structs in functions that
//         also read a pointer of that name; types that lie in very many others (links of lists, locks), as those tell nothing.
// Cost    linear in accesses.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringMap.h"

#include "link/program.h"

namespace deadheat::analyse {

class Contents {
public:
  Contents() = default;
  // `types`: their numbers, from 1 on.
  Contents(const link::Program &program, const llvm::StringMap<uint32_t> &types);

  // All that lie in a type, at any depth: sorted.
  const std::vector<uint32_t> &of(uint32_t type) const { return all_[type]; }
  // `inner` lies in that member of `outer`; no member: anywhere in it.
  bool holds(uint32_t outer, std::string_view member, uint32_t inner) const;
  // The member has members itself.
  bool isRecord(uint32_t outer, std::string_view member) const;

private:
  struct Part {
    std::string_view member; // of the units' texts; empty: a base class
    uint32_t type = 0;
    auto operator<=>(const Part &) const = default;
  };
  class Learner;

  void close();
  void dropCommon();

  std::vector<std::set<Part>> parts_;      // [type]
  std::vector<std::vector<uint32_t>> all_; // [type]
};

} // namespace deadheat::analyse
