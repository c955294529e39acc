// The object that a call is about: `first.start()`, `workers[1].join()`, `worker->stop()`.
//
// Claim   Two calls in one round of a function that get the same words are about the same object.
// Assumes that pointers on the way to it are not set anew between the two calls.
// Misses  objects that are chosen by what is not a constant: they have no words.
#pragma once

#include <string>

#include "link/call_graph.h"
#include "link/definitions.h"

namespace deadheat::link {

// By where the first argument comes from; empty: not known.
std::string objectOfCall(const Code &code, const Definitions &definitions, const CallSite &site);

// Of a member, the object that has it: `worker.thread` is the worker's.
std::string holderOf(std::string words);

} // namespace deadheat::link
