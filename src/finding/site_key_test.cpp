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

} // namespace
} // namespace deadheat::finding
