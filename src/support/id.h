// Ids that cannot be mixed up, and tables that only take their own kind of id.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/error.h"

namespace deadheat {

template <typename Tag> class Id {
public:
  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : value_(value) {}

  constexpr uint32_t value() const { return value_; }
  constexpr bool valid() const { return value_ != kNone; }
  constexpr auto operator<=>(const Id &) const = default;

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t value_ = kNone;
};

template <typename IdType, typename Row> class IdTable {
public:
  IdTable() = default;
  explicit IdTable(std::vector<Row> rows) : rows_(std::move(rows)) {}

  IdType add(Row row) {
    rows_.push_back(std::move(row));
    return IdType(static_cast<uint32_t>(rows_.size() - 1));
  }

  Row &operator[](IdType id) {
    DEADHEAT_CHECK(id.value() < rows_.size());
    return rows_[id.value()];
  }
  const Row &operator[](IdType id) const {
    DEADHEAT_CHECK(id.value() < rows_.size());
    return rows_[id.value()];
  }

  bool contains(IdType id) const { return id.value() < rows_.size(); }
  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  bool operator==(const IdTable &) const = default;

private:
  std::vector<Row> rows_;
};

} // namespace deadheat
