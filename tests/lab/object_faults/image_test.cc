#include "lab/object_faults/image.h"

#include <gtest/gtest.h>

#include <memory>

#include "lab/object_faults/parts.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::object_faults {
namespace {

using mneme::MnemeFile;

class ImageTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kParts = 1000;

  void SetUp() override {
    MakeParts(*MnemeFile::Create(store_.server(), "parts", 255), {.parts = kParts});
    Open();
  }
  void Open() {
    file_.reset();
    store_.MakeCold();
    file_ = MnemeFile::Open(store_.server(), "parts");
  }
  template <Detection kDetection>
  uint64_t Traverse(Image& image, uint32_t part, int64_t hops) {
    image.seen = 0;
    const Slot found = image.Send<kDetection>(image.Root(), Message::kFind, part);
    (void)image.Send<kDetection>(found, Message::kVisit, hops);
    return image.seen;
  }
  uint64_t Expected(uint32_t part, int64_t hops) {
    Open();
    Image all(*file_, {Detection::kNone});
    all.LoadAll();
    return Traverse<Detection::kNone>(all, part, hops);
  }

  LabStore store_{""};
  std::unique_ptr<MnemeFile> file_;
};

TEST_F(ImageTest, EverySystemMeetsTheSameParts) {
  const uint64_t expected = Expected(17, 7);
  EXPECT_NE(expected, 0u);
  for (const Granule granule : {Granule::kObject, Granule::kLogical, Granule::kPhysical}) {
    for (const bool eliminate : {true, false}) {
      Open();
      Image tagged(*file_, {Detection::kTagged, granule, eliminate});
      EXPECT_EQ(Traverse<Detection::kTagged>(tagged, 17, 7), expected);
      Open();
      Image blocks(*file_, {Detection::kBlocks, granule, eliminate});
      EXPECT_EQ(Traverse<Detection::kBlocks>(blocks, 17, 7), expected);
      Open();
      Image checked(*file_, {Detection::kChecked, granule, eliminate});
      EXPECT_EQ(Traverse<Detection::kChecked>(checked, 17, 7), expected);
      EXPECT_EQ(checked.counters().faults, blocks.counters().faults);
      Open();
      Image pages(*file_, {Detection::kPages, granule, eliminate});
      EXPECT_EQ(Traverse<Detection::kPages>(pages, 17, 7), expected);
      EXPECT_EQ(pages.counters().faults, blocks.counters().faults);
      EXPECT_EQ(pages.counters().traps, pages.counters().faults + pages.counters().indirections);
    }
  }
}

TEST_F(ImageTest, AnObjectAtATimeBringsOnlyWhatIsSentAMessage) {
  Image image(*file_, {Detection::kBlocks, Granule::kObject});
  (void)Traverse<Detection::kBlocks>(image, 3, 0);
  // The library, an inner node, a leaf, the part.
  EXPECT_EQ(image.counters().faults, 4u);
  EXPECT_EQ(image.counters().resident, 4u);
}

TEST_F(ImageTest, EliminationLeavesNoIndirectionsToAHotTraversal) {
  Image eager(*file_, {Detection::kBlocks, Granule::kObject, true});
  (void)Traverse<Detection::kBlocks>(eager, 5, 5);
  const uint64_t met = eager.counters().indirections;
  (void)Traverse<Detection::kBlocks>(eager, 5, 5);
  EXPECT_EQ(eager.counters().indirections, met);
  Open();
  Image lazy(*file_, {Detection::kBlocks, Granule::kObject, false});
  (void)Traverse<Detection::kBlocks>(lazy, 5, 5);
  const uint64_t before = lazy.counters().indirections;
  (void)Traverse<Detection::kBlocks>(lazy, 5, 5);
  EXPECT_GT(lazy.counters().indirections, before);
}

TEST_F(ImageTest, TaggedIdentifiersStayInTheirFields) {
  Image image(*file_, {Detection::kTagged, Granule::kObject});
  (void)Traverse<Detection::kTagged>(image, 5, 4);
  const uint64_t first = image.counters().translations;
  (void)Traverse<Detection::kTagged>(image, 5, 4);
  EXPECT_EQ(image.counters().translations, 2 * first);
}

}  // namespace
}  // namespace tenure::lab::object_faults
