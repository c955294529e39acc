// From the sites of a finding to the machine's accesses that stand for them, in all units and inlined copies, and back from an access to
// the line that a person knows.
//
// Claim   A target is an access that was compiled from the site, so a thread that stands before it stands before the site. A site without
//         targets was optimised away, or is a call of the library, or its unit is not in the program.
// Cost    One pass over the models; the first look-up in a function makes the keys of its sites.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "abi/control.h"
#include "finding/finding.h"
#include "model/frame.h"

namespace deadheat::confirm {

class TargetIndex {
public:
  explicit TargetIndex(const std::vector<model::LinkedUnit> &units);

  // The accesses for the site with this key (finding/site_key.h). By one thread at a time: keys of a function are kept once they were made.
  std::vector<abi::Target> targetsOf(const std::string &siteKey, uint8_t side);

  // Without those that the compiler put in the place of a call on another line of the user's, if there are others.
  void keepThoseAt(const finding::Access &access, std::vector<abi::Target> &targets) const;

  // All accesses in that direction at the line of the access, and those of the library for the calls there.
  std::vector<abi::Target> wholeTargetsAt(const finding::Access &access, uint8_t side, bool isWrite) const;

  // The functions of the library that work for the calls there, by the names that people know.
  std::set<std::string> libraryNamesAt(const finding::Access &access) const;

  // Whether the access lies in a function of the library, for a call of which it stands.
  bool isInLibrary(const std::string &siteKey) const;

  // The function of the library that does the access: empty, if the program does it itself.
  std::string libraryCallAt(const std::string &siteKey) const;

  // A site, in one of the units that have it. Null: no such unit.
  struct Source {
    const model::Unit *unit = nullptr;
    model::SiteId site = {};
    std::string key = {};
  };

  // The sites at FILE:LINE, by their keys, each once; FILE is a name or the end of a path.
  std::vector<Source> sitesAt(const std::string &file, uint32_t line) const;

  // The site of a late access, for people.
  Source sourceOf(uint64_t checksum, uint32_t late) const;

private:
  struct FunctionPlace {
    size_t unit;
    model::FunctionId function;
  };

  struct SitePlace {
    size_t unit;
    model::SiteId site;
  };
  using SitesByKey = std::map<std::string, std::vector<SitePlace>>;
  const SitesByKey &sitesOf(const std::string &function);
  abi::Target targetOf(size_t unit, uint32_t late, uint8_t side) const;
  bool hasLate(const FunctionPlace &place) const;
  bool isElsewhere(const abi::Target &target, const finding::Access &access) const;
  // The definitions of all functions that the key may name: it is file:function:action:path, and the function may hold colons itself.
  std::vector<std::string> functionsOf(const std::string &siteKey) const;

  const std::vector<model::LinkedUnit> &units_;
  std::map<std::string, SitesByKey> keys_;                                   // by "display"
  std::map<std::string, std::vector<FunctionPlace>, std::less<>> functions_; // by "display"
  std::map<uint64_t, size_t> byChecksum_;
  std::vector<std::vector<std::vector<uint32_t>>> late_; // per unit and site: late accesses
};

} // namespace deadheat::confirm
