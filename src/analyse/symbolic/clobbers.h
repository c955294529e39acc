// What writes may have changed since the entry of a function, as points-to tells.
//
// A function that calls half of the program may have changed half of its classes, and every state in it and above it says
// so: sets are shared by all that have the same, and copied only when one grows.
//
// Cost    copies and joins of the same set: constant; of others: linear in the larger one.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

namespace deadheat::analyse {

// A write that may have changed every location of this points-to class and this field (0: any field).
struct Clobber {
  uint32_t pointsToClass = 0;
  uint32_t field = 0;
  auto operator<=>(const Clobber &) const = default;
};

class Clobbers {
public:
  using Rows = std::vector<Clobber>; // sorted, unique

  Clobbers() = default;
  explicit Clobbers(Rows rows);

  const Rows &rows() const;
  bool empty() const { return !rows_; }
  // Something of the class may have changed; with a field: something that may be that field.
  bool touches(uint32_t pointsToClass) const;
  bool touches(uint32_t pointsToClass, uint32_t field) const;

  // Beyond kMaxClobbers, fields are not told apart any more.
  void add(Clobber clobber);
  // Whether this changed.
  bool addAll(const Clobbers &other);
  bool operator==(const Clobbers &other) const;

private:
  std::shared_ptr<const Rows> rows_; // null: empty
};

} // namespace deadheat::analyse
