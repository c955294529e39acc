#include "analyse/domain/value.h"

#include <algorithm>
#include <iterator>

namespace deadheat::analyse {

Value Value::top() {
  Value value;
  value.kind_ = Kind::Top;
  return value;
}

Value Value::number(int64_t number) {
  Value value;
  value.kind_ = Kind::Number;
  value.number_ = number;
  return value;
}

Value Value::must(Address target) {
  Value value;
  value.kind_ = Kind::Pointer;
  value.targets_ = {target};
  return value;
}

Value Value::moved(int64_t bytes) const {
  Value result = *this;
  if (result.isNumber()) result.number_ += bytes;
  for (Address &target : result.targets_) target.offset += bytes; // all by the same: stays sorted
  return result;
}

static bool isNull(const Value &value) { return value.isNumber() && value.number() == 0; }

Value Value::orNull() const {
  Value value = *this;
  value.mayBeNull_ = isPointer();
  return value;
}

Value Value::join(const Value &a, const Value &b) {
  if (a.isBottom() || a == b) return b;
  if (b.isBottom()) return a;
  if (isNull(a) && b.isPointer()) return b.orNull();
  if (isNull(b) && a.isPointer()) return a.orNull();
  if (!a.isPointer() || !b.isPointer()) return top();
  Value both;
  both.kind_ = Kind::Pointer;
  both.mayBeNull_ = a.mayBeNull_ || b.mayBeNull_;
  std::ranges::set_union(a.targets_, b.targets_, std::back_inserter(both.targets_));
  return both.targets_.size() <= kMaxTargets ? both : top();
}

} // namespace deadheat::analyse
