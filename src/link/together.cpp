#include "link/together.h"

#include <algorithm>

namespace deadheat::link {

namespace {

class Together {
public:
  Together(const Threads &threads, const CallGraph &calls,
           const std::map<ThreadId, std::vector<CallSiteId>> &startSites)
      : threads_(threads), calls_(calls), startSites_(startSites) {}

  bool mayMeet(ThreadId first, ThreadId second) const {
    for (ThreadId a : line(first))
      for (ThreadId b : line(second))
        if (a != b && onlyCreator(a).valid() && onlyCreator(a) == onlyCreator(b))
          return isLiveAtStart(a, b, second) || isLiveAtStart(b, a, first);
    return true;
  }

private:
  // The thread, its creator, that one's creator, as far as there is only one.
  std::vector<ThreadId> line(ThreadId id) const {
    std::vector<ThreadId> found;
    for (; id.valid() && std::ranges::find(found, id) == found.end(); id = onlyCreator(id)) found.push_back(id);
    return found;
  }

  // Invalid: none, several, or one with several instances.
  ThreadId onlyCreator(ThreadId id) const {
    const Thread &thread = threads_.list[id];
    if (thread.creators.size() != 1 || thread.creators[0] == id) return {};
    return threads_.list[thread.creators[0]].many ? ThreadId() : thread.creators[0];
  }

  bool isLiveAtStart(ThreadId started, ThreadId other, ThreadId below) const {
    auto sites = startSites_.find(started);
    if (sites == startSites_.end()) return true;
    return std::ranges::any_of(sites->second, [&](CallSiteId id) {
      const CallSite &site = calls_.sites[id];
      auto live = threads_.liveAt(site.caller, site.statement);
      // In a loop that starts both, one iteration's are live in the next one's.
      return std::ranges::binary_search(live, other) || std::ranges::binary_search(live, below);
    });
  }

  const Threads &threads_;
  const CallGraph &calls_;
  const std::map<ThreadId, std::vector<CallSiteId>> &startSites_;
};

} // namespace

void findTogether(Threads &threads, const CallGraph &calls,
                  const std::map<ThreadId, std::vector<CallSiteId>> &startSites) {
  const Together together(threads, calls, startSites);
  const size_t count = threads.list.size();
  for (uint32_t first = 0; first < count; ++first)
    for (uint32_t second = 0; second <= first; ++second) {
      bool meet =
          first == second ? threads.list[ThreadId(first)].many : together.mayMeet(ThreadId(first), ThreadId(second));
      threads.together[first * count + second] = threads.together[second * count + first] = meet;
    }
}

void findStartedIn(Threads &threads, const CallGraph &calls,
                   const std::map<ThreadId, std::vector<CallSiteId>> &startSites) {
  auto insideOf = [&](CallSiteId site) {
    FuncId caller = calls.sites[site].caller;
    return caller.valid() ? threads.once.inside[caller.value()] : FuncId();
  };
  for (const auto &[thread, sites] : startSites) {
    FuncId inside = insideOf(sites.front());
    if (std::ranges::all_of(sites, [&](CallSiteId site) { return insideOf(site) == inside; }))
      threads.startedIn[thread.value()] = inside;
  }
}

} // namespace deadheat::link
