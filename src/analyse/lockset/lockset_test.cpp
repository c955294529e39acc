#include <vector>

#include "gtest/gtest.h"

#include "analyse/lockset/lockset.h"

namespace deadheat::analyse {
namespace {

Likeness never(Address, Address) { return Likeness::Apart; }
Address lock(uint32_t number) { return {NodeId(number), 0}; }

Lockset holding(std::vector<uint32_t> held, std::vector<uint32_t> released = {}) {
  Lockset set;
  for (uint32_t number : released) set.release(lock(number), never);
  for (uint32_t number : held) set.acquire(lock(number), LockMode::Exclusive);
  return set;
}

std::vector<Lockset> smallUniverse() {
  std::vector<Lockset> all;
  for (unsigned choice = 0; choice < 27; ++choice) {
    std::vector<uint32_t> held, released;
    for (unsigned number = 0, rest = choice; number < 3; ++number, rest /= 3)
      if (rest % 3 == 1)
        held.push_back(number);
      else if (rest % 3 == 2)
        released.push_back(number);
    all.push_back(holding(held, released));
  }
  return all;
}

TEST(Lockset, JoinKeepsOnlyLocksHeldOnBothPathsAndAllThatWereReleasedOnOne) {
  Lockset both = Lockset::join(holding({1, 2, 5}, {7}), holding({2, 5, 9}, {8}));
  EXPECT_EQ(both, holding({2, 5}, {7, 8}));
}

TEST(Lockset, JoinIsALeastUpperBound) {
  std::vector<Lockset> all = smallUniverse();
  for (const Lockset &a : all) {
    EXPECT_EQ(Lockset::join(a, a), a);
    for (const Lockset &b : all) {
      Lockset both = Lockset::join(a, b);
      EXPECT_EQ(both, Lockset::join(b, a));
      EXPECT_EQ(Lockset::join(both, a), both);
      for (const Lockset &c : all) EXPECT_EQ(Lockset::join(both, c), Lockset::join(a, Lockset::join(b, c)));
    }
  }
}

// (L+ ∪ L'+) − L'-, (L- ∪ L'-) − L'+ where nothing is counted twice.
TEST(Lockset, UpdateIsThePapersForEverySmallPairWithoutReacquisition) {
  for (const Lockset &before : smallUniverse())
    for (const Lockset &change : smallUniverse())
      for (uint32_t number = 0; number < 3; ++number) {
        Lockset after = before;
        after.update(change, never);
        bool acquired = change.holds(lock(number));
        bool released = std::ranges::binary_search(change.released(), lock(number));
        EXPECT_EQ(after.holds(lock(number)), (before.holds(lock(number)) || acquired) && !released);
      }
}

TEST(Lockset, ALockAcquiredTwiceAndReleasedOnceIsHeld) {
  Lockset set = holding({1, 1});
  set.release(lock(1), never);
  EXPECT_TRUE(set.holds(lock(1)));
  set.release(lock(1), never);
  EXPECT_TRUE(set.empty());
}

TEST(Lockset, ABalancedCalleeLeavesTheCallersRecursiveLockHeld) {
  Lockset callee = holding({1});
  callee.release(lock(1), never);
  Lockset caller = holding({1});
  caller.update(callee, never);
  EXPECT_TRUE(caller.holds(lock(1)));
}

TEST(Lockset, ReleasingAnUnknownLockReleasesWhateverItMayBe) {
  Lockset set = holding({1, 2});
  set.release(lock(9), [](Address held, Address) { return held == lock(2) ? Likeness::Perhaps : Likeness::Apart; });
  EXPECT_TRUE(set.holds(lock(1)));
  EXPECT_FALSE(set.holds(lock(2)));
  EXPECT_EQ(set.released().size(), 1u);
}

TEST(Lockset, ReleasingWhatIsLikelyALockAcquiredHereReleasesNoneOfTheCallers) {
  Lockset set = holding({1, 2});
  set.release(lock(9), [](Address held, Address) { return held == lock(2) ? Likeness::Likely : Likeness::Perhaps; });
  EXPECT_EQ(set, holding({1}));
}

TEST(Lockset, ALockWhoseNameWasLostIsReleasedUnderAnotherName) {
  Lockset set = holding({1, 2});
  set.forget([](Address held) { return held == lock(2); });
  set.release(lock(9), [](Address held, Address) { return held == lock(2) ? Likeness::Perhaps : Likeness::Apart; });
  EXPECT_TRUE(set.holds(lock(1)));
  EXPECT_TRUE(set.released().empty());
}

TEST(Lockset, ReacquiringWhatTheCallerHeldRestoresIt) {
  Lockset callee;
  callee.release(lock(1), never);
  callee.acquire(lock(1), LockMode::Exclusive);
  Lockset caller = holding({1});
  caller.update(callee, never);
  EXPECT_TRUE(caller.holds(lock(1)));
  caller.release(lock(1), never);
  EXPECT_FALSE(caller.holds(lock(1))) << "it was not acquired once more";
}

TEST(Lockset, AJoinOfModesIsTheWeakerOne) {
  Lockset exclusive = holding({1});
  Lockset shared;
  shared.acquire(lock(1), LockMode::Shared);
  EXPECT_EQ(Lockset::join(exclusive, shared).held()[0].mode, LockMode::Shared);
}

} // namespace
} // namespace deadheat::analyse
