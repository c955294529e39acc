// The object that a call is about: `first.start()`, `workers[1].join()`, `worker->stop()`.
//
// Claim   Two calls in one round of a function that get the same words are about the same object.
// Assumes that pointers on the way to it are not set anew between the two calls.
// Misses  objects that are chosen by what is not a constant: they have no words.
#pragma once

#include <map>
#include <string>

#include "link/call_graph.h"
#include "link/definitions.h"

namespace deadheat::link {

// By where the first argument comes from; empty: not known.
std::string objectOfCall(const Code &code, const Definitions &definitions, const CallSite &site);

// Of a member, the object that has it: `worker.thread` is the worker's.
std::string holderOf(std::string words);

// Numbered within a function; 0: not known.
struct CallObject {
  uint32_t ofRound = 0; // not known in loops: each round may be about another one
  uint32_t ofAll = 0;   // the same in all rounds: a variable or parameter of the function, or a part of one
  bool isFirst = false; // the function's own first parameter, outside of loops
};

class NumberedObjects {
public:
  NumberedObjects(const Code &code, FuncId function);

  // `isHandle`: the call gets a handle, and is about what has it.
  CallObject of(const CallSite &site, bool isHandle, bool isInLoop);

private:
  const Code &code_;
  FuncId function_;
  Definitions definitions_;
  std::map<std::string, uint32_t> numbers_;
};

} // namespace deadheat::link
