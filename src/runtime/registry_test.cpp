#include "runtime/registry.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

namespace deadheat::runtime {
namespace {

class Registry : public testing::Test {
protected:
  void SetUp() override {
    void *memory =
        mmap(nullptr, sizeof(abi::Arena), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    arena = static_cast<abi::Arena *>(memory);
    arena->header.nextId = 1;
  }
  void TearDown() override { munmap(arena, sizeof(*arena)); }

  abi::Arena *arena = nullptr;
};

TEST_F(Registry, GivesOneFileTheSameIdsInEveryProcess) {
  const U32 first = registerObject(*arena, {"/a", {1, 2, 3}, 0x1000, 10});
  EXPECT_NE(first, 0u);
  EXPECT_EQ(registerObject(*arena, {"/a", {1, 2, 3}, 0x1000, 10}), first);
  EXPECT_EQ(arena->header.objects, 1u);
}

TEST_F(Registry, GivesFilesThatDifferInAnythingDifferentIds) {
  const ObjectKey keys[] = {{"/a", {1, 2, 3}, 0x1000, 10}, {"/b", {1, 2, 3}, 0x1000, 10}, {"/a", {9, 2, 3}, 0x1000, 10},
                            {"/a", {1, 9, 3}, 0x1000, 10}, {"/a", {1, 2, 9}, 0x1000, 10}, {"/a", {1, 2, 3}, 0x2000, 10},
                            {"/a", {1, 2, 3}, 0x1000, 11}};
  U32 next = 1;
  for (const ObjectKey &key : keys) {
    EXPECT_EQ(registerObject(*arena, key), next);
    next += static_cast<U32>(key.slotCount);
  }
}

TEST_F(Registry, RefusesWhatDoesNotFitAndCountsIt) {
  EXPECT_EQ(registerObject(*arena, {std::string(5000, 'x').c_str(), {}, 0, 1}), 0u);
  EXPECT_EQ(registerObject(*arena, {"/huge", {}, 0, 0x100000000}), 0u);
  EXPECT_EQ(arena->header.refusedObjects, 2u);
}

TEST_F(Registry, RefusesMoreFilesThanItHasEntries) {
  U32 accepted = 0;
  for (U32 file = 0; file != abi::kMaxObjects + 10; ++file)
    accepted += registerObject(*arena, {"/a", {1, file, 3}, 0, 1}) != 0;
  EXPECT_EQ(accepted, abi::kMaxObjects);
  EXPECT_EQ(arena->header.refusedObjects, 10u);
}

} // namespace
} // namespace deadheat::runtime
