#include "store/trees/tree_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/resident_memory.h"

namespace tenure::store {
namespace {

constexpr size_t kBytes = TreeBuffers::kBufferBytes;

char* TakeFrom(TreeBuffers& buffers) { return static_cast<char*>(buffers.Take()); }

TEST(TreeBuffers, AreApartAndComeAgain) {
  TreeBuffers buffers;
  std::set<char*> taken;
  for (int i = 0; i < 100; ++i) {
    char* const buffer = TakeFrom(buffers);
    ASSERT_NE(buffer, nullptr);
    EXPECT_TRUE(buffers.Contains(buffer) && buffers.Contains(buffer + kBytes - 1));
    std::memset(buffer, i, kBytes);
    taken.insert(buffer);
  }
  EXPECT_EQ(taken.size(), 100u);
  EXPECT_EQ(buffers.in_use(), 100u);
  EXPECT_FALSE(buffers.Contains(&buffers) || buffers.Contains(nullptr));
  for (char* buffer : taken) {
    for (size_t at = 0; at < kBytes; ++at) ASSERT_EQ(buffer[at], buffer[0]);
  }
  char* const one = *taken.begin();
  buffers.Give(one);
  EXPECT_EQ(TakeFrom(buffers), one);
  for (char* buffer : taken) buffers.Give(buffer);
  EXPECT_EQ(buffers.in_use(), 0u);
}

TEST(TreeBuffers, AreThereWhenMadeReadyAndGoWhenNoneIsInUse) {
  TreeBuffers buffers;
  std::vector<char*> taken = {TakeFrom(buffers)};
  for (int i = 0; i < 60; ++i) {
    buffers.Ready();
    taken.push_back(TakeFrom(buffers));
    EXPECT_GE(ResidentBytes(taken.back(), kBytes), kTreePageBytes);
  }
  // At most a megabyte more.
  for (int i = 0; i < 60; ++i) buffers.Ready();
  char* const end = taken.back() + kBytes;
  EXPECT_EQ(ResidentBytes(end + 4096, 512 << 10), size_t{(512 << 10) + 4096});
  EXPECT_EQ(ResidentBytes(end + (2 << 20), 1 << 20), 0u);
  EXPECT_EQ(buffers.in_use(), taken.size());
  for (char* buffer : taken) buffers.Give(buffer);
  EXPECT_GT(ResidentBytes(taken[0], kBytes), 0u);  // a megabyte is kept
  EXPECT_EQ(ResidentBytes(taken[40], kBytes), 0u);
}

TEST(TreeBuffers, AreMadeReadyWhileThreadsTakeAndGiveThem) {
  TreeBuffers buffers;
  void* const first = buffers.Take();
  std::thread server([&] { buffers.Serve(); });
  std::atomic<bool> right = true;
  std::vector<std::thread> users;
  for (int user = 0; user < 3; ++user) {
    users.emplace_back([user, &buffers, &right] {
      for (int turn = 0; turn < 20; ++turn) {
        std::vector<char*> mine;
        for (int i = 0; i < 50; ++i) {
          mine.push_back(TakeFrom(buffers));
          std::memset(mine.back(), user, kBytes);
        }
        for (char* buffer : mine) {
          if (buffer[0] != user || buffer[kBytes - 1] != user) right = false;
          buffers.Give(buffer);
        }
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_TRUE(right);
  EXPECT_EQ(buffers.in_use(), 1u);
  buffers.Give(first);  // which ends the service
  server.join();
}

TEST(TreeBuffers, AreNotGivenWhereThereIsNoRoom) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  TreeBuffers buffers;
  void* const first = buffers.Take();
  ASSERT_NE(first, nullptr);
  const rlimit none = {1, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &none), 0);
  std::vector<void*> taken;
  while (void* const buffer = buffers.Take()) taken.push_back(buffer);
  buffers.Ready();
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_LT(taken.size(), 40u);  // number of bytes that were open
  EXPECT_NE(buffers.Take(), nullptr);
  EXPECT_EQ(buffers.in_use(), taken.size() + 2);
}

// Other tests may have buffers in use.
TEST(TreeMemory, OtherSizesAreOfMalloc) {
  for (const size_t bytes : {kTreePageBytes - 1, 4 * kTreePageBytes}) {
    void* const memory = TreeAllocate(bytes);
    EXPECT_FALSE(TheTreeBuffers().Contains(memory));
    std::memset(memory, 1, bytes);
    TreeFree(memory);
  }
  TreeFree(nullptr);
}

TEST(TreeMemory, ReallocationKeepsWhatIsThere) {
  const size_t in_use = TheTreeBuffers().in_use();
  auto* memory = static_cast<char*>(TreeAllocate(100));
  std::strcpy(memory, "a few bytes");
  memory = static_cast<char*>(TreeReallocate(memory, kBytes));
  EXPECT_STREQ(memory, "a few bytes");
  TreeFree(memory);

  memory = static_cast<char*>(TreeAllocate(kTreePageBytes));
  EXPECT_TRUE(TheTreeBuffers().Contains(memory));
  std::strcpy(memory, "in a buffer");
  EXPECT_EQ(TreeReallocate(memory, kBytes), memory);
  std::strcpy(memory + kBytes - 4, "end");
  memory = static_cast<char*>(TreeReallocate(memory, 1 << 20));
  EXPECT_FALSE(TheTreeBuffers().Contains(memory));
  EXPECT_STREQ(memory, "in a buffer");
  EXPECT_STREQ(memory + kBytes - 4, "end");
  TreeFree(memory);
  EXPECT_EQ(TheTreeBuffers().in_use(), in_use);
}

}  // namespace
}  // namespace tenure::store
