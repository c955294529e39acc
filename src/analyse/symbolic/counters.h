// Counters that are moved on, and what is taken by their numbers: `i = next++`, `q = slots[head++ % size]`.
//
// Claim   A move is a store of a number that is computed from what was read of the same place, by the words of the source. It is a step if
//         that is one more or one less, and the function stores nothing else there: then a number is there once only. Else it comes back, as in
//         a ring.
//         An array is a ring if somebody stores into it at a number that comes back: then who takes what is there takes it out. Who only
//         goes round (`workers[next++ % count]`) finds it there again.
// Assumes two accesses of one function in the same words are of the same place. Who asks checks that a lock is held.
// Cost    linear in statements.
// Misses  numbers that another function computes.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

struct CounterMove {
  std::vector<model::ValueId> read; // of the counter: what went into it
  bool isStep = false;
};

// What is read from an element, and by what number: that, and the values that it is computed from.
struct IndexedRead {
  model::Operand array;
  model::Operand number;
  std::vector<model::ValueId> numbers;
};

class Counters {
public:
  Counters(const link::Program &program, link::FuncId function);

  const CounterMove *at(model::StatementId store) const {
    auto move = moves_.find(store);
    return move == moves_.end() ? nullptr : &move->second;
  }
  const std::map<model::ValueId, IndexedRead> &reads() const { return reads_; }

private:
  std::map<model::StatementId, CounterMove> moves_;
  std::map<model::ValueId, IndexedRead> reads_; // [result]
};

class Rings {
public:
  explicit Rings(const link::Program &program);

  bool contains(link::FuncId function, model::Operand array) const;

private:
  const link::Program &program_;
  std::set<link::ClassId> rings_;
};

} // namespace deadheat::analyse
