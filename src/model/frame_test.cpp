#include "model/frame.h"

#include <cstddef>
#include <cstring>

#include <gtest/gtest.h>

#include "model/random_unit.h"

namespace deadheat::model {
namespace {

Expected<std::vector<LinkedUnit>> decode(std::string_view bytes) {
  return decodeFrames({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "a.out");
}

// What decode says of bytes that it refuses.
std::string refusal(std::string_view bytes) {
  auto units = decode(bytes);
  return units ? "accepted" : units.error().text();
}

template <typename T> std::string patched(std::string frame, size_t offset, T value) {
  std::memcpy(frame.data() + offset, &value, sizeof(value));
  return frame;
}

Unit sample() { return RandomUnit(7).make(); }

TEST(Frame, GivesBackTheUnitThatWentIn) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Unit unit = RandomUnit(seed, 1 + seed % 40).make();
    auto units = decode(encodeFrame(unit));
    ASSERT_TRUE(units) << units.error().text();
    ASSERT_EQ(units->size(), 1u);
    ASSERT_TRUE(units->front().unit == unit) << "seed " << seed;
  }
}

TEST(Frame, HoldsTheSameBytesForTheSameUnit) {
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_EQ(encodeFrame(RandomUnit(seed).make()), encodeFrame(RandomUnit(seed).make()));
}

TEST(Frame, IsRefusedWhenCutAtAnyByte) {
  std::string frame = encodeFrame(sample());
  for (size_t size = 0; size < frame.size(); ++size)
    EXPECT_FALSE(decode(std::string_view(frame).substr(0, size))) << size << " of " << frame.size() << " bytes";
}

TEST(Frame, IsRefusedWhenAnyBitIsFlipped) {
  std::string frame = encodeFrame(sample());
  for (size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::string flipped = frame;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode(flipped)) << "bit " << bit;
  }
}

TEST(Frame, FollowsAnotherWithAnyAmountOfZerosBetween) {
  Unit first = RandomUnit(1).make(), second = RandomUnit(2).make();
  for (size_t zeros : {0, 8, 56, 4096, 3}) {
    auto units = decode(encodeFrame(first) + std::string(zeros, '\0') + encodeFrame(second) + std::string(zeros, '\0'));
    ASSERT_TRUE(units) << units.error().text();
    ASSERT_EQ(units->size(), 2u);
    EXPECT_TRUE(units->at(0).unit == first);
    EXPECT_TRUE(units->at(1).unit == second);
  }
}

TEST(Frame, IsNamedByItsChecksum) {
  std::string first = encodeFrame(RandomUnit(1).make()), second = encodeFrame(RandomUnit(2).make());
  auto units = decode(first + second);
  ASSERT_TRUE(units) << units.error().text();
  EXPECT_EQ(units->at(0).checksum, checksumOf(first));
  EXPECT_EQ(units->at(1).checksum, checksumOf(second));
  EXPECT_NE(checksumOf(first), checksumOf(second));
}

TEST(Frame, OfALaterVersionIsRefusedByItsNumber) {
  EXPECT_EQ(refusal(patched(encodeFrame(sample()), offsetof(FrameHeader, version), 7u)),
            "a.out: the model of unit 1 was written by a newer Deadheat (format 7, this one reads 1): use that version "
            "to read it, or build it again with this one");
}

TEST(Frame, OfVersionZeroIsRefused) {
  EXPECT_EQ(refusal(patched(encodeFrame(sample()), offsetof(FrameHeader, version), 0u)),
            "a.out: the model of unit 1 has a damaged header: build it again with deadheat-cc");
}

TEST(Frame, IsNumberedInTheMessageThatRefusesIt) {
  std::string one = encodeFrame(sample());
  EXPECT_EQ(refusal(one + one + one.substr(0, 20)),
            "a.out: the model of unit 3 is truncated: 20 of 40 bytes of its header: build it again with deadheat-cc");
}

TEST(Frame, ThatClaimsMoreThanZstdCanHoldIsRefusedBeforeMemoryIsTaken) {
  std::string frame = encodeFrame(sample());
  for (uint64_t size : {uint64_t(1) << 62, (uint64_t(1) << 30) + 1, uint64_t(1) << 29})
    EXPECT_EQ(refusal(patched(frame, offsetof(FrameHeader, rawSize), size)),
              "a.out: the model of unit 1 is damaged: it claims to hold " + std::to_string(size) +
                  " bytes: build it again with deadheat-cc");
}

TEST(Frame, IsRefusedWhenItsPaddingIsNotZero) {
  Unit unit = sample();
  while (encodeFrame(unit).back() != 0) unit.source += 'x';
  std::string frame = encodeFrame(unit);
  frame.back() = 1;
  EXPECT_EQ(refusal(frame), "a.out: the model of unit 1 has damaged padding: build it again with deadheat-cc");
}

TEST(Frame, MayBeAsRepetitiveAsItLikes) {
  Unit unit;
  Site site;
  site.function = unit.functions.add({});
  for (unsigned i = 0; i < 300000; ++i) unit.sites.add(site);
  unit.functions[site.function].siteCount = 300000;
  EXPECT_TRUE(decode(encodeFrame(unit)));
}

TEST(Frame, IsNeededForAModel) {
  EXPECT_EQ(refusal(""), "a.out: it holds no model: it is empty: build it again with deadheat-cc");
  EXPECT_EQ(refusal("#!/bin/sh\n"),
            "a.out: the model of unit 1 does not begin with DEADHEAT: these bytes are no model: "
            "build it again with deadheat-cc");
}

} // namespace
} // namespace deadheat::model
