#include "finding/site_key.h"

#include <gtest/gtest.h>

namespace deadheat::finding {
namespace {

using model::AccessKind;
using model::FunctionId;
using model::SiteId;

struct SiteSpec {
  const char *path;
  uint32_t line;
  AccessKind kind = AccessKind::Write;
};

model::Unit unitWith(std::initializer_list<SiteSpec> sites) {
  model::Unit unit;
  model::Function function;
  function.display = unit.strings.intern("push");
  function.siteCount = static_cast<uint32_t>(sites.size());
  FunctionId owner = unit.functions.add(function);
  for (const SiteSpec &spec : sites) {
    model::Site site;
    site.function = owner;
    site.file = unit.strings.intern("src/queue.c");
    site.line = spec.line;
    site.kind = spec.kind;
    site.path = unit.strings.intern(spec.path);
    unit.sites.add(site);
  }
  return unit;
}

TEST(SiteKey, NamesFileFunctionKindAndPath) {
  EXPECT_EQ(siteKey(unitWith({{"q->head", 5}}), SiteId(0)), "queue.c:push:write:q->head");
}

TEST(SiteKey, CountsEqualAccessesOfTheFunction) {
  model::Unit unit = unitWith({{"q->head", 5}, {"q->tail", 6}, {"q->head", 7, AccessKind::Read}, {"q->head", 8}});
  EXPECT_EQ(siteKey(unit, SiteId(3)), "queue.c:push:write:q->head#2");
  EXPECT_EQ(siteKey(unit, SiteId(2)), "queue.c:push:read:q->head");
}

TEST(SiteKey, HasNoLineNumbers) {
  model::Unit before = unitWith({{"q->head", 5}, {"q->head", 6}}), after = unitWith({{"q->head", 50}, {"q->head", 60}});
  for (uint32_t site : {0, 1}) EXPECT_EQ(siteKey(before, SiteId(site)), siteKey(after, SiteId(site)));
}

TEST(SpotKey, IsTheSameForAllAccessesOfALine) {
  model::Unit unit = unitWith({{"q->head", 5, AccessKind::Read}, {"q->head", 5}, {"q->tail", 6}, {"q->head", 8}});
  EXPECT_EQ(spotKey(unit, SiteId(0)), "queue.c:push:q->head");
  EXPECT_EQ(spotKey(unit, SiteId(1)), spotKey(unit, SiteId(0)));
  EXPECT_EQ(spotKey(unit, SiteId(3)), "queue.c:push:q->head#2");
}

TEST(SpotKey, NeedsWordsForTheObject) { EXPECT_EQ(spotKey(unitWith({{"", 5}}), SiteId(0)), ""); }

// Adds a block with a call at each line, all about `object`.
void addCalls(model::Unit &unit, std::string_view object, std::initializer_list<uint32_t> lines) {
  model::Function &function = unit.functions[FunctionId(0)];
  function.blockCount = static_cast<uint32_t>(lines.size());
  for (uint32_t line : lines) {
    model::ArgumentId argument = unit.arguments.add({.path = unit.strings.intern(object)});
    model::CallId call = unit.calls.add(
        {.firstArgument = argument, .argumentCount = 1, .file = unit.strings.intern("src/queue.c"), .line = line});
    model::StatementId statement = unit.statements.add({.kind = model::StatementKind::Call, .number = call.value()});
    unit.blocks.add({.firstStatement = statement, .statementCount = 1});
  }
}

TEST(SpotKey, NamesTheObjectOfACallAndCountsLines) {
  model::Unit unit = unitWith({});
  addCalls(unit, "list", {7, 7, 4});
  auto keyOf = [&](uint32_t call) {
    return spotKey(unit, unit.functions[FunctionId(0)], unit.calls[model::CallId(call)]);
  };
  EXPECT_EQ(keyOf(2), "queue.c:push:list()");
  EXPECT_EQ(keyOf(0), "queue.c:push:list()#2");
  EXPECT_EQ(keyOf(1), keyOf(0));
}

} // namespace
} // namespace deadheat::finding
