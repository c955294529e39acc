#include "report/sarif.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include "finding/explain.h"
#include "finding/names.h"
#include "report/pages.h"

namespace deadheat::report {
namespace {

using finding::Access;
using finding::CycleEdge;
using finding::Finding;
using finding::Frame;
using finding::Level;
using finding::Place;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

constexpr char kRoot[] = "%SRCROOT%";

Object message(std::string_view text) { return Object{{"text", llvm::json::fixUTF8(text)}}; }

// As RFC 3986 has it: what is not letter, digit or one of these marks is written in hexadecimal.
std::string escaped(llvm::StringRef path) {
  std::string uri;
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, /*Width=*/2);
  }
  return uri;
}

Object artifact(const std::string &file) {
  if (llvm::sys::path::is_absolute(file)) return Object{{"uri", "file://" + escaped(file)}};
  return Object{{"uri", escaped(file)}, {"uriBaseId", kRoot}};
}

Object physical(const Place &place) {
  Object object{{"artifactLocation", artifact(place.file)}};
  if (place.line == 0) return object;
  Object region{{"startLine", place.line}};
  if (place.column != 0) region["startColumn"] = place.column;
  object["region"] = std::move(region);
  return object;
}

Object location(const Place &place, const std::string &function, const std::string &text) {
  Object object{{"message", message(text)}};
  if (place.known()) object["physicalLocation"] = physical(place);
  if (!function.empty())
    object["logicalLocations"] =
        Array{Object{{"fullyQualifiedName", llvm::json::fixUTF8(function)}, {"kind", "function"}}};
  return object;
}

// One side of a finding, whatever its kind.
struct Side {
  const Place &place;
  const std::string &function;
  const std::vector<Frame> &stack;
  const Place &createdAt;
  std::string what;
  std::string thread;
};

std::vector<Side> sidesOf(const Finding &finding) {
  std::vector<Side> sides;
  for (const Access &access : finding.accesses) {
    std::string path = access.path.empty() ? "" : " of " + access.path;
    sides.push_back({access.place, access.function, access.stack, access.createdAt,
                     access.access + path + ", holding " + finding::locksText(access.locks),
                     threadText(access.thread, access.threadMany, access.createdAt)});
  }
  for (const CycleEdge &edge : finding.cycle)
    sides.push_back({edge.place, edge.function, edge.trace, edge.createdAt,
                     "wants " + edge.wants + " and holds " + edge.holds,
                     threadText(edge.thread, edge.threadMany, edge.createdAt)});
  return sides;
}

Object step(Object location, int nesting, bool essential) {
  return Object{{"location", std::move(location)},
                {"nestingLevel", nesting},
                {"importance", essential ? "essential" : "important"}};
}

// From where the thread is created, along the calls, to the access.
Object threadFlow(const Side &side, size_t number) {
  Array steps;
  int nesting = 0;
  if (side.createdAt.known()) steps.push_back(step(location(side.createdAt, "", "the thread is created"), 0, false));
  for (const Frame &frame : llvm::reverse(llvm::drop_begin(side.stack, side.stack.empty() ? 0 : 1)))
    steps.push_back(step(location(frame.place, frame.function, "call in " + frame.function), nesting++, false));
  steps.push_back(step(location(side.place, side.function, side.what), nesting, true));
  return Object{
      {"id", "thread " + std::to_string(number)}, {"message", message(side.thread)}, {"locations", std::move(steps)}};
}

void addSides(Object &result, const std::vector<Side> &sides) {
  Array locations, related, flows;
  for (const auto &[index, side] : llvm::enumerate(sides)) {
    Object here = location(side.place, side.function, side.what + ", by " + side.thread);
    flows.push_back(threadFlow(side, index + 1));
    if (index == 0) {
      locations.push_back(std::move(here));
      continue;
    }
    here["id"] = static_cast<int64_t>(index);
    related.push_back(std::move(here));
  }
  result["locations"] = std::move(locations);
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!flows.empty()) result["codeFlows"] = Array{Object{{"threadFlows", std::move(flows)}}};
}

const char *severity(const Finding &finding) {
  if (finding.demoted()) return "note";
  return finding.level >= Level::Observed ? "error" : "warning";
}

Object properties(const Finding &finding) {
  Array votes, evidence;
  for (const std::string &vote : finding.votes) votes.push_back(llvm::json::fixUTF8(vote));
  for (const finding::Evidence &each : finding.evidence) evidence.push_back(llvm::json::fixUTF8(evidenceText(each)));
  return Object{{"level", llvm::StringRef(name(finding.level))},
                {"score", finding.score},
                {"votes", std::move(votes)},
                {"evidence", std::move(evidence)}};
}

Object result(const Finding &finding, size_t count) {
  Object object{{"ruleId", llvm::StringRef(name(finding.kind))},
                {"ruleIndex", static_cast<int64_t>(finding.kind)},
                {"level", severity(finding)},
                {"message", message(finding.title + ". " + finding.why + " " + finding.fix)},
                {"partialFingerprints", Object{{"deadheatId/v1", finding.id}}},
                {"rank", 100.0 * static_cast<double>(count + 1 - std::min<size_t>(count, finding.rank)) /
                             static_cast<double>(count)},
                {"properties", properties(finding)}};
  addSides(object, sidesOf(finding));
  if (finding.baselined) object["baselineState"] = "unchanged";
  if (finding.suppressed)
    object["suppressions"] =
        Array{Object{{"kind", "external"}, {"justification", llvm::json::fixUTF8(finding.suppressedBy)}}};
  return object;
}

Array rules() {
  Array all;
  for (size_t kind = 0; kind != std::size(finding::kKinds); ++kind) {
    const finding::KindRow &row = finding::kKinds[kind];
    std::string_view text = page(static_cast<finding::Kind>(kind));
    all.push_back(Object{{"id", llvm::StringRef(row.name)},
                         {"shortDescription", message(row.title)},
                         {"fullDescription", message(row.meaning)},
                         {"help", Object{{"text", llvm::StringRef(text)}, {"markdown", llvm::StringRef(text)}}},
                         {"defaultConfiguration", Object{{"level", "warning"}}}});
  }
  return all;
}

} // namespace

Object toSarif(const finding::Findings &findings) {
  Array results;
  for (const Finding &finding : findings.list) results.push_back(result(finding, findings.list.size()));
  Object driver{{"name", "Deadheat"}, {"version", llvm::json::fixUTF8(findings.toolVersion)}, {"rules", rules()}};
  Object root{{"description", message("the root of the source tree")}};
  Object run{{"tool", Object{{"driver", std::move(driver)}}},
             {"originalUriBaseIds", Object{{kRoot, std::move(root)}}},
             {"results", std::move(results)}};
  return Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Array{std::move(run)}}};
}

} // namespace deadheat::report
