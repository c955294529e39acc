#include "runtime/numbers.h"

#include <linux/mman.h>

namespace deadheat::runtime {
namespace {

constexpr U32 kFewestRows = 256;

U64 hashOf(const NumberKey &key) {
  U64 hash = (key.first ^ key.second * 0xff51afd7ed558ccd) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

} // namespace

Numbers::Row &Numbers::place(const NumberKey &key) const {
  U64 at = hashOf(key) & (capacity_ - 1);
  while (rows_[at].number != 0 && !(rows_[at].key == key)) at = (at + 1) & (capacity_ - 1);
  return rows_[at];
}

bool Numbers::grow() {
  const Numbers old = *this;
  const U32 capacity = capacity_ == 0 ? kFewestRows : 2 * capacity_;
  auto *rows = static_cast<Row *>(reserveBytes(capacity * sizeof(Row)));
  if (!rows) return false;
  rows_ = rows;
  capacity_ = capacity;
  for (U32 at = 0; at != old.capacity_; ++at)
    if (old.rows_[at].number != 0) place(old.rows_[at].key) = old.rows_[at];
  if (old.rows_) releaseBytes(old.rows_, old.capacity_ * sizeof(Row));
  return true;
}

U32 Numbers::find(const NumberKey &key, U32 limit, bool &isNew) {
  isNew = false;
  if (2 * (count_ + 1) > capacity_ && !grow()) return 0;
  Row &row = place(key);
  if (row.number != 0) return row.number;
  if (count_ >= limit) return 0;
  row = {key, ++count_};
  isNew = true;
  return row.number;
}

void Numbers::release() {
  if (rows_) releaseBytes(rows_, capacity_ * sizeof(Row));
  rows_ = nullptr;
  capacity_ = count_ = 0;
}

} // namespace deadheat::runtime
