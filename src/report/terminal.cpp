#include "report/terminal.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#include "finding/explain.h"
#include "finding/names.h"
#include "finding/verdict.h"
#include "report/alike.h"
#include "support/text_table.h"

namespace deadheat::report {
namespace {

using finding::Access;
using finding::CycleEdge;
using finding::Finding;
using finding::Frame;
using finding::Level;
using llvm::raw_ostream;
using llvm::WithColor;

class Printer {
public:
  Printer(raw_ostream &out, Sources &sources, const TerminalOptions &options)
      : out_(out), sources_(sources), brief_(options.brief), isLibrary_(options.isLibrary),
        mode_(options.color ? llvm::ColorMode::Enable : llvm::ColorMode::Disable) {
    out_.enable_colors(options.color);
  }

  void print(const Alike &alike) {
    const Finding &finding = *alike.front();
    if (const Access *known = oftenShown(finding)) return printShort(alike, *known);
    bool first = true;
    for (const Access &access : finding.accesses) printAccess(finding, access, std::exchange(first, false));
    for (const CycleEdge &edge : finding.cycle) printEdge(finding, edge, std::exchange(first, false));
    if (first) printHead({}, finding, true);
    if (finding.allocatedAt.known()) printFact("object", "allocated at " + placeText(finding.allocatedAt));
    printFact("why", finding.why);
    for (const finding::Demotion &demotion : finding.demotions)
      printFact("doubt", demotion.why.empty() ? demotion.reason : demotion.why + " (" + demotion.reason + ")");
    for (const finding::Evidence &evidence : finding.evidence) {
      printFact("evidence", evidenceText(evidence));
      for (const std::string &step : evidence.steps) out_ << "      " << printable(step) << '\n';
    }
    if (finding.notClimbed) printFact("not proven", notClimbedText(*finding.notClimbed));
    printFact("fix", finding.fix);
    printFact("found by", llvm::join(finding.votes, ", "));
    if (finding.level >= Level::Confirmed) printFact("repeat", "deadheat replay " + finding.id);
    printFact("like it", othersText(alike));
    out_ << '\n';
  }

private:
  // One access that races with a hundred others would be told a hundred times: after some, the others are a line each.
  const Access *oftenShown(const Finding &finding) {
    constexpr unsigned kOften = 3;
    if (!brief_) return nullptr;
    const Access *often = nullptr;
    for (const Access &access : finding.accesses)
      if (!access.site.empty() && ++shown_[{access.site, finding.level}] > kOften && !often) often = &access;
    return often;
  }

  // The lines of those that are not told for themselves.
  static std::string othersText(const Alike &alike) {
    constexpr size_t kMostTold = 3;
    if (alike.size() == 1) return {};
    std::string text = std::to_string(alike.size() - 1) + " more";
    for (size_t i = 1; i < alike.size() && i <= kMostTold; ++i) {
      std::vector<std::string> places;
      for (const Access &access : alike[i]->accesses) places.push_back(placeText(access.place));
      text += (i == 1 ? ": " : ", ") + llvm::join(places, " and ");
    }
    return text + (alike.size() - 1 > kMostTold ? ", ...; -v tells all" : "; -v tells more");
  }

  void printShort(const Alike &alike, const Access &known) {
    const Finding &finding = *alike.front();
    const Access &other = finding.accesses[&known == &finding.accesses.front() ? finding.accesses.size() - 1 : 0];
    printHead(other.place, finding, true);
    out_ << "    with the " << printable(known.access) << " at " << printable(placeText(known.place))
         << ", as above; -v tells more\n";
    printFact("like it", othersText(alike));
    out_ << '\n';
  }

  WithColor bold(raw_ostream::Colors color) { return WithColor(out_, color, /*Bold=*/true, /*BG=*/false, mode_); }

  void printHead(const finding::Place &place, const Finding &finding, bool first) {
    bold(raw_ostream::SAVEDCOLOR) << (place.known() ? printable(placeText(place)) : "deadheat") << ": ";
    if (!first) return void(bold(raw_ostream::CYAN) << "note: ");
    bold(raw_ostream::MAGENTA) << "warning: ";
    bold(raw_ostream::SAVEDCOLOR) << printable(finding.title);
    out_ << " [" << name(finding.level) << ", " << finding.id << "]\n";
  }

  void printExcerpt(const finding::Place &place) {
    std::optional<Excerpt> excerpt = sources_.excerpt(place);
    if (!excerpt) return;
    out_ << llvm::format("%7u | ", place.line) << excerpt->line << '\n';
    if (excerpt->caret.empty()) return;
    out_ << "        | ";
    bold(raw_ostream::GREEN) << excerpt->caret;
    out_ << '\n';
  }

  bool isLibrary(const Frame &frame) const { return isLibrary_ && frame.place.known() && isLibrary_(frame.place.file); }

  void printFrames(const std::vector<Frame> &frames) {
    size_t passed = 0;
    auto tellPassed = [&] {
      if (passed != 0) out_ << "      by way of " << passed << " of the library's functions\n";
      passed = 0;
    };
    for (const Frame &frame : llvm::drop_begin(frames, frames.empty() ? 0 : 1)) {
      if (isLibrary(frame)) {
        ++passed;
        continue;
      }
      tellPassed();
      out_ << "      called by " << printable(frame.function) << " at " << printable(placeText(frame.place)) << '\n';
    }
    tellPassed();
  }

  // std::thread begins in the library: the thread is called by the outermost function of the user's, as far as it is known.
  std::string threadName(const std::string &entry, const std::vector<Frame> &frames) const {
    if (!llvm::StringRef(entry).starts_with("std::thread::")) return entry;
    for (const Frame &frame : llvm::reverse(frames))
      if (!isLibrary(frame)) return frame.function;
    return entry;
  }

  // What happens at a place: under the warning, whose line has the title, and on the line of a note.
  void printWhat(const finding::Place &place, const Finding &finding, const std::string &what, bool first) {
    printHead(place, finding, first);
    if (!first) out_ << printable(what) << '\n';
    printExcerpt(place);
    if (first) out_ << "    " << printable(what) << '\n';
  }

  void printAccess(const Finding &finding, const Access &access, bool first) {
    std::string path = access.path.empty() ? "" : " of " + access.path;
    printWhat(access.place, finding, access.access + path + " in " + access.function, first);
    const std::string thread = threadName(access.thread, access.stack);
    out_ << "    " << printable(finding::threadText(thread, access.threadMany, access.createdAt)) << ", holding "
         << printable(finding::locksText(access.locks)) << '\n';
    printFrames(access.stack);
  }

  void printEdge(const Finding &finding, const CycleEdge &edge, bool first) {
    std::string since = edge.heldSince.known() ? " since " + placeText(edge.heldSince) : "";
    printWhat(edge.place, finding, edge.function + " wants " + edge.wants + " and holds " + edge.holds + since, first);
    const std::string thread = threadName(edge.thread, edge.trace);
    out_ << "    " << printable(finding::threadText(thread, edge.threadMany, edge.createdAt)) << '\n';
    printFrames(edge.trace);
  }

  void printFact(const char *label, const std::string &text) {
    if (text.empty()) return;
    out_ << "  ";
    bold(raw_ostream::SAVEDCOLOR) << label << ": ";
    out_ << printable(text) << '\n';
  }

  raw_ostream &out_;
  Sources &sources_;
  bool brief_;
  bool (*isLibrary_)(std::string_view);
  std::map<std::pair<std::string, Level>, unsigned> shown_; // how often an access was told at a level
  llvm::ColorMode mode_;
};

bool isShown(const Finding &finding, const TerminalOptions &options) {
  return !finding.suppressed && !finding.baselined && (options.demoted || !finding.demoted());
}

void printSummary(raw_ostream &out, const std::vector<Finding> &findings) {
  finding::Summary summary = finding::summarise(findings);
  std::vector<std::string> levels, others;
  for (size_t level = std::size(finding::kLevels); level-- != 0;)
    if (summary.levels[level] != 0)
      levels.push_back(std::to_string(summary.levels[level]) + " " + std::string(finding::kLevels[level].name));
  const std::pair<uint64_t, const char *> rows[] = {
      {summary.demoted, " demoted"}, {summary.suppressed, " suppressed"}, {summary.baselined, " known before"}};
  for (const auto &[count, text] : rows)
    if (count != 0) others.push_back(std::to_string(count) + text);
  out << "deadheat: ";
  if (summary.shown() == 0)
    out << "no findings";
  else
    out << summary.shown() << (summary.shown() == 1 ? " finding: " : " findings: ") << llvm::join(levels, ", ");
  if (!others.empty()) out << "; not counted: " << llvm::join(others, ", ");
  out << '\n';
}

} // namespace

void printTerminal(raw_ostream &out, const finding::Findings &findings, Sources &sources,
                   const TerminalOptions &options) {
  Printer printer(out, sources, options);
  std::vector<const Finding *> shown;
  for (const Finding &finding : findings.list)
    if (isShown(finding, options)) shown.push_back(&finding);
  std::vector<Alike> groups;
  if (options.brief) groups = groupAlike(shown);
  for (const Finding *finding : shown)
    if (!options.brief) groups.push_back({finding});
  size_t hidden = 0;
  for (size_t i = 0; i < groups.size(); ++i)
    if (i < options.most)
      printer.print(groups[i]);
    else
      hidden += groups[i].size();
  if (hidden != 0) out << "deadheat: " << hidden << " more of lower rank are not shown: use -v, --json or --html\n";
  printSummary(out, findings.list);
}

} // namespace deadheat::report
