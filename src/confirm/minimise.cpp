#include "confirm/minimise.h"

#include <algorithm>

namespace deadheat::confirm {
namespace {

Decisions without(const Decisions &all, size_t first, size_t count) {
  Decisions rest(all.begin(), all.begin() + first);
  rest.insert(rest.end(), all.begin() + first + count, all.end());
  return rest;
}

class Minimiser {
public:
  Minimiser(Decisions decisions, const Try &attempt, unsigned budget)
      : best_(std::move(decisions)), attempt_(attempt), budget_(budget) {}

  Decisions run() {
    tryTails();
    size_t piece = std::max<size_t>(best_.size() / 2, 1);
    while (!best_.empty() && budget_ != 0) {
      const bool shorter = leaveOut(piece);
      if (piece == 1 && !shorter) break;
      if (!shorter || piece > best_.size()) piece = std::max<size_t>(piece / 2, 1);
    }
    return std::move(best_);
  }

private:
  // Takes what was recorded if it is shorter than the best so far.
  bool accept(const Decisions &fewer) {
    if (budget_ == 0) return false;
    --budget_;
    std::optional<Decisions> recorded = attempt_(fewer);
    if (!recorded || recorded->size() >= best_.size()) return false;
    best_ = std::move(*recorded);
    return true;
  }

  void tryTails() {
    for (size_t count = 0; count < best_.size() / 2; count = count == 0 ? 1 : count * 2)
      if (accept(Decisions(best_.end() - count, best_.end()))) return;
  }

  bool leaveOut(size_t piece) {
    bool shorter = false;
    for (size_t first = 0; first < best_.size() && budget_ != 0;) {
      if (accept(without(best_, first, std::min(piece, best_.size() - first))))
        shorter = true;
      else
        first += piece;
    }
    return shorter;
  }

  Decisions best_;
  const Try &attempt_;
  unsigned budget_;
};

} // namespace

Decisions minimise(Decisions decisions, const Try &attempt, unsigned budget) {
  return Minimiser(std::move(decisions), attempt, budget).run();
}

} // namespace deadheat::confirm
