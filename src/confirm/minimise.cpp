#include "confirm/minimise.h"

#include <algorithm>

namespace deadheat::confirm {
namespace {

Decisions without(const Decisions &all, size_t first, size_t count) {
  Decisions rest(all.begin(), all.begin() + first);
  rest.insert(rest.end(), all.begin() + first + count, all.end());
  return rest;
}

} // namespace

Decisions minimise(Decisions decisions, const StillGood &stillGood, unsigned budget) {
  size_t piece = std::max<size_t>(decisions.size() / 2, 1);
  while (!decisions.empty()) {
    bool shorter = false;
    for (size_t first = 0; first < decisions.size() && budget != 0;) {
      Decisions fewer = without(decisions, first, std::min(piece, decisions.size() - first));
      --budget;
      if (!stillGood(fewer)) {
        first += piece;
        continue;
      }
      decisions = std::move(fewer);
      shorter = true;
    }
    if (budget == 0 || (piece == 1 && !shorter)) break;
    if (!shorter || piece > decisions.size()) piece = std::max<size_t>(piece / 2, 1);
  }
  return decisions;
}

} // namespace deadheat::confirm
