#include "link/in_turn.h"

#include <algorithm>

#include "link/descendants.h"

namespace deadheat::link {

namespace {

using ThreadSet = std::set<ThreadId>;

constexpr size_t kMaxThreads = 256;
constexpr int kMaxRounds = 6;

bool mayBe(const Thread &thread) {
  return thread.kind == ThreadKind::Spawned && thread.context == knowledge::Context::Thread && thread.hosts.empty() &&
         thread.many && thread.manyWhy != ManyWhy::Several && !thread.creators.empty();
}

// Not those of which a creator has many instances at once, or which start themselves.
ThreadSet firstGuess(const Threads &threads, const std::vector<ThreadBits> &below) {
  ThreadSet guess;
  for (uint32_t t = 0; t < threads.list.size(); ++t)
    if (mayBe(threads.list[ThreadId(t)]) && !below[t].test(t)) guess.insert(ThreadId(t));
  return guess;
}

void dropBelowMany(const Threads &threads, ThreadSet &guess) {
  auto isMany = [&](ThreadId creator) { return threads.list[creator].many && !guess.contains(creator); };
  while (std::erase_if(guess, [&](ThreadId id) { return std::ranges::any_of(threads.list[id].creators, isMany); })) {
  }
}

// Those of the guess that are live where they, or who starts them, are started; and who leaves others running at its end.
ThreadSet refuted(const ThreadInput &input, const FoundThreads &found, const std::vector<ThreadBits> &below,
                  const ThreadSet &guess) {
  ThreadSet wrong;
  for (size_t i = 0; i < input.entered.size(); ++i) {
    if (found.startedAt[i].empty()) continue;
    const CallSite &site = input.calls.sites[input.entered[i].site];
    if (!site.caller.valid()) continue;
    for (ThreadId live : found.threads.liveAt(site.caller, site.statement))
      for (ThreadId started : found.startedAt[i])
        if (live == started || below[started.value()].test(live.value())) wrong.insert({live, started});
  }
  std::erase_if(wrong, [&](ThreadId id) { return !guess.contains(id); });
  return wrong;
}

} // namespace

void findInTurn(const ThreadInput &input, FoundThreads &found) {
  if (found.threads.list.size() > kMaxThreads) return;
  const std::vector<ThreadBits> below = belowEach(found.threads);
  ThreadSet guess = firstGuess(found.threads, below);
  for (int round = 0; round < kMaxRounds; ++round) {
    dropBelowMany(found.threads, guess);
    if (guess.empty()) return;
    Gaps known; // they were told before
    FoundThreads next = findThreads(input, known, guess);
    findLiveness(input, next);
    ThreadSet wrong = refuted(input, next, below, guess);
    if (wrong.empty()) {
      found = std::move(next);
      return;
    }
    for (ThreadId id : wrong) guess.erase(id);
  }
}

} // namespace deadheat::link
