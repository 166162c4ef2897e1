//===-- PiecesTest.cpp - compares accesses divided into lines with each lane's bytes ----------------------------===//
#include "emulator/checks/Pieces.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace tilecc::emu;

namespace {

// The lanes that access a byte.
using Lanes = std::map<uint64_t, Mask>;

struct Divided {
  Lanes lanes;
  size_t pieces = 0;
};

Divided divide(Pieces &pieces, const std::vector<uint64_t> &addresses, uint32_t bytes, Mask lanes, Access::Kind kind) {
  Access access;
  access.kind = kind;
  access.bytes = bytes;
  access.lanes = lanes;
  access.address = addresses.data();
  Segment event{};
  event.pc = 77;
  pieces.build(access, event);
  Divided divided;
  std::map<uint64_t, int> firsts, counts;
  for (const Piece &piece : pieces) {
    ++divided.pieces;
    firsts[piece.line] += piece.first;
    ++counts[piece.line];
    EXPECT_EQ(piece.segment.pc, 77u);
    EXPECT_TRUE(bool(piece.segment.bytes));
    EXPECT_EQ(piece.line % lineBytes, 0u);
    for (uint32_t byte = 0; byte < lineBytes; ++byte)
      if (piece.segment.bytes[byte])
        divided.lanes[piece.line + byte] |= piece.segment.lanesAt(byte / 4);
  }
  for (Piece &piece : pieces)
    if (piece.first) {
      EXPECT_EQ(firsts[piece.line], 1);
      int chain = 1;
      for (int32_t next = piece.next; next >= 0; next = pieces[next].next, ++chain)
        EXPECT_EQ(pieces[next].line, piece.line);
      EXPECT_EQ(chain, counts[piece.line]);
    }
  return divided;
}

Lanes expected(const std::vector<uint64_t> &addresses, uint32_t bytes, Mask lanes) {
  Lanes result;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; lanes >> lane & 1 && i < bytes; ++i)
      result[addresses[lane] + i] |= Mask(1) << lane;
  return result;
}

std::vector<uint64_t> strided(uint64_t base, int64_t stride) {
  std::vector<uint64_t> addresses;
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses.push_back(base + lane * stride);
  return addresses;
}

TEST(Pieces, AreWhatTheLanesAccess) {
  std::mt19937_64 random(7);
  Pieces pieces;
  for (int round = 0; round < 3000; ++round) {
    uint32_t bytes = 1u << random() % 6;
    if (random() % 8 == 0)
      bytes = 12;
    std::vector<uint64_t> addresses;
    static const int64_t factors[] = {1, 1, 1, 0, 2, 3, -1, 33};
    uint64_t base = 0x1000 + random() % 64 * bytes;
    switch (random() % 4) {
    default:
      addresses = strided(base + 32 * bytes, factors[random() % 8] * int64_t(bytes));
      break;
    case 1: // a permutation
      addresses = strided(base, bytes);
      std::shuffle(addresses.begin(), addresses.end(), random);
      break;
    case 2: { // a few addresses, each shared by lanes
      uint32_t places = 1 + random() % 40;
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses.push_back(base + random() % places * bytes);
      break;
    }
    case 3: // all over the place, overlapping
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses.push_back(base + random() % 6000);
    }
    Mask lanes = random() % 3 ? random() & ~(random() << random() % 33) : ~Mask(0);
    auto kind = Access::Kind(random() % 3);
    EXPECT_EQ(divide(pieces, addresses, bytes, lanes, kind).lanes, expected(addresses, bytes, lanes));
  }
}

TEST(Pieces, AreFew) {
  Pieces pieces;
  auto count = [&](const std::vector<uint64_t> &addresses, uint32_t bytes, Access::Kind kind = Access::load) {
    return divide(pieces, addresses, bytes, ~Mask(0), kind).pieces;
  };
  EXPECT_EQ(count(strided(0x1000, 4), 4), 1u);
  EXPECT_EQ(count(strided(0x1004, 4), 4), 2u);
  EXPECT_EQ(count(strided(0x1000, 8), 8), 2u);
  EXPECT_EQ(count(strided(0x1000, 16), 16), 4u);
  EXPECT_EQ(count(strided(0x1000, 2), 2), 2u);
  EXPECT_EQ(count(strided(0x1000, 1), 1), 4u);
  EXPECT_EQ(count(strided(0x1000, 0), 4), 1u);
  EXPECT_EQ(count(strided(0x1000, 8), 4), 2u);
  EXPECT_EQ(count(strided(0x1000, 132), 4), 32u);
  std::vector<uint64_t> swizzled, groups, pairs;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    swizzled.push_back(0x1000 + lane / 8 * 128 + (lane % 8 ^ lane / 8) * 16);
    groups.push_back(0x1000 + lane / 8 * 4);
    pairs.push_back(0x1000 + lane / 2 * 4);
  }
  EXPECT_EQ(count(swizzled, 16), 4u);
  EXPECT_EQ(count(groups, 4), 4u);
  EXPECT_EQ(count(pairs, 4), 2u);
  EXPECT_EQ(count(pairs, 4, Access::store), 16u);
}

TEST(Segment, GranulesAndBytes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    ByteMask mask{random() & random() & random(), random() & random() & random()};
    uint32_t granules = granulesOf(mask);
    ByteMask all = bytesOf(granules);
    for (uint32_t granule = 0; granule < 32; ++granule) {
      ByteMask four = ByteMask::range(4 * granule, 4);
      ASSERT_EQ(granules >> granule & 1, bool(mask & four));
      ASSERT_TRUE((all & four) == (granules >> granule & 1 ? four : ByteMask()));
    }
  }
}

} // namespace
