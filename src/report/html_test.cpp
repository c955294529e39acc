#include "report/html.h"

#include <gtest/gtest.h>

#include "report/markdown.h"
#include "report/sample.h"

namespace deadheat::report {
namespace {

std::string pageOf(const finding::Findings &findings) {
  Sources sources("/none");
  return toHtml(findings, sources);
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

TEST(Html, ShowsEveryFindingWithItsFacts) {
  std::string page = pageOf(sampleFindings());
  for (const char *part : {"R-8f31c2a45d0e9b17", "D-00000000000000a1", "read of stock-&gt;left in sell",
                           "src/order.c:27:3", "holding no lock", "both take g first", "<h3>Data race</h3>"})
    EXPECT_TRUE(has(page, part)) << part;
}

TEST(Html, NeedsNothingFromElsewhere) {
  std::string page = pageOf(sampleFindings());
  for (const char *part : {"http:", "https:", "src=", "<link", "<script", "url("})
    EXPECT_FALSE(has(page, part)) << part;
}

TEST(Html, LetsNoTextBecomeMarkup) {
  finding::Findings findings = sampleFindings();
  finding::Finding &race = findings.list[0];
  for (std::string *text : {&race.id,
                            &race.title,
                            &race.why,
                            &race.fix,
                            &race.accesses[0].function,
                            &race.accesses[0].path,
                            &race.accesses[0].thread,
                            &race.accesses[0].place.file,
                            &race.accesses[0].access,
                            &race.accesses[0].locks.emplace_back(),
                            &race.accesses[0].stack[1].function,
                            &race.evidence[0].detail,
                            &race.votes[0],
                            &race.allocatedAt.file,
                            &findings.program.command[0],
                            &findings.toolVersion,
                            &findings.list[1].cycle[0].holds,
                            &findings.list[1].demotions[0].reason,
                            &findings.list[1].notClimbed->by,
                            &findings.list[1].suppressedBy})
    *text = "\"'><evil>";
  std::string page = pageOf(findings);
  EXPECT_FALSE(has(page, "<evil>"));
  EXPECT_FALSE(has(page, "\"'>"));
}

TEST(Html, DoesNotSayThatAProgramIsSafe) { EXPECT_TRUE(has(pageOf({}), "does not say that there is nothing to find")); }

TEST(Markdown, KnowsHeadingsParagraphsListsAndCode) {
  EXPECT_EQ(markdownToHtml("# A\n\none `x<y`\ntwo\n\n- b\n  c\n- d\n\n```c\nif (a < b)\n```\n"),
            "<h3>A</h3>\n<p>one <code>x&lt;y</code> two</p>\n<ul>\n<li>b c</li>\n<li>d</li></ul>\n"
            "<pre>if (a &lt; b)\n</pre>\n");
}

} // namespace
} // namespace deadheat::report
