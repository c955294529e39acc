// What only the thread with a certain number does: `if (number == 0) report();`, where each instance has another number.
//
// Claim   isSame: both sides have found the same number in what each instance of the thread was started with, on the way
//         from its entry to the access, as far as that is one way.
// Assumes a number that the loop around the start keeps in the argument at that byte is another one in each round. That
//         it stays so is likely, not certain: this demotes.
// Cost    per pair of instances of one thread, or of two starts of one entry by one function, the tests of a few functions.
// Misses  tests in functions that are called from several places, numbers that pass through other objects.
#pragma once

#include "analyse/race/own_parameters.h"
#include "analyse/rank/reach.h"

namespace deadheat::analyse {

class Numbers {
public:
  explicit Numbers(const World &world) : world_(world), own_(world.environment.program) {}

  struct Side {
    link::ThreadId thread;
    const std::vector<Step> &steps;
  };
  bool isSame(const Conditions &conditions, const Side &a, const Side &b) const;

private:
  // The byte of the argument, or Flag::kItself, and what is in it.
  using Found = std::vector<std::pair<int64_t, int64_t>>;

  bool areNumberedTogether(link::ThreadId a, link::ThreadId b) const;
  Found foundOn(const Conditions &conditions, const Side &side) const;
  void addAt(const Conditions &conditions, link::ThreadId thread, const Step &step, Found &found) const;
  bool isOwn(link::ThreadId thread, const Flag &flag) const;

  const World &world_;
  OwnParameters own_;
};

} // namespace deadheat::analyse
