// What the findings of a program say of each other.
//
// Assumes that most of a program is right. Where only points-to says that two accesses are of one object, little else
//         speaks for them, and for many other variables as little, it is points-to that is wrong. A program with a few
//         such findings may have forgotten just these.
#pragma once

#include <optional>
#include <vector>

#include "analyse/rank/belief.h"
#include "finding/finding.h"

namespace deadheat::analyse {

struct Ranked {
  VariableKey variable;
  bool isNamed = false;                 // one object, without asking points-to
  bool isLibrary = false;               // code of the library does it: every program has such
  std::optional<VariableKey> copy = {}; // the statement that copies a whole struct, on one side
  finding::Finding finding;
};

inline constexpr double kWeakScore = 4.0;
inline constexpr double kFewScore = 2.5; // enough for the best of a program that has nothing better
inline constexpr double kNoScore = 0.5;  // as low as scores get
inline constexpr size_t kManyWeak = 10;  // variables
inline constexpr size_t kBestFew = 3;    // variables

// Demotes the findings of variables without a name of which none has more than a weak score, if there are many such,
// with those that are demoted already; and those of which none has any score, however few. Where nothing would be left
// to show, the best few variables stay.
void demoteWeak(std::vector<Ranked> &found);

// The second pair of a variable tells less than the first one of another; the second field of a struct that is copied tells hardly anything.
void spread(std::vector<Ranked> &found);

} // namespace deadheat::analyse
