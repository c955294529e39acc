#include "analyse/symbolic/clobbers.h"

#include <algorithm>
#include <iterator>

#include "analyse/domain/fields.h"

namespace deadheat::analyse {

static constexpr size_t kMaxClobbers = 96; // more are folded to whole classes

Clobbers::Clobbers(Rows rows) {
  if (!rows.empty()) rows_ = std::make_shared<const Rows>(std::move(rows));
}

const Clobbers::Rows &Clobbers::rows() const {
  static const Rows kNone;
  return rows_ ? *rows_ : kNone;
}

static auto ofClass(const Clobbers::Rows &rows, uint32_t pointsToClass) {
  return std::ranges::equal_range(rows, pointsToClass, {}, &Clobber::pointsToClass);
}

bool Clobbers::touches(uint32_t pointsToClass) const { return !ofClass(rows(), pointsToClass).empty(); }

bool Clobbers::touches(uint32_t pointsToClass, uint32_t field) const {
  return std::ranges::any_of(ofClass(rows(), pointsToClass),
                             [&](const Clobber &row) { return Fields::mayMeet(row.field, field); });
}

void Clobbers::add(Clobber clobber) {
  auto place = std::ranges::lower_bound(rows(), clobber);
  if (place != rows().end() && *place == clobber) return;
  Rows grown;
  grown.reserve(rows().size() + 1);
  grown.insert(grown.end(), rows().begin(), place);
  grown.push_back(clobber);
  grown.insert(grown.end(), place, rows().end());
  if (grown.size() > kMaxClobbers) {
    for (Clobber &row : grown) row.field = 0;
    grown.erase(std::ranges::unique(grown).begin(), grown.end());
  }
  if (grown != rows()) *this = Clobbers(std::move(grown));
}

bool Clobbers::addAll(const Clobbers &other) {
  if (rows_ == other.rows_ || other.empty()) return false;
  if (empty() || std::ranges::includes(other.rows(), rows())) {
    bool isSame = rows().size() == other.rows().size();
    rows_ = other.rows_;
    return !isSame;
  }
  if (std::ranges::includes(rows(), other.rows())) return false;
  Rows both;
  std::ranges::set_union(rows(), other.rows(), std::back_inserter(both));
  *this = Clobbers(std::move(both));
  return true;
}

bool Clobbers::operator==(const Clobbers &other) const { return rows_ == other.rows_ || rows() == other.rows(); }

} // namespace deadheat::analyse
