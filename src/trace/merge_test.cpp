#include "trace/merge.h"

#include <random>

#include <gtest/gtest.h>

#include "trace/write_words.h"

namespace deadheat::trace {
namespace {

using abi::EventKind;
using abi::SyncKind;

constexpr uint64_t kLock = 0x1000;

WordList access(uint32_t id) { return {abi::accessWord(8, id)}; }

WordList lockEvent(EventKind kind, uint64_t stamp) {
  WordList words;
  appendSync(words, kind, SyncKind::Mutex, 0, kLock, stamp);
  return words;
}

// "1:Acquire 2:Access ..."
struct Order {
  std::string text;
  void operator()(const Event &event) {
    static constexpr const char *kNames[] = {
#define EVENT(name, words, sentence) #name,
#include "abi/events.def"
        "Access"};
    text += std::to_string(event.thread.value()) + ":" + kNames[static_cast<size_t>(event.kind)] + " ";
  }
};

TEST(Merger, HandsOutStampsOfACounterInTheirOrder) {
  Merger merger;
  Order order;
  merger.add(ThreadNumber(2), lockEvent(EventKind::Acquire, 3));
  merger.add(ThreadNumber(1), lockEvent(EventKind::Acquire, 1));
  merger.drain(order);
  EXPECT_EQ(order.text, "1:Acquire ");
  merger.add(ThreadNumber(1), lockEvent(EventKind::Release, 2));
  merger.drain(order);
  EXPECT_EQ(order.text, "1:Acquire 1:Release 2:Acquire ");
  EXPECT_EQ(merger.gaps().total(), 0u);
}

TEST(Merger, HandsOutAFreeBeforeWhatIsMadeOfAPartOfIt) {
  constexpr uint64_t kBlock = 0x7f0001000000, kPart = kBlock + 0x2000;
  Merger merger;
  Order order;
  WordList freed = access(5), made;
  appendEvent(freed, EventKind::Free, 0, {kBlock, 1, 0});
  appendEvent(made, EventKind::Allocate, 0, {kPart, 64, 2, 0});
  merger.add(ThreadNumber(2), made);
  merger.add(ThreadNumber(2), access(6));
  merger.drain(order);
  EXPECT_EQ(order.text, "");
  merger.add(ThreadNumber(1), freed);
  merger.drain(order);
  EXPECT_EQ(order.text, "1:Access 1:Free 2:Allocate 2:Access ");
  EXPECT_EQ(merger.gaps().total(), 0u);
}

TEST(Merger, HoldsAThreadBackUntilItsCreationWasTold) {
  Merger merger;
  Order order;
  WordList begin, spawn;
  appendEvent(begin, EventKind::Begin, 2, {0x400000});
  appendEvent(spawn, EventKind::Spawn, 2, {0});
  merger.add(ThreadNumber(2), begin);
  merger.drain(order);
  EXPECT_EQ(order.text, "");
  merger.add(ThreadNumber(1), spawn);
  merger.drain(order);
  EXPECT_EQ(order.text, "1:Spawn 2:Begin ");
}

TEST(Merger, HoldsAJoinBackUntilTheThreadHasEnded) {
  Merger merger;
  Order order;
  WordList join, end;
  appendEvent(join, EventKind::Join, 2);
  appendEvent(end, EventKind::End, 2);
  merger.add(ThreadNumber(1), join);
  merger.add(ThreadNumber(2), access(5));
  merger.drain(order);
  merger.add(ThreadNumber(2), end);
  merger.drain(order);
  EXPECT_EQ(order.text, "2:Access 2:End 1:Join ");
}

TEST(Merger, TakesAThreadThatWasKilledForEnded) {
  Merger merger;
  Order order;
  WordList join;
  appendEvent(join, EventKind::Join, 2);
  merger.add(ThreadNumber(1), join);
  merger.add(ThreadNumber(2), access(5));
  merger.end(ThreadNumber(2));
  merger.drain(order);
  EXPECT_EQ(order.text, "2:Access 2:End 1:Join ");
}

TEST(Merger, GivesUpAMissingStampAtTheEndAndSaysSo) {
  Merger merger;
  Order order;
  merger.add(ThreadNumber(1), lockEvent(EventKind::Acquire, 1));
  merger.add(ThreadNumber(2), lockEvent(EventKind::Acquire, 3));
  merger.drain(order);
  EXPECT_EQ(order.text, "1:Acquire ");
  merger.finish(order);
  EXPECT_EQ(order.text, "1:Acquire 1:End 2:Gap 2:Acquire 2:End ");
  EXPECT_EQ(merger.gaps().missingStamps, 1u);
}

TEST(Merger, GivesUpAMissingStampWhenTooMuchHasGathered) {
  Merger merger(/*maxPending=*/4);
  Order order;
  merger.add(ThreadNumber(2), lockEvent(EventKind::Acquire, 2));
  for (int round = 0; round != 5; ++round) merger.add(ThreadNumber(2), access(1));
  merger.drain(order);
  EXPECT_EQ(order.text, "2:Gap 2:Acquire 2:Access 2:Access 2:Access 2:Access 2:Access ");
}

TEST(Merger, GoesOnWhereTwoEventsClaimOneStamp) {
  Merger merger;
  Order order;
  merger.add(ThreadNumber(1), lockEvent(EventKind::Acquire, 5));
  merger.add(ThreadNumber(2), lockEvent(EventKind::Acquire, 5));
  merger.finish(order);
  EXPECT_NE(order.text.find("1:Acquire"), std::string::npos);
  EXPECT_NE(order.text.find("2:Acquire"), std::string::npos);
}

TEST(Merger, EndsForAnyWords) {
  std::mt19937_64 random(2);
  for (int round = 0; round != 300; ++round) {
    Merger merger(50);
    uint64_t events = 0;
    for (int chunk = 0; chunk != 40; ++chunk) {
      WordList words;
      auto kind = static_cast<EventKind>(random() % abi::kEventKinds);
      appendEvent(words, kind, random() % 8, {random() % 4 * 64, random() % 12, random() % 12});
      merger.add(ThreadNumber(1 + random() % 4), words);
      if (random() % 3 == 0) merger.drain([&](const Event &) { ++events; });
    }
    merger.finish([&](const Event &) { ++events; });
    EXPECT_GT(events, 0u);
  }
}

} // namespace
} // namespace deadheat::trace
