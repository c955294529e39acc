#include "finding/json.h"

#include <gtest/gtest.h>

#include "llvm/Support/FormatVariadic.h"

#include "finding/random_finding.h"
#include "support/file.h"

namespace deadheat::finding {
namespace {

std::string textOf(const Findings &findings, llvm::json::Object extra = {}) {
  return llvm::formatv("{0:2}", llvm::json::Value(toJson(findings, std::move(extra))));
}

std::string errorOf(std::string_view text) {
  auto findings = parseFindings(text, "before.json");
  return findings ? "none" : findings.error().text();
}

std::string withFinding(std::string_view finding) {
  return R"({"schema": 1, "findings": [)" + std::string(finding) + "]}";
}

TEST(Json, ComesBackAsItWas) {
  for (uint32_t seed = 1; seed != 200; ++seed) {
    Findings findings = randomFindings(seed);
    auto again = parseFindings(textOf(findings), "x");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, findings) << "seed " << seed;
  }
}

TEST(Json, IsTheSameTextFindingByFinding) {
  Findings findings;
  findings.list = {Finding{.id = "R-1"}, Finding{.id = "R-2"}};
  for (unsigned indent : {0u, 2u}) {
    std::string whole, streamed;
    llvm::raw_string_ostream out(whole);
    llvm::json::OStream(out, indent).value(toJson(findings, llvm::json::Object{{"a", 1}, {"zero", 0}}));
    llvm::raw_string_ostream pieces(streamed);
    writeJson(pieces, findings, llvm::json::Object{{"a", 1}, {"zero", 0}}, indent);
    EXPECT_EQ(streamed, whole);
    std::string inParts;
    llvm::raw_string_ostream parts(inParts);
    writeJson(parts, findings, llvm::json::Object{{"a", 1}}, indent,
              {"zero", [](llvm::json::OStream &stream) { stream.value(0); }});
    EXPECT_EQ(inParts, whole);
  }
}

TEST(Json, OfTheFirstSchemaIsStillRead) {
  std::string path = DEADHEAT_FORMATS "/findings-v1.json";
  auto file = readFile(path);
  ASSERT_TRUE(file);
  auto findings = parseFindings((*file)->getBuffer(), path);
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ(findings->list.size(), 2u);
  EXPECT_EQ(findings->list[0].evidence[1].seed, UINT64_MAX);
  EXPECT_EQ(findings->list[0].allocatedAt, (Place{"src/main.c", 31, 12}));
  EXPECT_EQ(findings->list[1].cycle[0].heldSince.line, 7u);
  // No field of it is lost: what is written again has the same values.
  auto before = llvm::json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(before));
  EXPECT_EQ(*before, llvm::json::Value(toJson(*findings)));
}

TEST(Json, HasTheFieldsOfTheContract) {
  Findings findings;
  findings.list.resize(2);
  findings.list[0].accesses.resize(2);
  findings.list[1].kind = Kind::Deadlock;
  findings.list[1].cycle.resize(2);
  llvm::json::Object document = toJson(findings);
  for (const char *name : {"schema", "tool", "program", "summary", "findings"}) EXPECT_TRUE(document.get(name)) << name;
  const llvm::json::Object &race = *(*document.getArray("findings"))[0].getAsObject();
  for (const char *name : {"id", "kind", "level", "rank", "score", "title", "variable", "object", "accesses", "votes",
                           "demotions", "evidence", "not_climbed", "suppressed"})
    EXPECT_TRUE(race.get(name)) << name;
  for (const char *name :
       {"file", "line", "function", "access", "path", "thread", "thread_many", "created_at", "locks", "site", "stack"})
    EXPECT_TRUE((*race.getArray("accesses"))[0].getAsObject()->get(name)) << name;
  const llvm::json::Object &deadlock = *(*document.getArray("findings"))[1].getAsObject();
  EXPECT_FALSE(deadlock.get("accesses"));
  for (const char *name : {"holds", "wants", "file", "line", "function", "thread", "trace"})
    EXPECT_TRUE((*deadlock.getArray("cycle"))[0].getAsObject()->get(name)) << name;
}

TEST(Json, CountsEachFindingOnceInTheSummary) {
  Findings findings;
  findings.list.resize(5);
  findings.list[1].level = Level::Harmful;
  findings.list[2].suppressed = findings.list[2].baselined = true;
  findings.list[3].demotions = {{"aliasing", ""}};
  findings.list[4].baselined = true;
  llvm::json::Object document = toJson(findings);
  const llvm::json::Object &summary = *document.getObject("summary");
  for (const char *name : {"possible", "harmful", "suppressed", "demoted", "baselined"})
    EXPECT_EQ(summary.getInteger(name), 1) << name;
  for (const char *name : {"predicted", "observed", "confirmed"}) EXPECT_EQ(summary.getInteger(name), 0) << name;
}

TEST(Json, KeepsExtraFieldsBesideTheSchema) {
  auto again = llvm::json::parse(textOf({}, llvm::json::Object{{"executed", 7}}));
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->getAsObject()->getInteger("executed"), 7);
  EXPECT_EQ(again->getAsObject()->getInteger("schema"), 1);
}

TEST(Json, ReplacesWhatIsNotUtf8) {
  Findings findings;
  findings.list.resize(1);
  findings.list[0].variable = "a\xff";
  EXPECT_TRUE(parseFindings(textOf(findings), "x"));
}

TEST(Json, SaysWhereATextIsWrong) {
  EXPECT_NE(errorOf("{").find("before.json: it is not JSON"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("no `schema`"), std::string::npos);
  EXPECT_NE(errorOf(R"({"schema": 2, "findings": []})").find("schema 2"), std::string::npos);
  EXPECT_NE(errorOf(R"({"schema": 1})").find("findings"), std::string::npos);
  EXPECT_NE(errorOf(withFinding(R"({"kind": "race", "level": "observed"})")).find("missing"), std::string::npos);
  EXPECT_NE(errorOf(withFinding(R"({"id": "R-1", "kind": "rice", "level": "observed"})")).find("findings[0].kind"),
            std::string::npos);
  EXPECT_NE(errorOf(withFinding(R"({"id": "R-1", "kind": "race", "level": "observed", "rank": -1})")).find("rank"),
            std::string::npos);
}

TEST(Json, RefusesNestingThatWouldUseUpTheStack) {
  EXPECT_NE(errorOf(std::string(1000000, '[')).find("nested too deeply"), std::string::npos);
}

} // namespace
} // namespace deadheat::finding
