// Units that no compiler made, for tests: valid, small, different for each seed, equal for equal seeds.
#pragma once

#include <random>
#include <set>
#include <string>

#include "model/random_code.h"
#include "model/unit.h"

namespace deadheat::model {

class RandomUnit {
public:
  explicit RandomUnit(unsigned seed, uint32_t scale = 8) : random_(seed), scale_(scale) {}

  Unit make() {
    Unit unit;
    unit.source = "unit" + std::to_string(below(1000)) + ".cpp";
    unit.directory = "/src";
    unit.producer = "clang";
    unit.optimisation = static_cast<uint8_t>(below(4));
    RandomCode code(random_, unit, scale_);
    code.addSymbols();
    for (uint32_t i = 0, end = below(scale_); i < end; ++i) addFunction(unit, code);
    if (!unit.functions.empty())
      for (uint32_t i = 0, end = below(2 * scale_); i < end; ++i) addLate(unit);
    return unit;
  }

private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  StringId text(Unit &unit, const char *stem) { return unit.strings.intern(stem + std::to_string(below(scale_))); }

  void addFunction(Unit &unit, RandomCode &code) {
    FunctionId id(static_cast<uint32_t>(unit.functions.size()));
    SiteId first(static_cast<uint32_t>(unit.sites.size()));
    uint32_t count = below(scale_);
    for (uint32_t i = 0; i < count; ++i) addSite(unit, id);
    Function function{text(unit, "_Z1f"), text(unit, "f::"), text(unit, "file"), below(9999), first, count};
    code.addBody(function);
    unit.functions.add(function);
    unit.functionSlots.push_back(FunctionId(below(id.value() + 1)));
  }

  void addSite(Unit &unit, FunctionId function) {
    unit.sites.add({function, text(unit, "file"), static_cast<uint32_t>(random_()), static_cast<uint16_t>(random_()),
                    static_cast<AccessKind>(below(8)), below(64), text(unit, "d->p"), text(unit, "struct d"),
                    text(unit, "p")});
  }

  void addLate(Unit &unit) {
    std::set<uint32_t> sites;
    if (!unit.sites.empty())
      for (uint32_t i = 0, end = below(4); i < end; ++i) sites.insert(below(static_cast<uint32_t>(unit.sites.size())));
    auto origin = static_cast<Origin>(sites.empty() ? 4 + below(3) : below(4));
    unit.late.add({FunctionId(below(static_cast<uint32_t>(unit.functions.size()))), static_cast<AccessKind>(below(8)),
                   origin, below(64), static_cast<uint32_t>(unit.lateSites.size()),
                   static_cast<uint32_t>(sites.size())});
    for (uint32_t site : sites) unit.lateSites.push_back(SiteId(site));
    auto inlined = static_cast<uint32_t>(unit.inlinedCalls.size());
    if (below(2) == 0)
      unit.inlinedCalls.push_back(
          {below(4) == 0 ? FunctionId() : FunctionId(below(static_cast<uint32_t>(unit.functions.size()))), below(5000),
           below(100), below(inlined + 1)});
    unit.lateInlined.push_back(below(static_cast<uint32_t>(unit.inlinedCalls.size()) + 1));
  }

  std::mt19937 random_;
  uint32_t scale_;
};

} // namespace deadheat::model
