#include "analyse/flag/facts.h"

namespace deadheat::analyse {

using model::Predicate;

bool contradict(const Fact &a, const Fact &b) {
  if (a.equal && b.equal) return a.number != b.number;
  return a.equal != b.equal && a.number == b.number;
}

std::optional<Fact> meet(const Fact &a, const Fact &b) {
  if (a == b) return a;
  if (a.equal && b.equal) return a.number != 0 && b.number != 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  if (a.equal == b.equal) return std::nullopt;
  const Fact &equal = a.equal ? a : b;
  const Fact &other = a.equal ? b : a;
  return equal.number != other.number ? std::optional(other) : std::nullopt;
}

bool meetWith(Facts &facts, const Facts &other) {
  Facts both;
  for (const auto &[flag, fact] : facts.rows())
    if (const Fact *theirs = other.find(flag))
      if (std::optional<Fact> common = meet(fact, *theirs)) both.rows().push_back({flag, *common});
  if (both == facts) return false;
  facts = std::move(both);
  return true;
}

std::optional<Fact> factFrom(Predicate predicate, int64_t number) {
  switch (predicate) {
  case Predicate::Equal: return Fact{true, number};
  case Predicate::NotEqual: return Fact{false, number};
  case Predicate::Less: return number <= 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  case Predicate::Greater: return number >= 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  case Predicate::LessOrEqual: return number < 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  case Predicate::GreaterOrEqual: return number > 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  case Predicate::Unknown: return std::nullopt;
  }
  return std::nullopt;
}

Predicate opposite(Predicate predicate) {
  static constexpr Predicate kOpposite[] = {Predicate::NotEqual, Predicate::Equal,       Predicate::GreaterOrEqual,
                                            Predicate::Greater,  Predicate::LessOrEqual, Predicate::Less,
                                            Predicate::Unknown};
  return kOpposite[static_cast<size_t>(predicate)];
}

} // namespace deadheat::analyse
