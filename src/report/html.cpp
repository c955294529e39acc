#include "report/html.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/explain.h"
#include "finding/names.h"
#include "finding/verdict.h"
#include "report/markdown.h"
#include "report/pages.h"

namespace deadheat::report {
namespace {

using finding::Access;
using finding::CycleEdge;
using finding::Finding;
using finding::Frame;
using finding::Place;

class Page {
public:
  Page(std::string &text, Sources &sources) : out_(text), sources_(sources) {}

  void print(const finding::Findings &findings) {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Deadheat: findings</title>\n"
         << "<meta name=\"viewport\" content=\"width=device-width\"><style>\n"
         << style() << "</style></head><body>\n<h1>Findings of Deadheat " << escapeHtml(findings.toolVersion)
         << "</h1>\n";
    if (!findings.program.command.empty())
      out_ << "<p><code>" << escapeHtml(llvm::join(findings.program.command, " ")) << "</code></p>\n";
    printSummary(findings.list);
    for (const Finding &finding : findings.list) printFinding(finding);
    printPages(findings.list);
    out_ << "</body></html>\n";
  }

private:
  void printSummary(const std::vector<Finding> &list) {
    finding::Summary summary = finding::summarise(list);
    out_ << "<table>\n";
    for (size_t level = std::size(finding::kLevels); level-- != 0;)
      summaryRow(summary.levels[level], finding::kLevels[level].name, finding::kLevels[level].meaning);
    summaryRow(summary.demoted, "demoted", "there are reasons to doubt it");
    summaryRow(summary.suppressed, "suppressed", "a suppression leaves it out");
    summaryRow(summary.baselined, "known before", "it stands in the baseline");
    out_ << "</table>\n";
    if (list.empty()) out_ << "<p>No findings. That does not say that there is nothing to find.</p>\n";
  }

  void summaryRow(uint64_t count, std::string_view name, std::string_view meaning) {
    if (count != 0) out_ << "<tr><td>" << count << "</td><td>" << name << "</td><td>" << meaning << "</td></tr>\n";
  }

  void printFinding(const Finding &finding) {
    bool shown = finding::counts(finding);
    out_ << "<details class=\"finding" << (shown ? "\" open" : " aside\"") << " id=\"" << escapeHtml(finding.id)
         << "\"><summary><span class=\"level " << name(finding.level) << "\">" << name(finding.level) << "</span> <h2>"
         << escapeHtml(finding.title) << "</h2> <span class=\"id\">" << escapeHtml(finding.id)
         << "</span></summary>\n<div class=\"sides\">\n";
    for (const Access &access : finding.accesses) printAccess(access);
    for (const CycleEdge &edge : finding.cycle) printEdge(edge);
    out_ << "</div>\n<table>\n";
    printFacts(finding);
    out_ << "</table></details>\n";
  }

  void printFacts(const Finding &finding) {
    printFact("why", finding.why);
    printFact("fix", finding.fix);
    if (finding.allocatedAt.known()) printFact("object", "allocated at " + placeText(finding.allocatedAt));
    for (const finding::Evidence &evidence : finding.evidence) printFact("evidence", evidenceText(evidence));
    for (const finding::Demotion &demotion : finding.demotions)
      printFact("doubt", demotion.why + " (" + demotion.reason + ")");
    if (finding.notClimbed) printFact("not proven", notClimbedText(*finding.notClimbed));
    printFact("found by", llvm::join(finding.votes, ", "));
    if (finding.suppressed) printFact("suppressed by", finding.suppressedBy);
    out_ << "<tr><th>kind</th><td><a href=\"#kind-" << name(finding.kind) << "\">" << row(finding.kind).title
         << "</a></td></tr>\n";
  }

  void printFact(const char *label, const std::string &text) {
    if (!text.empty()) out_ << "<tr><th>" << label << "</th><td>" << escapeHtml(text) << "</td></tr>\n";
  }

  void printAccess(const Access &access) {
    std::string path = access.path.empty() ? "" : " of " + access.path;
    printSide(access.place, access.access + path + " in " + access.function,
              threadText(access.thread, access.threadMany, access.createdAt) + ", holding " +
                  finding::locksText(access.locks),
              access.stack);
  }

  void printEdge(const CycleEdge &edge) {
    std::string since = edge.heldSince.known() ? " since " + placeText(edge.heldSince) : "";
    printSide(edge.place, edge.function + " wants " + edge.wants + " and holds " + edge.holds + since,
              threadText(edge.thread, edge.threadMany, edge.createdAt), edge.trace);
  }

  void printSide(const Place &place, const std::string &what, const std::string &thread,
                 const std::vector<Frame> &frames) {
    out_ << "<div><div class=\"place\">" << escapeHtml(placeText(place)) << "</div>\n";
    if (std::optional<Excerpt> excerpt = sources_.excerpt(place))
      out_ << "<pre>" << escapeHtml(excerpt->line) << "\n<span class=\"caret\">" << excerpt->caret << "</span></pre>\n";
    out_ << "<div>" << escapeHtml(what) << "</div><div>" << escapeHtml(thread) << "</div>\n";
    for (const Frame &frame : llvm::drop_begin(frames, frames.empty() ? 0 : 1))
      out_ << "<div>called by " << escapeHtml(frame.function + " at " + placeText(frame.place)) << "</div>\n";
    out_ << "</div>\n";
  }

  void printPages(const std::vector<Finding> &list) {
    std::set<finding::Kind> kinds;
    for (const Finding &finding : list) kinds.insert(finding.kind);
    for (finding::Kind kind : kinds)
      out_ << "<section id=\"kind-" << name(kind) << "\">\n" << markdownToHtml(page(kind)) << "</section>\n";
  }

  llvm::raw_string_ostream out_;
  Sources &sources_;
};

} // namespace

std::string toHtml(const finding::Findings &findings, Sources &sources) {
  std::string text;
  Page(text, sources).print(findings);
  return text;
}

} // namespace deadheat::report
