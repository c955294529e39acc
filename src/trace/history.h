// Histories: executions written down as text, for tests.
//
//   # A flag without order publishes nothing.          a comment
//   # expect: race w@set r@get                         what shall be found; closed world
//   T1 fork T2
//   T1 write x        #set                             a label names the access of its line
//   T2 read  x+4 2    #get                             bytes 4 and 5 of x; without a size: 4 bytes
//
// Lines are the execution, in order. A name is a variable, lock or other object of its own, 4096 bytes long.
//
//   read|write|update|count X [BYTES]    load|store|rmw|cas|failed_cas X ORDER       fence ORDER
//   read_range|write_range X BYTES       read_call|write_call X BYTES                alloc|free X [BYTES]
//   lock|trylock|unlock M                rdlock|wrlock|tryrdlock|rdunlock|wrunlock M
//   relock|reunlock M (a recursive mutex, inner)                                     want M
//   signal|wait KIND X, KIND one of semaphore, condition, barrier, once, descriptor, futex, user
//   fork|join T, end                     enter F ADDRESS                             signal_enter|signal_leave N     gap
//   ignore MASK (1 reads, 2 writes, 4 synchronisation)                               benign X BYTES
//   make M (a call makes or destroys a lock or the like)
//
// expect: race A B | predicted A B | handed A B (predicted, but handed over under a lock) | deadlock M N ... (in any order) | crossed M N (by one thread, in both orders) | nothing. What races is also predicted; it is not said twice.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"
#include "trace/event.h"
#include "trace/write_words.h"

namespace deadheat::trace {

using LabelPair = std::pair<std::string, std::string>; // the lesser first

struct Expectation {
  std::set<LabelPair> races;
  std::set<LabelPair> predicted;
  std::set<LabelPair> handed;                // predicted, and handed over under a lock
  std::set<std::set<std::string>> deadlocks; // locks of a cycle
  std::set<std::set<std::string>> crossed;   // taken by one thread in both orders

  bool operator==(const Expectation &) const = default;
};

struct History {
  std::vector<std::pair<ThreadNumber, WordList>> lines; // what each line makes its thread tell, in order
  AccessShapes shapes;
  std::map<uint32_t, std::string>
      labels;                            // of accesses; by id, which is the number of the line. Without one: the number
  std::map<uint64_t, std::string> names; // by address
  bool expects = false;                  // it says so
  Expectation expected;
};

Expected<History> parseHistory(std::string_view text, const std::string &source);

} // namespace deadheat::trace
