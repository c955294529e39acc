#include "detect/races.h"

#include <algorithm>
#include <tuple>

namespace deadheat::detect {

void RaceTable::add(const Entry &earlier, const MemoryAccess &later, uint64_t address, bool handedOver) {
  add(Race{{earlier.access, earlier.where, earlier.touch},
           {later.access, later.where, later.touch},
           address,
           later.sequence,
           1,
           handedOver});
}

void RaceTable::add(const Race &race) {
  Key key = std::minmax(race.earlier.access, race.later.access);
  auto [found, isNew] = races_.try_emplace(key, race);
  if (isNew) return newAddresses_.push_back(race.address);
  Race &known = found->second;
  uint64_t count = known.count + race.count;
  auto order = [](const Race &row) {
    return std::tuple(row.sequence, row.address, row.earlier.access, row.earlier.where);
  };
  // The example is one that nothing hands over, if there is one.
  if (std::tuple(race.handedOver, order(race)) < std::tuple(known.handedOver, order(known))) known = race;
  known.count = count;
}

std::vector<Race> RaceTable::sorted() const {
  std::vector<Race> all;
  for (const auto &[key, race] : races_) all.push_back(race);
  std::ranges::sort(all, {}, [](const Race &race) {
    return std::tuple(race.sequence, race.address, race.earlier.access, race.later.access);
  });
  return all;
}

} // namespace deadheat::detect
