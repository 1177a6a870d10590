// Frames are published with their contents, whatever their memory held before, and stay protected.
#include "stabilize/frames/frame_mapping.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "base/sanitizers.h"
#include "stabilize/frames/fault_tiers.h"
#include "tests/support/memory_access.h"

namespace tenure::stabilize {
namespace {

using abi::kPageBytes;

class FrameMappingTest : public ::testing::TestWithParam<FaultTier> {
 protected:
  void SetUp() override {
    if (GetParam() == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    MappingOptions options;
    options.tier = GetParam();
    options.reserve_bytes = size_t{64} << 20;
    mapping = *CreateFrameMapping(options);
    ASSERT_TRUE(mapping->Grow(8 * kPageBytes).ok());
  }
  static std::vector<std::byte> Contents(int byte, size_t pages) {
    return std::vector<std::byte>(pages * kPageBytes, std::byte(byte));
  }
  bool Shows(const char* frame, const std::vector<std::byte>& contents) const {
    return std::memcmp(frame, contents.data(), contents.size()) == 0 &&
           std::memcmp(mapping->Alias(frame), contents.data(), contents.size()) == 0;
  }

  std::unique_ptr<FrameMapping> mapping;
};

TEST_P(FrameMappingTest, PublishedFramesShowTheirContents) {
  char* const frame = mapping->base() + kPageBytes;
  ASSERT_TRUE(mapping->Publish(frame, 2, Contents(1, 2).data()).ok());
  EXPECT_TRUE(Shows(frame, Contents(1, 2)));
  // These frames become writable, and read-only again, like others.
  ASSERT_TRUE(mapping->SetAccess(frame, 2, Access::kRead, Access::kWrite).ok());
  std::memset(frame, 2, 2 * kPageBytes);
  EXPECT_TRUE(Shows(frame, Contents(2, 2)));
}

TEST_P(FrameMappingTest, PublishedFramesCannotBeWritten) {
  char* const frame = mapping->base() + kPageBytes;
  ASSERT_TRUE(mapping->Publish(frame, 1, Contents(1, 1).data()).ok());
  EXPECT_FALSE(testing::MayWrite(frame));
}

// A process with many databases runs out of address space first.
TEST_P(FrameMappingTest, HundredsOfDatabasesHaveRoomAndThenThereIsAClearError) {
  if (kThreadSanitizer) GTEST_SKIP() << "the sanitizer leaves too little address space";
  MappingOptions options;
  options.tier = GetParam();
  std::vector<std::unique_ptr<FrameMapping>> many;
  Status failure;
  while (failure.ok() && many.size() < 5000) {
    Result<std::unique_ptr<FrameMapping>> made = CreateFrameMapping(options);
    failure = made.status();
    if (!made.ok()) break;
    many.push_back(*std::move(made));
    ASSERT_GE(many.back()->reserved_bytes(), size_t{64} << 30);
  }
  EXPECT_GT(many.size(), 300u);
  EXPECT_NE(std::string(failure.text()).find("too many"), std::string::npos) << failure.text();
  for (const auto& one : many) one->Retire(0);
  EXPECT_TRUE(CreateFrameMapping(options).ok());
}

// A frame may have been closed, or filled through the alias, with its memory still there: all of it
// or a part.
TEST_P(FrameMappingTest, OldContentsAreReplaced) {
  char* const frame = mapping->base() + kPageBytes;
  ASSERT_TRUE(mapping->Publish(frame, 1, Contents(1, 1).data()).ok());
  ASSERT_TRUE(mapping->SetAccess(frame, 1, Access::kRead, Access::kNone).ok());
  std::memset(mapping->Alias(frame) + 2 * kPageBytes + 4096, 7, 4096);
  ASSERT_TRUE(mapping->Publish(frame, 3, Contents(5, 3).data()).ok());
  EXPECT_TRUE(Shows(frame, Contents(5, 3)));
  EXPECT_FALSE(testing::MayWrite(frame + 2 * kPageBytes));
  // The same after its memory was given back.
  ASSERT_TRUE(mapping->Discard(frame).ok());
  ASSERT_TRUE(mapping->Publish(frame, 1, Contents(6, 1).data()).ok());
  EXPECT_TRUE(Shows(frame, Contents(6, 1)));
}

// A closed database keeps its addresses for ever, but no descriptor.
TEST_P(FrameMappingTest, ARetiredOneHasNoDescriptor) {
  const auto lowest_free = [] {
    const int descriptor = dup(STDERR_FILENO);
    close(descriptor);
    return descriptor;
  };
  mapping->Retire(8 * kPageBytes);
  const int free = lowest_free();
  MappingOptions options;
  options.tier = GetParam();
  options.reserve_bytes = size_t{64} << 20;
  std::vector<std::unique_ptr<FrameMapping>> retired;
  for (int i = 0; i < 10; ++i) {
    retired.push_back(*CreateFrameMapping(options));
    retired.back()->Retire(8 * kPageBytes);
  }
  EXPECT_EQ(lowest_free(), free);
}

INSTANTIATE_TEST_SUITE_P(Tiers, FrameMappingTest,
                         ::testing::Values(FaultTier::kMprotect, FaultTier::kUserfaultfd),
                         [](const auto& info) {
                           return info.param == FaultTier::kMprotect ? "Mprotect" : "Uffd";
                         });

}  // namespace
}  // namespace tenure::stabilize
