// Whether one side of a pair does its access to an object before the thread of that object is started, or after it was joined, though other
// threads of the same kind live.
//
// `w.size = n; w.start();` and `w.stop(); sum += w.sum;` in a loop over workers: by what is live all over the program the workers of
// other rounds are in the way. Here a start or a join is of one object: the one that the thread is given, that has the handle in it, or that is
// chosen by the same number as the handle; by name, or by functions that get it as a parameter.
//
// Assumes two values that are computed alike in one round of a loop are one; what was stored between them is not looked at. A likelihood.
// Cost    linear in starts, joins and the calls of functions that do them for their parameters.
// Misses  objects that a function starts or joins through more than a pointer in them; starts through pointers to functions.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analyse/race/chains.h"
#include "link/definitions.h"

namespace deadheat::analyse {

class Lives {
public:
  explicit Lives(const link::Program &program);

  enum class When : uint8_t { Unknown, Before, After };

  enum class By : uint8_t { Object, Number };

  // When the leaf's thread gets to the object, relative to the life of `thread`, to which that object belongs: as what it was
  // started with, or by a number that is the thread's own.
  When of(const Leaf &leaf, link::ThreadId thread, By by) const;

  // Each thread of this kind that was started by then was joined as that of the object that it was started for.
  bool areOver(const Leaf &leaf, link::ThreadId thread) const;

private:
  struct Turn {
    model::StatementId statement;        // the call that starts or joins
    std::vector<model::Operand> objects; // what it is about
    std::vector<link::ThreadId> threads; // that are started; none: it joins
  };

  void add(link::FuncId function, Turn turn);
  void addStarts(const link::Program &program);
  void addJoins();
  void spread();
  std::vector<model::Operand> givenBy(const link::CallSite &start) const;
  std::vector<model::Operand> handleOf(const link::CallSite &join, const knowledge::Row &row) const;
  When of(const Step &step, link::ThreadId thread, By by) const;
  bool areOver(const Step &step, link::ThreadId thread) const;
  bool leadsTo(link::FuncId function, model::StatementId from, model::StatementId to) const;

  const link::Program &program_;
  link::Code code_;
  std::map<link::FuncId, std::vector<Turn>> turns_;
  std::map<link::ThreadId, std::set<link::FuncId>> outermost_; // of the functions that start it for an object
};

} // namespace deadheat::analyse
