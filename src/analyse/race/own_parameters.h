// Parameters that are what the thread at hand was started with, wherever it calls the function.
//
// What a function does to its parameter is named by its callers up to the thread's entry, unless there is too much of it: then it is
// settled in the function, where the parameter is anything. This says what it is after all.
//
// Claim   isOwn(t, f, p): each thread of t that executes f gets there with its own argument, which no other thread of t has,
//         as parameter p. Nothing where threads are followed in crews.
// Cost    per thread whose instances have arguments of their own, linear in the calls of what it executes.
// Misses  arguments that pass through memory; members of them; parameters beyond kMaxParameters.
#pragma once

#include <map>

#include "link/program.h"

namespace deadheat::analyse {

class OwnParameters {
public:
  static constexpr uint32_t kMaxParameters = 64;

  explicit OwnParameters(const link::Program &program);

  bool isOwn(link::ThreadId thread, link::FuncId function, uint32_t parameter) const;

private:
  using Mask = uint64_t; // of parameters

  // A call, and which parameter of the caller each argument is; -1: none.
  struct Passing {
    link::CallSiteId site;
    link::FuncId direct; // invalid: through a pointer
    std::vector<signed char> parameters;
  };

  void follow(link::ThreadId thread);
  const std::vector<Passing> &passings(link::FuncId function);

  const link::Program &program_;
  std::map<link::FuncId, std::vector<Passing>> passings_;
  std::map<link::ThreadId, std::map<link::FuncId, Mask>> own_;
};

} // namespace deadheat::analyse
