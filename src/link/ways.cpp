#include "link/ways.h"

#include <algorithm>
#include <map>
#include <vector>

namespace deadheat::link {

namespace {

class Walk {
public:
  explicit Walk(const Program &program) : program_(program), cameBy_(program.symbols.functions.size()) {
    ListsBuilder<FuncId, uint32_t> builder(program.symbols.functions.size());
    for (uint32_t site = 0; site < program.calls.sites.size(); ++site)
      if (FuncId caller = program.calls.sites[CallSiteId(site)].caller; caller.valid()) builder.add(caller, site);
    sitesOf_ = builder.finish();
  }

  std::string to(const std::vector<FuncId> &entries, FuncId wanted) {
    std::vector<FuncId> reached = entries;
    std::vector<bool> isReached(cameBy_.size());
    for (FuncId entry : entries) isReached[entry.value()] = true;
    for (size_t width = 1; !isReached[wanted.value()] && width <= cameBy_.size(); width *= 2)
      for (size_t next = 0; next < reached.size(); ++next)
        for (uint32_t site : sitesOf_[reached[next]]) {
          auto callees = program_.calls.callees[CallSiteId(site)];
          if (callees.size() > width) continue;
          for (FuncId callee : callees) {
            if (isReached[callee.value()]) continue;
            isReached[callee.value()] = true;
            cameBy_[callee.value()] = CallSiteId(site);
            reached.push_back(callee);
          }
        }
    return isReached[wanted.value()] ? wordsOf(wanted) : std::string();
  }

private:
  std::string wordsOf(FuncId function) const {
    CallSiteId site = cameBy_[function.value()];
    std::string name(program_.function(function).display);
    if (!site.valid()) return name;
    if (size_t width = program_.calls.callees[site].size(); width > 1) {
      const CallSite &row = program_.calls.sites[site];
      const model::Unit &unit = program_.unit(row.unit);
      std::string_view file = unit.strings[unit.calls[row.call].file];
      name += " (1 of " + std::to_string(width) + " targets at " + std::string(file.substr(file.rfind('/') + 1)) + ":" +
              std::to_string(unit.calls[row.call].line) + ")";
    }
    std::string before = wordsOf(program_.calls.sites[site].caller);
    bool isPassage = (program_.function(function).flags & model::kLibrary) != 0 && name.find(" (1 of ") == name.npos;
    return isPassage ? before : before + " > " + name;
  }

  const Program &program_;
  Lists<FuncId, uint32_t> sitesOf_;
  std::vector<CallSiteId> cameBy_; // [function]
};

} // namespace

std::string wayTo(const Program &program, ThreadId thread, FuncId function) {
  const std::vector<FuncId> &entries = program.threads.list[thread].entries;
  return std::ranges::find(entries, function) != entries.end() ? std::string() : Walk(program).to(entries, function);
}

} // namespace deadheat::link
