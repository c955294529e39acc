// Many short lists in two arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace deadheat::link {

// Rows of variable length in one array: row i is items[starts[i] .. starts[i + 1] - 1].
template <typename Row, typename Item> struct Lists {
  std::vector<uint32_t> starts;
  std::vector<Item> items;
  std::span<const Item> operator[](Row row) const {
    return {items.data() + starts[row.value()], items.data() + starts[row.value() + 1]};
  }
  size_t size() const { return starts.empty() ? 0 : starts.size() - 1; }
};

// Lists of which many are equal: each different one is kept once.
template <typename Row, typename Item> struct SharedLists {
  std::vector<uint32_t> setOf; // [row]
  std::vector<std::vector<Item>> sets;
  std::span<const Item> operator[](Row row) const { return sets[setOf[row.value()]]; }
  size_t size() const { return setOf.size(); }
};

// Gathers (row, item) pairs in any order; items of a row keep the order in which they came.
template <typename Row, typename Item> class ListsBuilder {
public:
  explicit ListsBuilder(size_t rows) : counts_(rows + 1, 0) {}

  void add(Row row, Item item) {
    ++counts_[row.value() + 1];
    pairs_.push_back({row, item});
  }

  Lists<Row, Item> finish() {
    for (size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
    Lists<Row, Item> lists{counts_, std::vector<Item>(pairs_.size())};
    for (auto &[row, item] : pairs_) lists.items[counts_[row.value()]++] = item;
    return lists;
  }

private:
  struct Pair {
    Row row;
    Item item;
  };
  std::vector<uint32_t> counts_;
  std::vector<Pair> pairs_;
};

} // namespace deadheat::link
