#include "report/alike.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace deadheat::report {

using finding::Access;
using finding::Finding;

// What is told of the locks, whichever side is named first.
static std::vector<std::vector<std::string>> locksOf(const Finding &finding) {
  std::vector<std::vector<std::string>> all;
  for (const Access &access : finding.accesses) all.push_back(access.locks);
  std::ranges::sort(all);
  return all;
}

static bool haveCommonFunction(const Finding &one, const Finding &other) {
  return std::ranges::any_of(one.accesses, [&](const Access &access) {
    return std::ranges::find(other.accesses, access.function, &Access::function) != other.accesses.end();
  });
}

std::vector<Alike> groupAlike(const std::vector<const Finding *> &findings) {
  using Key = std::tuple<finding::Kind, finding::Level, std::string, std::vector<std::vector<std::string>>>;
  std::map<Key, std::vector<size_t>> known; // groups
  std::vector<Alike> groups;
  for (const Finding *finding : findings) {
    std::vector<size_t> &candidates = known[{finding->kind, finding->level, finding->variable, locksOf(*finding)}];
    auto like = std::ranges::find_if(
        candidates, [&](size_t group) { return haveCommonFunction(*finding, *groups[group].front()); });
    if (finding->variable.empty() || like == candidates.end()) {
      candidates.push_back(groups.size());
      groups.push_back({finding});
    } else {
      groups[*like].push_back(finding);
    }
  }
  return groups;
}

} // namespace deadheat::report
