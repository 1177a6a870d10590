#include "stabilize/frames/block_memory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "stabilize/frames/piece_array.h"
#include "tests/support/random.h"

namespace tenure::stabilize {
namespace {

// Blocks of any lengths, in any order, do not overlap.
TEST(BlockMemory, BlocksAreApart) {
  struct Block {
    size_t bytes;
    unsigned char fill;
  };
  constexpr size_t kLongest = 600 << 10;  // longer than a block that is cut from a chunk
  Random random(1);
  std::map<unsigned char*, Block> blocks;
  const auto give_back = [&](auto block) {
    for (size_t i = 0; i < block->second.bytes; ++i) {
      ASSERT_EQ(block->first[i], block->second.fill);
    }
    GiveBlockBack(block->first, block->second.bytes);
    blocks.erase(block);
  };
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i) {
      if (!blocks.empty() && random.Next() % 3 == 0) {
        auto block = blocks.begin();
        std::advance(block, random.Next() % blocks.size());
        give_back(block);
        continue;
      }
      const size_t bytes = 1 + random.Next() % (random.Next() % 50 == 0 ? kLongest : 3000);
      auto* const block = static_cast<unsigned char*>(TakeBlock(bytes));
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % alignof(std::max_align_t), 0u);
      const auto fill = static_cast<unsigned char>(random.Next());
      std::memset(block, fill, bytes);
      blocks[block] = {bytes, fill};
    }
    while (!blocks.empty()) give_back(blocks.begin());
  }
}

TEST(BlockMemory, ChunksAreReadyAfterAWhile) {
  DropReadyChunks();
  EXPECT_EQ(TakeReadyChunk(), nullptr);
  ExpectChunks(2);
  std::vector<std::shared_ptr<std::byte>> chunks;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (chunks.size() < 2 && std::chrono::steady_clock::now() < end) {
    // A ready chunk that is taken is not requested again.
    if (auto chunk = TakeReadyChunk()) {
      std::memset(chunk.get(), 1, kChunkBytes);
      chunks.push_back(std::move(chunk));
    }
    ExpectChunks(2 - chunks.size());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(chunks.size(), 2u);
}

TEST(PieceArray, GrowsAndIsCut) {
  PieceArray<uint64_t> array;
  constexpr size_t kMany = 20'000;
  for (size_t i = 0; i < kMany; ++i) array.push_back(i);
  const uint64_t* const first = &array[0];
  for (const size_t left : {kMany - 1, kMany / 2, size_t{3}}) {
    array.Truncate(left);
    ASSERT_EQ(array.size(), left);
    EXPECT_EQ(array.back(), left - 1);
  }
  for (size_t i = 3; i < kMany; ++i) array.push_back(2 * i);
  EXPECT_EQ(&array[0], first);
  for (size_t i = 0; i < kMany; ++i) ASSERT_EQ(array[i], i < 3 ? i : 2 * i);
  array.Truncate(0);
  EXPECT_EQ(array.size(), 0u);
}

}  // namespace
}  // namespace tenure::stabilize
