#include "driver/check_filters.h"

#include <algorithm>
#include <map>

#include "support/text_table.h"

namespace deadheat::driver {

static constexpr size_t kMostShown = 3; // findings of a filter, unless everything is wanted

std::vector<FilterCount> countFilters(const std::vector<finding::Finding> &list) {
  std::map<std::string_view, FilterCount> byReason;
  for (const finding::Finding &one : list)
    for (const finding::Demotion &demotion : one.demotions) {
      FilterCount &filter = byReason[demotion.reason];
      filter.reason = demotion.reason;
      filter.why = demotion.why;
      ++filter.demoted;
      filter.alone += one.demotions.size() == 1;
      filter.best.push_back(&one);
    }
  std::vector<FilterCount> filters;
  for (auto &[reason, filter] : byReason) {
    auto order = [](const finding::Finding *one) { return std::pair(one->demotions.size() != 1, -one->score); };
    std::ranges::stable_sort(filter.best, {}, order);
    filters.push_back(std::move(filter));
  }
  std::ranges::stable_sort(filters, std::greater(), &FilterCount::demoted);
  return filters;
}

static void printOne(llvm::raw_ostream &out, const finding::Finding &one) {
  out << "    " << printable(one.variable.empty() ? "(no name)" : one.variable);
  const char *separator = ": ";
  for (const finding::Access &access : one.accesses) {
    out << separator << access.access << " at " << printable(access.place.file) << ':' << access.place.line;
    separator = ", ";
  }
  if (one.demotions.size() > 1) out << " (doubted for " << one.demotions.size() << " reasons)";
  out << '\n';
}

void printFilters(llvm::raw_ostream &out, const std::vector<FilterCount> &filters, bool verbose) {
  if (filters.empty()) out << "deadheat: no filter demotes anything\n";
  for (const FilterCount &filter : filters) {
    out << "deadheat: " << filter.reason << " demotes " << filter.demoted << ", alone " << filter.alone << ": "
        << filter.why << '\n';
    size_t most = verbose ? filter.best.size() : std::min(kMostShown, filter.best.size());
    for (size_t i = 0; i < most; ++i) printOne(out, *filter.best[i]);
    if (most < filter.best.size()) out << "    and " << filter.best.size() - most << " more (-v shows all)\n";
  }
}

llvm::json::Array filtersJson(const std::vector<FilterCount> &filters) {
  llvm::json::Array list;
  for (const FilterCount &filter : filters)
    list.push_back(llvm::json::Object{{"reason", filter.reason},
                                      {"why", filter.why},
                                      {"demoted", static_cast<int64_t>(filter.demoted)},
                                      {"alone", static_cast<int64_t>(filter.alone)}});
  return list;
}

} // namespace deadheat::driver
