// Pages with changed bytes and corrected checksums: verification reports them, a session with
// `paranoid` refuses them with the page's number, and pages that it accepts can be read. No process
// crashes. TENURE_LONG makes many more rounds.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <memory>
#include <string>

#include "store/server/verifier.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/session_world.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::PageImage;
using testing::ReadPage;
using testing::SessionWorld;

class HostilePages : public ::testing::Test {
 protected:
  void SetUp() override {
    world.paranoid = true;
    world.Start();
    world.Create();
    world.Open();
    world.CommitManyPages();
  }

  // Opens the database in a new process.
  void Restart() {
    world.Start();
    world.Open();
  }

  PageServer& server() { return world.database->server(); }
  DatabaseId id() { return world.database->id(); }

  void Replace(PageId page, const PageImage& image) {
    const auto now = ReadPage(server(), id(), page);
    CommitBuilder builder(server(), id());
    builder.Whole(page, now->record.version, image, now->record.run);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  }

  // Touches every page, as a program would; returns the first failure.
  Status ReadAll() {
    const Result<abi::Ref> root = world.session->GetRoot(world.database);
    if (!root.ok()) return root.status();
    for (uint64_t n = 1; n <= server().MaxPage(id())->number; ++n) {
      if (!ReadPage(server(), id(), PageId{n})->status.ok()) continue;
      const stabilize::FaultAnswer answer = world.session->HandleFault(
          world.database->AddressOf(PersistentRef::Object(PageId{n}, 8)), false);
      if (answer.kind != stabilize::FaultAnswer::Kind::kResolved) return answer.status;
    }
    return Status::Ok();
  }

  SessionWorld world{stabilize::FaultTier::kMprotect, PageServerKind::kMemory};
};

TEST_F(HostilePages, ChangedWordsWithRightChecksums) {
  const uint64_t seed = 11;
  Random random(seed);
  const int rounds = getenv("TENURE_LONG") != nullptr ? 20000 : 400;
  int told = 0, harmless = 0;
  Restart();
  const uint64_t pages = server().MaxPage(id())->number;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    const PageId page{1 + random.Below(pages)};
    const auto old = ReadPage(server(), id(), page);
    if (!old->status.ok()) continue;
    PageImage good, bad;
    std::memcpy(good.bytes, old->record.contents, sizeof good.bytes);
    bad = good;
    for (uint64_t n = 1 + random.Below(3); n > 0; --n) {
      std::byte* const at = bad.bytes + 8 * random.Below(random.OneIn(2) ? 64 : 1024);
      uint64_t word;
      std::memcpy(&word, at, sizeof word);
      switch (random.Below(4)) {
        case 0: word ^= uint64_t{1} << random.Below(64); break;
        case 1: word += 8 * random.Below(32); break;
        case 2: word = random.Next(); break;
        default: word = 8 * random.Below(pages * 1024); break;
      }
      std::memcpy(at, &word, sizeof word);
    }
    Replace(page, bad);
    const Result<VerifyReport> report = VerifyDatabase(server(), id());
    ASSERT_TRUE(report.ok()) << report.status().text();
    const uint64_t transaction = world.Begin();
    const Status read = ReadAll();
    if (read.ok()) {
      ++harmless;
      (void)world.Snapshot();  // accepted pages can be walked
    } else {
      ++told;
      ASSERT_NE(std::string(read.text()).find("damaged"), std::string::npos) << read.text();
      ASSERT_FALSE(report->ok()) << "only a program finds: " << read.text();
    }
    ASSERT_TRUE(world.session->Abort(transaction).ok());
    Replace(page, good);
    Restart();
  }
  EXPECT_GT(told, rounds / 10);
  EXPECT_GT(harmless, 0);
}

TEST_F(HostilePages, ReferenceIntoTheMiddleOfAnObjectNamesBothPlaces) {
  Restart();
  const PersistentRef root = *server().Root(id());
  const auto old = ReadPage(server(), id(), root.page());
  PageImage image;
  std::memcpy(image.bytes, old->record.contents, sizeof image.bytes);
  // The first reference of the root cell is the first word that names the root's own database.
  bool changed = false;
  for (size_t at = root.offset() + 8; at + 8 <= sizeof image.bytes && !changed; at += 8) {
    PersistentRef reference;
    std::memcpy(&reference, image.bytes + at, sizeof reference);
    if (!reference.well_formed_object() || reference.page().number > 20) continue;
    reference.bits += 8;
    std::memcpy(image.bytes + at, &reference, sizeof reference);
    changed = true;
  }
  ASSERT_TRUE(changed);
  Replace(root.page(), image);
  world.Begin();
  const Status read = ReadAll();
  EXPECT_EQ(read.code(), StatusCode::kCorrupt);
  const std::string text = read.text();
  EXPECT_NE(text.find("where no object begins"), std::string::npos) << text;
  EXPECT_NE(text.find("page " + std::to_string(root.page().number) + " is damaged"),
            std::string::npos)
      << text;
}

TEST_F(HostilePages, RootThatIsNoObject) {
  Restart();
  CommitBuilder builder(server(), id());
  builder.Root({server().Root(id())->bits + 16});
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  world.Begin();
  const Result<abi::Ref> root = world.session->GetRoot(world.database);
  ASSERT_FALSE(root.ok());
  EXPECT_NE(std::string(root.status().text()).find("the root is damaged"), std::string::npos);
}

}  // namespace
}  // namespace tenure::store
