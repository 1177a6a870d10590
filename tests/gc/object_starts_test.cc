#include "gc/object_starts.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

#include "tests/support/random.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

class ObjectStartsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    memory_ = mmap(nullptr, (kPages + 1) * abi::kPageBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory_, MAP_FAILED);
    const uintptr_t base =
        (reinterpret_cast<uintptr_t>(memory_) + abi::kPageBytes - 1) & ~(abi::kPageBytes - 1);
    ASSERT_TRUE(pages.Create(base, kPages * abi::kPageBytes).ok());
    ASSERT_TRUE(starts.Create(pages).ok());
  }
  void TearDown() override { munmap(memory_, (kPages + 1) * abi::kPageBytes); }

  // Tiles the page with objects and fillers; the owner of each granule, null for a filler's.
  std::vector<Ref> Tile(size_t page, Random& random) {
    std::vector<Ref> owner;
    char* at = pages.Begin(page);
    char* const end = at + abi::kPageBytes;
    while (at < end) {
      const size_t room = static_cast<size_t>(end - at);
      const bool filler = random.OneIn(3) || room < 24;
      size_t bytes = 8 + 8 * random.Below(filler ? 6 : 30);
      if (!filler && bytes < 24) bytes = 24;
      if (bytes > room) bytes = room;
      auto* header = reinterpret_cast<ObjectHeader*>(at);
      if (filler) {
        header->word = ObjectHeader::ForFiller(static_cast<uint32_t>(bytes));
      } else {
        header->word = ObjectHeader::ForType(&kNodeType);
        static_cast<uint64_t*>(static_cast<void*>(at))[2] = (bytes - 24) / 8;
      }
      owner.insert(owner.end(), bytes / 8, filler ? nullptr : at + abi::kHeaderBytes);
      at += bytes;
    }
    return owner;
  }

  static constexpr size_t kPages = 4;
  void* memory_;
  PageTable pages;
  ObjectStarts starts;
};

TEST_F(ObjectStartsTest, EveryAddressFindsItsObject) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<Ref>> owners;
    for (size_t page = 0; page < kPages; ++page) {
      owners.push_back(Tile(page, random));
      pages.At(page).starts_known = false;
      starts.EnsureKnown(page);
      EXPECT_TRUE(pages.At(page).starts_known);
    }
    for (size_t page = 0; page < kPages; ++page) {
      for (size_t granule = abi::kPageBytes / 8; granule-- > 0;) {
        char* address = pages.Begin(page) + granule * 8;
        const Ref owner = owners[page][granule];
        EXPECT_EQ(starts.Containing(address), owner);
        EXPECT_EQ(starts.Containing(address + 7), owner);
      }
    }
  }
}

TEST_F(ObjectStartsTest, KnownMapsAreNotMadeAgain) {
  Random random(4);
  Tile(1, random);
  starts.Reset(1);
  starts.EnsureKnown(1);
  EXPECT_EQ(starts.Containing(pages.Begin(1)), nullptr);
  auto* header = reinterpret_cast<ObjectHeader*>(pages.Begin(1));
  starts.Set(header);
  EXPECT_EQ(starts.Containing(pages.Begin(1)), pages.Begin(1) + 8);
}

}  // namespace
}  // namespace tenure::gc
