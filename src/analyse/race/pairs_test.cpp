#include "analyse/race/pairs.h"

#include "gtest/gtest.h"

#include "analyse/race/buckets.h"
#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

// Two workers, each with a block that others know, too, write to what a pointer in their block leads to.
TEST(Pairs, NamesThatBeginAtAnObjectOfEachCallAreNotTheSame) {
  link::UnitBuilder unit{"a.c"};
  auto allocate = unit.declare("malloc", "ptr(i64)");
  auto latest = unit.variable("latest", 8);
  auto renew = unit.define("renew", 1, "void(ptr)");
  unit.store(v(link::ValueId(0)), v(unit.call(allocate, {n(8)})));
  unit.ret();
  auto worker = unit.define("worker", 1, "ptr(ptr)");
  link::ValueId block = unit.call(allocate, {n(8)});
  unit.store(s(latest), v(block));
  unit.call(renew, {v(block)});
  unit.store(v(unit.load(v(block))), n(1));
  unit.ret(n(0));
  unit.flag(worker, model::kAddressTaken);
  auto create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
  unit.define("main", 0, "i32()");
  for (int i = 0; i < 2; ++i) unit.call(create, {v(unit.stack(8)), n(0), s(worker), n(0)});
  unit.ret();
  Analysed analysed(unit);
  findTwins(*analysed.world);
  for (const RacePair &pair : racingPairs(*analysed.world)) {
    const WorldAccess &access = analysed.world->accesses[pair.a];
    const NodeTable &nodes = analysed.world->names.nodes;
    const bool isHeap = nodes[nodes.root(access.lvalue.node)].kind == NodeKind::Heap;
    EXPECT_EQ(pair.isSameName, !isHeap);
  }
  EXPECT_FALSE(racingPairs(*analysed.world).empty());
}

} // namespace
} // namespace deadheat::analyse
