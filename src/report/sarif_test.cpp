// What is checked here of SARIF 2.1.0's schema: that no object has a property which the schema does not give it, that
// each has those that are required, that closed lists of words are kept, and the bounds of numbers.
#include "report/sarif.h"

#include <map>

#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "finding/collect.h"
#include "finding/explain.h"
#include "finding/random_finding.h"
#include "report/sample.h"

namespace deadheat::report {
namespace {

using llvm::json::Object;
using llvm::json::Value;

// One property: its name, its type ("*" for any, the name of an object below, "[]" behind it for a list), "!" if it is
// required.
struct Shape {
  std::map<std::string, std::string> properties;
};

const std::map<std::string, Shape> &shapes() {
  static const std::map<std::string, Shape> all = {
      {"log", {{{"$schema", "text"}, {"version", "text!"}, {"runs", "run[]!"}}}},
      {"run", {{{"tool", "tool!"}, {"originalUriBaseIds", "*"}, {"results", "result[]"}}}},
      {"tool", {{{"driver", "component!"}}}},
      {"component", {{{"name", "text!"}, {"version", "text"}, {"rules", "rule[]"}}}},
      {"rule",
       {{{"id", "text!"},
         {"shortDescription", "multiformat"},
         {"fullDescription", "multiformat"},
         {"help", "multiformat"},
         {"defaultConfiguration", "configuration"}}}},
      {"configuration", {{{"level", "severity"}}}},
      {"multiformat", {{{"text", "text!"}, {"markdown", "text"}}}},
      {"message", {{{"text", "text!"}}}},
      {"result",
       {{{"ruleId", "text"},
         {"ruleIndex", "number"},
         {"level", "severity"},
         {"message", "message!"},
         {"locations", "location[]"},
         {"relatedLocations", "location[]"},
         {"codeFlows", "codeFlow[]"},
         {"partialFingerprints", "*"},
         {"rank", "rank"},
         {"properties", "*"},
         {"baselineState", "baseline"},
         {"suppressions", "suppression[]"}}}},
      {"suppression", {{{"kind", "suppressionKind!"}, {"justification", "text"}}}},
      {"codeFlow", {{{"threadFlows", "threadFlow[]!"}}}},
      {"threadFlow", {{{"id", "text"}, {"message", "message"}, {"locations", "flowStep[]!"}}}},
      {"flowStep", {{{"location", "location"}, {"nestingLevel", "number"}, {"importance", "importance"}}}},
      {"location",
       {{{"id", "number"},
         {"message", "message"},
         {"physicalLocation", "physical"},
         {"logicalLocations", "logical[]"}}}},
      {"logical", {{{"fullyQualifiedName", "text"}, {"kind", "text"}}}},
      {"physical", {{{"artifactLocation", "artifact!"}, {"region", "region"}}}},
      {"artifact", {{{"uri", "uri!"}, {"uriBaseId", "text"}}}},
      {"region", {{{"startLine", "positive!"}, {"startColumn", "positive"}}}},
  };
  return all;
}

const std::map<std::string, std::vector<std::string>> kWords = {
    {"severity", {"none", "note", "warning", "error"}},
    {"baseline", {"new", "unchanged", "updated", "absent"}},
    {"suppressionKind", {"inSource", "external"}},
    {"importance", {"important", "essential", "unimportant"}}};

bool isUri(llvm::StringRef text) {
  return !text.empty() &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("-._~/%:").contains(c); });
}

std::string problem(const Value &value, llvm::StringRef type);

std::string objectProblem(const Value &value, const Shape &shape) {
  const Object *object = value.getAsObject();
  if (!object) return "not an object";
  for (const auto &[name, type] : shape.properties)
    if (llvm::StringRef(type).ends_with("!") && !object->get(name)) return name + " is missing";
  for (const auto &[name, inner] : *object) {
    auto known = shape.properties.find(name.str());
    if (known == shape.properties.end()) return name.str() + " is not in the schema";
    std::string found = problem(inner, llvm::StringRef(known->second).rtrim("!"));
    if (!found.empty()) return name.str() + ": " + found;
  }
  return {};
}

std::string problem(const Value &value, llvm::StringRef type) {
  if (type == "*") return {};
  if (type.consume_back("[]")) {
    const llvm::json::Array *array = value.getAsArray();
    if (!array) return "not a list";
    for (const Value &each : *array)
      if (std::string found = problem(each, type); !found.empty()) return found;
    return {};
  }
  if (auto words = kWords.find(type.str()); words != kWords.end())
    return value.getAsString() && llvm::is_contained(words->second, *value.getAsString()) ? "" : "a word of no meaning";
  if (type == "text") return value.getAsString() ? "" : "not a text";
  if (type == "uri") return value.getAsString() && isUri(*value.getAsString()) ? "" : "not a URI";
  double number = value.getAsNumber().value_or(-1);
  if (type == "number") return number >= 0 ? "" : "not a number";
  if (type == "positive") return number >= 1 ? "" : "not positive";
  if (type == "rank") return number >= 0 && number <= 100 ? "" : "not between 0 and 100";
  return objectProblem(value, shapes().at(type.str()));
}

const Object &resultOf(const Object &log, size_t index) {
  return *(*(*log.getArray("runs"))[0].getAsObject()->getArray("results"))[index].getAsObject();
}

TEST(Sarif, KeepsToTheSchema) {
  EXPECT_EQ(problem(Value(toSarif(sampleFindings())), "log"), "");
  EXPECT_EQ(problem(Value(toSarif({})), "log"), "");
  for (uint32_t seed = 1; seed != 100; ++seed) {
    finding::Findings findings = finding::randomFindings(seed);
    collect(findings.list);
    for (finding::Finding &finding : findings.list) explain(finding);
    EXPECT_EQ(problem(Value(toSarif(findings)), "log"), "") << "seed " << seed;
  }
}

TEST(Sarif, HasOneFlowForEachThread) {
  Object log = toSarif(sampleFindings());
  const Object &flow = *(*resultOf(log, 0).getArray("codeFlows"))[0].getAsObject();
  EXPECT_EQ(flow.getArray("threadFlows")->size(), 2u);
  // Created, called, accessed.
  EXPECT_EQ((*flow.getArray("threadFlows"))[0].getAsObject()->getArray("locations")->size(), 3u);
}

TEST(Sarif, HasFingerprintsWithoutLineNumbers) {
  finding::Findings findings = sampleFindings(), moved = findings;
  moved.list[0].accesses[0].place.line = 99;
  for (auto *each : {&findings, &moved})
    for (finding::Finding &finding : each->list) finding.id.clear();
  collect(findings.list);
  collect(moved.list);
  Object before = toSarif(findings), after = toSarif(moved);
  for (size_t index : {0, 1})
    EXPECT_EQ(*resultOf(before, index).getObject("partialFingerprints"),
              *resultOf(after, index).getObject("partialFingerprints"));
}

TEST(Sarif, NamesARuleWithHelpForEveryKind) {
  Object log = toSarif({});
  const Object &driver = *(*log.getArray("runs"))[0].getAsObject()->getObject("tool")->getObject("driver");
  ASSERT_EQ(driver.getArray("rules")->size(), std::size(finding::kKinds));
  for (const Value &rule : *driver.getArray("rules")) {
    llvm::StringRef help = *rule.getAsObject()->getObject("help")->getString("markdown");
    for (const char *part : {"## Example", "## Fix", "## Limits"}) EXPECT_TRUE(help.contains(part)) << part;
  }
  Object sample = toSarif(sampleFindings());
  for (size_t index : {0, 1}) {
    size_t rule = *resultOf(sample, index).getInteger("ruleIndex");
    EXPECT_EQ((*driver.getArray("rules"))[rule].getAsObject()->getString("id"),
              resultOf(sample, index).getString("ruleId"));
  }
}

TEST(Sarif, MarksWhatIsSuppressedOrKnownBefore) {
  finding::Findings findings = sampleFindings();
  findings.list[0].baselined = true;
  Object log = toSarif(findings);
  EXPECT_EQ(resultOf(log, 0).getString("baselineState"), "unchanged");
  EXPECT_FALSE(resultOf(log, 0).get("suppressions"));
  EXPECT_EQ(resultOf(log, 1).getArray("suppressions")->size(), 1u);
  EXPECT_EQ(resultOf(log, 0).getString("level"), "error");
  EXPECT_EQ(resultOf(log, 1).getString("level"), "note"); // demoted
}

TEST(Sarif, WritesPathsAsUris) {
  finding::Findings findings = sampleFindings();
  findings.list[0].accesses[0].place.file = "my file#1.c";
  Object log = toSarif(findings);
  const Object &place = *(*resultOf(log, 0).getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(place.getObject("artifactLocation")->getString("uri"), "my%20file%231.c");
  EXPECT_EQ(place.getObject("artifactLocation")->getString("uriBaseId"), "%SRCROOT%");
}

} // namespace
} // namespace deadheat::report
