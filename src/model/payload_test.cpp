#include "model/payload.h"

#include <cstring>

#include <gtest/gtest.h>

#include "model/columns.h"
#include "model/sample.h"

namespace deadheat::model {
namespace {

using Bytes64 = std::vector<uint64_t>; // FlatBuffers wants its bytes aligned

Expected<Unit> decodeText(const std::string &payload) {
  Bytes64 aligned(payload.size() / 8 + 1);
  std::memcpy(aligned.data(), payload.data(), payload.size());
  return decodePayload({reinterpret_cast<const uint8_t *>(aligned.data()), payload.size()});
}

std::string refusal(const std::string &payload) {
  auto unit = decodeText(payload);
  return unit ? "accepted" : unit.error().text();
}

// What is said of the sample after `change` spoilt it.
template <typename Change> std::string refusalAfter(Change change) {
  Unit unit = sampleUnit();
  change(unit);
  return refusal(encodePayload(unit));
}

// What is said of the sample after the first byte of one of its columns became `value`.
template <typename Choose> std::string refusalOfColumn(Choose choose, uint8_t value) {
  std::string payload = encodePayload(sampleUnit());
  const Bytes *column = choose(*fb::GetUnit(payload.data()));
  const_cast<uint8_t *>(column->data())[0] = value;
  return refusal(payload);
}

TEST(Payload, GivesBackTheSample) { EXPECT_TRUE(decodeText(encodePayload(sampleUnit())) == sampleUnit()); }

TEST(Payload, HoldsAnUnsetStringAsTheEmptyOne) {
  Unit unit = sampleUnit();
  unit.sites[SiteId(3)].path = StringId();
  EXPECT_TRUE(decodeText(encodePayload(unit)) == sampleUnit());
}

TEST(Payload, IsRefusedOrUnharmedWhenCutAtAnyByte) {
  std::string payload = encodePayload(sampleUnit());
  for (size_t size = 0; size < payload.size(); ++size)
    if (auto unit = decodeText(payload.substr(0, size))) EXPECT_TRUE(*unit == sampleUnit()) << size;
}

TEST(Payload, IsRefusedOrAModelOfItsOwnWhenAnyBitIsFlipped) {
  std::string payload = encodePayload(sampleUnit());
  for (size_t bit = 0; bit < payload.size() * 8; ++bit) {
    std::string flipped = payload;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    auto unit = decodeText(flipped);
    if (unit) EXPECT_TRUE(validate(*unit) && decodeText(encodePayload(*unit)) == *unit) << "bit " << bit;
  }
}

TEST(Payload, WithoutStructureIsRefused) { EXPECT_EQ(refusal(std::string(64, 'x')), "its structure is damaged"); }

TEST(Payload, WithABadFunctionIsRefused) {
  FunctionId first(0);
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.functions[first].display = StringId(999); }),
            "function 0 names a string that is not there");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.functions[first].siteCount = 999; }),
            "function 0 names sites that are not there");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.functions[first].siteCount = UINT32_MAX; }),
            "function 0 names sites that are not there");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.functions[first].siteCount = 5; }),
            "function 0 claims a site of another function");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.functions[first].siteCount = 3; }),
            "some of its sites belong to no function");
}

TEST(Payload, WithABadSiteIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.sites[SiteId(2)].field = StringId(999); }),
            "site 2 names a string that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.sites[SiteId(2)].kind = AccessKind(8); }), "its site table is damaged");
}

TEST(Payload, WithABadLateAccessIsRefused) {
  LateId mapped(2), unmapped(4);
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.late[mapped].function = FunctionId(9); }),
            "late access 2 names a function that is not there");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.late[mapped].first = 4; }), "late access 2 names sites past the end");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.late[mapped].origin = Origin::NoLocation; }),
            "late access 2 has sites against its origin");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.late[unmapped].origin = Origin::Line; }),
            "late access 4 has sites against its origin");
  EXPECT_EQ(refusalAfter([&](Unit &unit) { unit.late[mapped].origin = Origin(7); }),
            "its late access table is damaged");
  EXPECT_EQ(refusalAfter([](Unit &unit) { std::swap(unit.lateSites[2], unit.lateSites[3]); }),
            "late access 2 has sites out of order");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.lateSites[4] = SiteId(8); }),
            "late access 3 names a site that is not there");
}

TEST(Payload, WithABadSlotIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.functionSlots[1] = FunctionId(2); }),
            "slot 1 names a function that is not there");
}

TEST(Payload, WithABadColumnIsRefused) {
  constexpr uint8_t kUnfinished = 0x80, kMinusOne = 0x7f;
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.sites()->kind(); }, kUnfinished),
            "its site table is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.functions()->line(); }, kMinusOne),
            "its function table is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.late_sites(); }, kMinusOne),
            "its list of mapped sites is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.function_slots(); }, kMinusOne),
            "its list of function slots is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.string_lengths(); }, 1),
            "its string table is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.calls()->line(); }, kMinusOne),
            "its call table is damaged");
}

TEST(Payload, WithStatementsThatDoNotFitTheirStreamsIsRefused) {
  constexpr uint8_t kManyParts = 0x7f, kNoKind = 22;
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.statements()->form(); }, kManyParts),
            "its code is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.statements()->kind(); }, kNoKind),
            "its code is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.blocks()->statement_count(); }, 4),
            "its code is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.functions()->block_count(); }, kManyParts),
            "its code is damaged");
  EXPECT_EQ(refusalOfColumn([](const fb::Unit &unit) { return unit.statements()->operand_forms(); }, 8),
            "its code is damaged");
}

} // namespace
} // namespace deadheat::model
