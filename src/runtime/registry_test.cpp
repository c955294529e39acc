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
    arena->header.nextId = arena->header.nextFunction = 1;
  }
  void TearDown() override { munmap(arena, sizeof(*arena)); }

  abi::Arena *arena = nullptr;
};

TEST_F(Registry, GivesOneFileTheSameIdsInEveryProcess) {
  const abi::ObjectEntry *first = registerObject(*arena, {"/a", {1, 2, 3}, {0x1000, 10}, {0x2000, 4}});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(registerObject(*arena, {"/a", {1, 2, 3}, {0x1000, 10}, {0x2000, 4}}), first);
  EXPECT_EQ(arena->header.objects, 1u);
}

TEST_F(Registry, GivesFilesThatDifferInAnythingDifferentIds) {
  const ObjectKey keys[] = {{"/a", {1, 2, 3}, {0x1000, 10}, {0x2000, 4}}, {"/b", {1, 2, 3}, {0x1000, 10}, {0x2000, 4}},
                            {"/a", {9, 2, 3}, {0x1000, 10}, {0x2000, 4}}, {"/a", {1, 9, 3}, {0x1000, 10}, {0x2000, 4}},
                            {"/a", {1, 2, 9}, {0x1000, 10}, {0x2000, 4}}, {"/a", {1, 2, 3}, {0x1008, 10}, {0x2000, 4}},
                            {"/a", {1, 2, 3}, {0x1000, 11}, {0x2000, 4}}, {"/a", {1, 2, 3}, {0x1000, 10}, {0x2008, 4}},
                            {"/a", {1, 2, 3}, {0x1000, 10}, {0x2000, 5}}};
  U64 next = 1, nextFunction = 1;
  for (const ObjectKey &key : keys) {
    const abi::ObjectEntry *entry = registerObject(*arena, key);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->base, next);
    EXPECT_EQ(entry->functionBase, nextFunction);
    next += key.accesses.count;
    nextFunction += key.functions.count;
  }
}

TEST_F(Registry, RefusesWhatDoesNotFitAndCountsIt) {
  EXPECT_EQ(registerObject(*arena, {std::string(5000, 'x').c_str(), {}, {0, 1}, {0, 1}}), nullptr);
  EXPECT_EQ(registerObject(*arena, {"/huge", {}, {0, 0x100000000}, {0, 1}}), nullptr);
  EXPECT_EQ(arena->header.refusedObjects, 2u);
}

TEST_F(Registry, RefusesMoreFilesThanItHasEntries) {
  U32 accepted = 0;
  for (U32 file = 0; file != abi::kMaxObjects + 10; ++file)
    accepted += registerObject(*arena, {"/a", {1, file, 3}, {0, 1}, {0, 1}}) != nullptr;
  EXPECT_EQ(accepted, abi::kMaxObjects);
  EXPECT_EQ(arena->header.refusedObjects, 10u);
}

} // namespace
} // namespace deadheat::runtime
