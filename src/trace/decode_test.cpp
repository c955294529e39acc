#include "trace/decode.h"

#include <random>

#include <gtest/gtest.h>

#include "trace/write_words.h"

namespace deadheat::trace {
namespace {

std::vector<Kind> kindsOf(Decoder &decoder) {
  std::vector<Kind> kinds;
  for (Event event; decoder.next(event);) kinds.push_back(event.kind);
  return kinds;
}

TEST(Decoder, GivesAnAccessTheWindowThatWasToldBefore) {
  Decoder decoder(ThreadNumber(1));
  WordList words;
  appendEvent(words, abi::EventKind::Window, 3);
  words.push_back(abi::accessWord(0x7fff12345678, 0x30007));
  decoder.add(words);
  Event event;
  ASSERT_TRUE(decoder.next(event));
  ASSERT_TRUE(decoder.next(event));
  EXPECT_EQ(event.kind, Kind::Access);
  EXPECT_EQ(event.access, 0x30007u);
  EXPECT_EQ(event.address, 0x7fff12345678u);
}

TEST(Decoder, WaitsForTheRestOfAnEventThatAChunkCutInTwo) {
  WordList words;
  appendSync(words, abi::EventKind::Acquire, abi::SyncKind::RwLock, abi::kShared, 0x40, 9);
  for (size_t cut = 0; cut != words.size(); ++cut) {
    Decoder decoder(ThreadNumber(1));
    Event event;
    decoder.add(std::span(words).first(cut));
    EXPECT_FALSE(decoder.next(event));
    decoder.add(std::span(words).subspan(cut));
    ASSERT_TRUE(decoder.next(event));
    EXPECT_EQ(event.sync, abi::SyncKind::RwLock);
    EXPECT_EQ(event.flags, abi::kShared);
    EXPECT_EQ(event.stamp, 9u);
  }
}

TEST(Decoder, ReadsAsManyCallersAsAStackClaims) {
  Decoder decoder(ThreadNumber(1));
  WordList words;
  appendEvent(words, abi::EventKind::Stack, 2, {0x1000, 11, 12});
  words.push_back(abi::accessWord(8, 1));
  decoder.add(words);
  Event event;
  ASSERT_TRUE(decoder.next(event));
  EXPECT_EQ(std::vector(event.callers.begin(), event.callers.end()), (std::vector<uint64_t>{11, 12}));
  ASSERT_TRUE(decoder.next(event));
  EXPECT_EQ(event.kind, Kind::Access);
}

TEST(Decoder, PassesOverAWordThatIsNoEventAndCountsIt) {
  Decoder decoder(ThreadNumber(1));
  decoder.add(WordList{abi::kEventBit | uint64_t(0x7f) << 56, abi::accessWord(8, 1)});
  EXPECT_EQ(kindsOf(decoder), std::vector{Kind::Access});
  EXPECT_EQ(decoder.damagedWords(), 1u);
}

TEST(Decoder, PassesOverPadding) {
  Decoder decoder(ThreadNumber(1));
  decoder.add(WordList{0, abi::accessWord(8, 1), 0});
  EXPECT_EQ(kindsOf(decoder), std::vector{Kind::Access});
  EXPECT_EQ(decoder.damagedWords(), 0u);
}

TEST(Decoder, CountsTheTailOfAThreadThatWasCutOff) {
  Decoder decoder(ThreadNumber(1));
  decoder.add(WordList{abi::eventWord(abi::EventKind::Free, 0), 0x1000});
  EXPECT_TRUE(kindsOf(decoder).empty());
  decoder.finish();
  EXPECT_EQ(decoder.damagedWords(), 2u);
}

TEST(Decoder, AccountsForEveryWordOfAnyInput) {
  std::mt19937_64 random(1);
  for (int round = 0; round != 200; ++round) {
    Decoder decoder(ThreadNumber(1));
    size_t count = random() % 300;
    for (size_t index = 0; index != count; ++index) decoder.add(WordList{random()});
    Event event;
    while (decoder.next(event)) EXPECT_LE(event.order, abi::Order::Sequential);
    decoder.finish();
    EXPECT_TRUE(decoder.empty());
  }
}

} // namespace
} // namespace deadheat::trace
