#include "finding/verdict.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/StringSet.h"

#include "finding/json.h"
#include "support/file.h"

namespace deadheat::finding {

uint64_t Summary::shown() const { return std::accumulate(levels.begin(), levels.end(), uint64_t(0)); }

Summary summarise(const std::vector<Finding> &findings) {
  Summary summary;
  for (const Finding &finding : findings) {
    uint64_t &count = finding.suppressed  ? summary.suppressed
                      : finding.baselined ? summary.baselined
                      : finding.demoted() ? summary.demoted
                                          : summary.levels[static_cast<size_t>(finding.level)];
    ++count;
  }
  return summary;
}

bool counts(const Finding &finding) { return !finding.suppressed && !finding.baselined && !finding.demoted(); }

bool fails(const std::vector<Finding> &findings, Level failOn) {
  return std::ranges::any_of(findings,
                             [=](const Finding &finding) { return counts(finding) && finding.level >= failOn; });
}

Expected<void> applyBaseline(std::vector<Finding> &findings, const std::string &path) {
  auto file = readFile(path);
  if (!file) return std::unexpected(file.error());
  auto before = parseFindings((*file)->getBuffer(), path);
  if (!before) return std::unexpected(before.error());
  llvm::StringSet<> known;
  for (const Finding &finding : before->list) known.insert(finding.id);
  for (Finding &finding : findings) finding.baselined = known.contains(finding.id);
  return {};
}

} // namespace deadheat::finding
