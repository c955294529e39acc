#include "confirm/judge.h"

#include <csignal>

#include "llvm/ADT/StringRef.h"

namespace deadheat::confirm {
namespace {

using finding::Harm;

struct Cue {
  const char *text; // in what the program said on standard error
  const char *kind;
};

// The first that is found names the harm.
constexpr Cue kCues[] = {
    {"ERROR: AddressSanitizer", "sanitizer"},
    {"ERROR: LeakSanitizer", "sanitizer"},
    {"ERROR: MemorySanitizer", "sanitizer"},
    {": runtime error: ", "sanitizer"},
    {"terminate called", "exception"},
    {"Assertion `", "assertion"},
    {"Assertion failed", "assertion"},
    {"double free or corruption", "abort"},
    {"malloc(): ", "abort"},
    {"free(): ", "abort"},
};

std::string lineWith(llvm::StringRef text, llvm::StringRef part) {
  for (;;) {
    auto [line, rest] = text.split('\n');
    if (line.contains(part)) return line.trim().str();
    if (rest.empty()) return part.str();
    text = rest;
  }
}

std::optional<Harm> spokenHarm(const Outcome &outcome) {
  for (const Cue &cue : kCues)
    if (llvm::StringRef(outcome.errors).contains(cue.text)) return Harm{cue.kind, lineWith(outcome.errors, cue.text)};
  return std::nullopt;
}

Harm signalHarm(int signal) {
  const char *name = sigabbrev_np(signal);
  return {signal == SIGABRT ? "abort" : "signal", name ? std::string("SIG") + name : std::to_string(signal)};
}

} // namespace

bool isHeldTooLong(const Outcome &outcome) {
  constexpr uint64_t kPlausible = 10'000'000'000; // nanoseconds
  return outcome.heldNanoseconds > kPlausible;
}

std::optional<Harm> harmOf(const Outcome &outcome) {
  if (outcome.deadlock) return Harm{"deadlock", "threads wait for each other, for ever"};
  if (outcome.timedOut || outcome.outOfMemory || outcome.cut) return std::nullopt;
  const bool failed = outcome.signal || (outcome.exit && *outcome.exit != 0);
  if (!failed) return std::nullopt;
  if (auto spoken = spokenHarm(outcome)) return spoken;
  if (outcome.signal) return signalHarm(*outcome.signal);
  return std::nullopt;
}

} // namespace deadheat::confirm
