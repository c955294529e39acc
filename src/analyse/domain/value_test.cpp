#include <vector>

#include "gtest/gtest.h"

#include "analyse/domain/value.h"

namespace deadheat::analyse {
namespace {

std::vector<Value> smallUniverse() {
  NodeTable nodes;
  std::vector<Value> all = {Value(), Value::top(), Value::number(0), Value::number(1)};
  std::vector<Value> single;
  for (uint32_t global = 0; global < 3; ++global)
    for (int64_t offset : {0, 8}) single.push_back(Value::must({nodes.global(global), offset}));
  for (size_t subset = 1; subset < size_t(1) << single.size(); ++subset) {
    Value value;
    for (size_t i = 0; i < single.size(); ++i)
      if (subset >> i & 1) value = Value::join(value, single[i]);
    all.push_back(value);
  }
  return all;
}

TEST(Value, JoinIsCommutativeIdempotentAndAssociativeWhereNoNullIsDropped) {
  std::vector<Value> all = smallUniverse();
  for (const Value &a : all) {
    EXPECT_EQ(Value::join(a, a), a);
    for (const Value &b : all) {
      EXPECT_EQ(Value::join(a, b), Value::join(b, a));
      for (const Value &c : all) {
        bool mixed = a.isNumber() || b.isNumber() || c.isNumber();
        if (!mixed) EXPECT_EQ(Value::join(Value::join(a, b), c), Value::join(a, Value::join(b, c)));
      }
    }
  }
}

TEST(Value, ClimbsAFewTimesAtMost) {
  NodeTable nodes;
  Value value;
  unsigned climbs = 0;
  for (uint32_t global = 0; global < 100; ++global) {
    Value next = Value::join(value, Value::must({nodes.global(global), 0}));
    climbs += next != value;
    value = next;
  }
  EXPECT_TRUE(value.isTop());
  EXPECT_LE(climbs, kMaxTargets + 3);
}

TEST(Value, NullJoinedWithAnAddressIsThatAddressOrNull) {
  NodeTable nodes;
  Value address = Value::must({nodes.formal(0), 16});
  Value both = Value::join(Value::number(0), address);
  EXPECT_EQ(both, Value::join(address, Value::number(0)));
  EXPECT_EQ(both.targets(), address.targets());
  EXPECT_TRUE(both.mayBeNull());
  EXPECT_FALSE(address.mayBeNull());
  EXPECT_EQ(Value::join(both, address), both);
  EXPECT_TRUE(Value::join(Value::number(1), address).isTop());
}

TEST(Path, NamesOfUnboundedDepthAreRefused) {
  NodeTable nodes;
  std::optional<NodeId> node = nodes.formal(0);
  unsigned steps = 0;
  while ((node = nodes.load({*node, 8}))) ++steps;
  EXPECT_EQ(steps, kMaxDepth);
}

TEST(Path, DifferentObjectsAreDisjointAndLoadedPointersMayMeet) {
  NodeTable nodes;
  Address a = {nodes.global(1), 0};
  Address b = {nodes.global(2), 0};
  Address throughA = {*nodes.load(a), 0};
  Address throughB = {*nodes.load(b), 0};
  EXPECT_TRUE(disjoint(nodes, a, 4, b, 4));
  EXPECT_FALSE(disjoint(nodes, throughA, 4, throughB, 4));
  EXPECT_TRUE(disjoint(nodes, {throughA.node, 0}, 4, {throughA.node, 4}, 4));
  EXPECT_FALSE(disjoint(nodes, {throughA.node, 0}, 8, {throughA.node, 4}, 4));
  EXPECT_FALSE(disjoint(nodes, {throughA.node, 0}, 0, {throughA.node, 4}, 4)) << "an unknown size reaches everywhere";
}

TEST(Path, FieldsOfElementsOfOneArrayAreAsDisjointAsFieldsOfOneElement) {
  NodeTable nodes;
  NodeId i = *nodes.element({nodes.global(1), 0}, 16, 7);
  NodeId j = *nodes.element({nodes.global(1), 0}, 16, 9);
  EXPECT_NE(i, j);
  EXPECT_TRUE(disjoint(nodes, {i, 0}, 8, {j, 8}, 8));
  EXPECT_FALSE(disjoint(nodes, {i, 8}, 8, {j, 8}, 8));
  EXPECT_TRUE(disjoint(nodes, {i, 0}, 8, {nodes.global(2), 0}, 8));
}

} // namespace
} // namespace deadheat::analyse
