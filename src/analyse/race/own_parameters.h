// Parameters that are the thread's own, wherever it calls the function: what it was started with, or what it has made itself.
//
// What a function does to its parameter is named by its callers up to the thread's entry, unless there is too much of it: then it is
// settled in the function, where the parameter is anything. This says what it is after all.
//
// Claim   isOwn(t, f, p): each thread of t that executes f gets there with its own argument, which no other thread of t has, or with
//         what it has made itself, as parameter p, or with a part of these. isMade(t, f, p): always with what it has made, by calls
//         that have not returned; no other thread has made it. isChosen(t, f, p): always with an element of a variable's array that is
//         chosen by a number of its own, or with a part of it: among those that one call starts no two have the same. That two calls
//         never start two at once that do is likely, not certain. Nothing where threads are followed in crews.
// Assumes what origins.h does.
// Cost    per thread, linear in the calls of what it executes.
// Misses  arguments that pass through memory; parameters beyond kMaxParameters.
#pragma once

#include <map>

#include "analyse/race/origins.h"

namespace deadheat::analyse {

class OwnParameters {
public:
  explicit OwnParameters(const link::Program &program);

  bool isOwn(link::ThreadId thread, link::FuncId function, uint32_t parameter) const;
  bool isMade(link::ThreadId thread, link::FuncId function, uint32_t parameter) const;
  bool isChosen(link::ThreadId thread, link::FuncId function, uint32_t parameter) const;
  bool isNumber(link::ThreadId thread, link::FuncId function, uint32_t parameter) const; // by which it chooses

private:
  using Mask = Origin::Mask;

  // A call, and where each argument comes from.
  struct Passing {
    link::CallSiteId site;
    link::FuncId direct; // invalid: through a pointer
    std::vector<Origin> arguments;
    std::vector<std::optional<Number>> numbers; // the same, if they are numbers
  };
  // Of each parameter.
  struct Marks {
    bool isReached = false;
    Mask own = 0;
    Mask made = 0;
    Mask chosen = 0;
    Mask numbers = 0; // a number of the thread's own
    bool operator==(const Marks &) const = default;
  };

  void follow(link::ThreadId thread);
  Marks given(const Passing &passing, link::FuncId callee, link::FuncId caller, link::ThreadId thread) const;
  bool isOwnNumber(const Number &number, link::FuncId function, link::ThreadId thread) const;
  const std::vector<Passing> &passings(link::FuncId function);
  Marks marksOf(link::ThreadId thread, link::FuncId function) const;

  const link::Program &program_;
  Origins origins_;
  std::map<link::FuncId, std::vector<Passing>> passings_;
  std::map<link::ThreadId, std::vector<Marks>> marks_; // [function]
};

} // namespace deadheat::analyse
