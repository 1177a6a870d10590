// Encoding parts of a page gives the same bytes there as encoding the whole page, wherever the
// parts begin and end.
#include "store/format/page_codec.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/session_world.h"

namespace tenure::store {
namespace {

using abi::kPageBytes;
using testing::SessionWorld;

// The references within one database.
class References final : public ReferenceTranslator {
 public:
  explicit References(stabilize::Database& database) : database_(database) {}
  PlainReferences Plain() const override { return database_.Plain(); }
  Result<abi::Ref> ToMemory(PersistentRef stored, bool* outward) override {
    return database_.Locate(stored, outward);
  }
  PersistentRef ToStored(abi::Ref object) override { return database_.HomeOf(object); }
  uint64_t ProcedureToStored(void* code) override { return database_.ProcedureToStored(code); }
  void* ProcedureToMemory(PageId page, size_t offset, uint64_t stored, uint32_t shape) override {
    return database_.ProcedureToMemory(page, offset, stored, shape);
  }
  Result<const abi::TypeDescriptor*> TypeOf(uint32_t index) override {
    return database_.TypeOf(index);
  }
  uint32_t IndexOf(const abi::TypeDescriptor& type) override { return database_.IndexOf(type); }
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) override {
    return database_.SlotTypesOf(type);
  }

 private:
  stabilize::Database& database_;
};

// Whole words, not adjacent, in ascending order.
std::vector<PagePart> RandomParts(Random& random) {
  std::vector<PagePart> parts;
  const uint64_t distance = 1 + random.Below(64);
  for (uint64_t word = random.Below(distance); word < kPageBytes / 8;) {
    const uint64_t end = std::min<uint64_t>(kPageBytes / 8, word + 1 + random.Below(distance));
    parts.push_back({static_cast<uint32_t>(8 * word), static_cast<uint32_t>(8 * end)});
    word = end + 1 + random.Below(distance);
  }
  return parts;
}

TEST(PageParts, WhatOfThemLiesInAPlace) {
  const PagePart parts[] = {{8, 24}, {32, 48}, {64, 128}};
  PageParts asked(parts);
  std::string found;
  const auto note = [&](size_t begin, size_t end) {
    found += std::to_string(begin) + "-" + std::to_string(end) + " ";
  };
  asked.ForEachIn(0, 8, note);
  EXPECT_EQ(found, "");
  asked.ForEachIn(8, 40, note);
  EXPECT_EQ(found, "8-24 32-40 ");
  asked.ForEachIn(40, 64, note);
  EXPECT_EQ(found, "8-24 32-40 40-48 ");
  asked.ForEachIn(64, 96, note);
  asked.ForEachIn(96, 200, note);
  EXPECT_EQ(found, "8-24 32-40 40-48 64-96 96-128 ");
}

TEST(PageCodec, PartsAreEncodedAsTheWholePageIs) {
  SessionWorld world{stabilize::FaultTier::kMprotect, PageServerKind::kMemory};
  world.Start();
  world.Create();
  world.Open();
  world.CommitManyPages();
  // In a new process all objects are in their frames.
  world.Start();
  world.Open();
  world.Begin();
  ASSERT_TRUE(world.session->GetRoot(world.database).ok());
  stabilize::Database& database = *world.database;
  References references(database);
  Random random(5);
  uint64_t pages = 0;
  for (uint64_t n = 1; n <= database.server().MaxPage(database.id())->number; ++n) {
    const PageId page{n};
    const auto place = database.AddressOf(PersistentRef::Object(page, abi::kHeaderBytes));
    if (world.session->HandleFault(place, false).kind != stabilize::FaultAnswer::Kind::kResolved)
      continue;
    if (database.frames().At(page).run.large()) continue;
    ++pages;
    const std::byte* const image = database.AliasOf(page);
    std::vector<std::byte> whole(kPageBytes), some(kPageBytes);
    EncodePage(image, std::span(&kWholePage, 1), references, whole.data());
    for (int round = 0; round < 200; ++round) {
      const std::vector<PagePart> parts = RandomParts(random);
      std::fill(some.begin(), some.end(), std::byte{0xee});
      EncodePage(image, parts, references, some.data());
      for (const PagePart& part : parts) {
        ASSERT_EQ(std::memcmp(&some[part.begin], &whole[part.begin], part.end - part.begin), 0)
            << "page " << n << ", bytes from " << part.begin << " to " << part.end;
      }
    }
  }
  EXPECT_GT(pages, 3U);
}

}  // namespace
}  // namespace tenure::store
