// What a thread has found out about variables of the program by testing them.
//
// A flag is a variable, a part of one, a parameter, or what that points to, that is compared with numbers: as it is, or as far as one number
// lets it be seen (`mode & 4`). Or it is whether a variable remembers for what something was done (`if (madeFor != wanted) { make(); madeFor =
// wanted; }`): set while both are equal. Facts about several flags are one small map.
//
// Claim   meet keeps what both sides know. Two facts that contradict each other are not true at the same time.
#pragma once

#include <compare>
#include <optional>

#include "analyse/symbolic/state.h"
#include "link/ids.h"

namespace deadheat::analyse {

using FlagId = Id<struct FlagTag>;

struct Flag {
  static constexpr int64_t kItself = -1;

  link::GlobalId variable = {};
  link::FuncId function = {}; // valid: its parameter `offset`
  int64_t offset = 0;
  int64_t seenBy = 0;       // the number that it is computed with before it is compared; 0: none
  int64_t inside = kItself; // else: not the parameter, but what it points to, at this byte
  link::GlobalId like = {}; // valid: not the variable, but whether it is equal to this one, at byte likeOffset
  int64_t likeOffset = 0;
  auto operator<=>(const Flag &) const = default;
};

using Facts = SmallMap<FlagId, Fact>;

inline constexpr Fact kUnset = {true, 0};

// A part of a way that a flag marks out.
struct Span {
  FlagId flag = {};
  bool isBusy = false; // while the thread itself keeps it set; else: until somebody sets it
  bool isPast = false; // on the way of who has found it unset, and perhaps set it since
  auto operator<=>(const Span &) const = default;
};
using Spans = std::vector<Span>; // sorted

bool contradict(const Fact &a, const Fact &b);
std::optional<Fact> meet(const Fact &a, const Fact &b);
// Whether `facts` lost any.
bool meetWith(Facts &facts, const Facts &other);

// What (x predicate number) tells about x; nothing: no equation.
std::optional<Fact> factFrom(model::Predicate predicate, int64_t number);
model::Predicate opposite(model::Predicate predicate);

} // namespace deadheat::analyse
