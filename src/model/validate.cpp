#include <algorithm>

#include "model/payload.h"
#include "model/validate_code.h"

namespace deadheat::model {
namespace {

std::unexpected<Error> bad(const char *what, size_t index, const char *why) {
  return fail(std::string(what) + " " + std::to_string(index) + " " + why);
}

bool fits(uint64_t first, uint64_t count, size_t size) { return first + count <= size; }

Expected<void> validateFunctions(const Unit &unit) {
  uint64_t covered = 0;
  for (uint32_t i = 0; i < unit.functions.size(); ++i) {
    const Function &function = unit.functions[FunctionId(i)];
    for (StringId id : {function.name, function.display, function.file})
      if (!unit.strings.contains(id)) return bad("function", i, "names a string that is not there");
    if (!fits(function.firstSite.value(), function.siteCount, unit.sites.size()))
      return bad("function", i, "names sites that are not there");
    for (uint32_t site = 0; site < function.siteCount; ++site)
      if (unit.sites[SiteId(function.firstSite.value() + site)].function != FunctionId(i))
        return bad("function", i, "claims a site of another function");
    covered += function.siteCount;
  }
  // No range holds a foreign site, so ranges do not overlap: together they hold all sites if the sum is right, and then
  // every site names a function that is there.
  if (covered != unit.sites.size()) return fail("some of its sites belong to no function");
  return {};
}

Expected<void> validateSites(const Unit &unit) {
  for (uint32_t i = 0; i < unit.sites.size(); ++i) {
    const Site &site = unit.sites[SiteId(i)];
    for (StringId id : {site.file, site.path, site.type, site.field})
      if (!unit.strings.contains(id)) return bad("site", i, "names a string that is not there");
  }
  return {};
}

Expected<void> validateLateSites(const Unit &unit, uint32_t index) {
  const LateAccess &late = unit.late[LateId(index)];
  if (!fits(late.first, late.count, unit.lateSites.size()))
    return bad("late access", index, "names sites past the end");
  std::span<const SiteId> sites(unit.lateSites.data() + late.first, late.count);
  if (std::ranges::adjacent_find(sites, std::ranges::greater_equal()) != sites.end())
    return bad("late access", index, "has sites out of order");
  if (!sites.empty() && !unit.sites.contains(sites.back()))
    return bad("late access", index, "names a site that is not there");
  return {};
}

Expected<void> validateLate(const Unit &unit) {
  for (uint32_t i = 0; i < unit.late.size(); ++i) {
    const LateAccess &late = unit.late[LateId(i)];
    if (!unit.functions.contains(late.function)) return bad("late access", i, "names a function that is not there");
    if ((late.count > 0) != isMapped(late.origin)) return bad("late access", i, "has sites against its origin");
    if (auto good = validateLateSites(unit, i); !good) return good;
  }
  return {};
}

Expected<void> validateInlined(const Unit &unit) {
  for (size_t i = 0; i < unit.inlinedCalls.size(); ++i) {
    const InlinedCall &call = unit.inlinedCalls[i];
    if (call.caller.valid() && !unit.functions.contains(call.caller))
      return bad("inlined call", i, "names a function that is not there");
    if (call.outer > i) return bad("inlined call", i, "is not after its outer one");
  }
  if (!unit.lateInlined.empty() && unit.lateInlined.size() != unit.late.size())
    return fail("its list of inlined accesses is not as long as that of late ones");
  for (size_t i = 0; i < unit.lateInlined.size(); ++i)
    if (unit.lateInlined[i] > unit.inlinedCalls.size())
      return bad("late access", i, "names an inlined call that is not there");
  return {};
}

Expected<void> validateSlots(const Unit &unit) {
  for (size_t i = 0; i < unit.functionSlots.size(); ++i)
    if (!unit.functions.contains(unit.functionSlots[i])) return bad("slot", i, "names a function that is not there");
  return {};
}

} // namespace

Expected<void> validate(const Unit &unit) {
  for (auto rule :
       {validateFunctions, validateSites, validateLate, validateInlined, validateSlots, validateSymbols, validateCode})
    if (Expected<void> good = rule(unit); !good) return good;
  return {};
}

} // namespace deadheat::model
