#include "lab/mneme/mneme_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "lab/mneme/call_interface.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::mneme {
namespace {

class MnemeFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<MnemeFile> Create(uint32_t objects_in_logical = 255) {
    return MnemeFile::Create(store_.server(), "file", objects_in_logical);
  }
  std::unique_ptr<MnemeFile> Reopen() {
    store_.MakeCold();
    return MnemeFile::Open(store_.server(), "file");
  }

  LabStore store_{""};
};

TEST_F(MnemeFileTest, ObjectsComeBackUnderTheirIdentifiers) {
  std::vector<ObjectId> ids;
  {
    const std::unique_ptr<MnemeFile> file = Create();
    for (uint32_t i = 0; i < 5000; ++i) {
      ObjectId id;
      Object* const object = file->Create(3, i % 40, 7, &id);
      object->slots()[0] = i;
      object->slots()[1] = ids.empty() ? 0 : ids.back().slot();
      for (uint32_t k = 0; k < i % 40; ++k) object->bytes()[k] = static_cast<uint8_t>(i + k);
      ids.push_back(id);
    }
    file->set_root(ids.back());
    file->Save();
  }
  const std::unique_ptr<MnemeFile> file = Reopen();
  ObjectId id = file->root();
  for (uint32_t i = 5000; i-- > 0;) {
    ASSERT_EQ(id, ids[i]);
    const Object* const object = MnemeFile::Locate(id);
    ASSERT_EQ(object->slots()[0], i);
    ASSERT_EQ(object->attributes(), 7u);
    ASSERT_EQ(object->byte_count(), i % 40);
    for (uint32_t k = 0; k < i % 40; ++k) {
      ASSERT_EQ(object->bytes()[k], static_cast<uint8_t>(i + k));
    }
    id = ObjectId::FromSlot(object->slots()[1]);
  }
}

TEST_F(MnemeFileTest, ASegmentIsReadWhenOneOfItsObjectsIsLocated) {
  ObjectId first, second;
  {
    const std::unique_ptr<MnemeFile> file = Create();
    (void)file->Create(4000, 0, 0, &first);
    (void)file->Create(4000, 0, 0, &second);
    ObjectId third;
    (void)file->Create(4000, 0, 0, &third);  // the third does not fit into the segment
    file->set_root(first);
    file->Save();
    EXPECT_NE(first.logical(), third.logical());
  }
  const std::unique_ptr<MnemeFile> file = Reopen();
  EXPECT_FALSE(MnemeFile::IsResident(first));
  (void)MnemeFile::Locate(first);
  EXPECT_TRUE(MnemeFile::IsResident(second));
  EXPECT_EQ(file->counters().segments_read, 1u);
}

TEST_F(MnemeFileTest, ALogicalSegmentHasNoMoreObjectsThanItMay) {
  const std::unique_ptr<MnemeFile> file = Create(/*objects_in_logical=*/10);
  ObjectId id;
  for (int i = 0; i < 25; ++i) (void)file->Create(1, 0, 0, &id);
  EXPECT_EQ(id.logical(), 2u);
  EXPECT_EQ(id.object(), 4u);
  EXPECT_EQ(file->ObjectsIn(0), 10u);
  EXPECT_EQ(file->ObjectsIn(2), 5u);
  uint32_t first = 9, count = 0;
  file->SegmentAround(1, &first, &count);
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(count, 3u);
}

TEST_F(MnemeFileTest, OnlyChangedSegmentsAreWritten) {
  const std::unique_ptr<MnemeFile> file = Create();
  ObjectId first, last;
  (void)file->Create(4000, 0, 0, &first);
  for (int i = 0; i < 8; ++i) (void)file->Create(4000, 0, 0, &last);
  file->set_root(first);
  file->Save();
  const uint64_t written = file->counters().segments_written;
  MnemeFile::Locate(last)->slots()[5] = 17;
  file->NoteChanged(last);
  file->Save();
  EXPECT_EQ(file->counters().segments_written, written + 1);
}

TEST_F(MnemeFileTest, CallsRefuseWhatIsNotInTheObject) {
  const std::unique_ptr<MnemeFile> file = Create();
  Handle handle;
  ObjectId id;
  ASSERT_TRUE(CreateByHandle(*file, 4, 10, &handle, &id));
  const Slot slots[4] = {1, 2, 3, 4};
  Slot got[4] = {};
  uint8_t bytes[12] = {};
  EXPECT_TRUE(PutSlots(*file, handle, 0, 4, slots));
  EXPECT_TRUE(GetSlots(handle, 1, 3, got));
  EXPECT_EQ(got[2], 4u);
  EXPECT_FALSE(GetSlots(handle, 2, 3, got));
  EXPECT_FALSE(PutSlots(*file, handle, 5, 0, slots));
  EXPECT_FALSE(GetBytes(handle, 0, 11, bytes));
  EXPECT_FALSE(GetBytes(handle, ~0u, 2, bytes));
  EXPECT_FALSE(GetSlots(Handle(), 0, 0, got));
  EXPECT_FALSE(OpenHandle(ObjectId(), &handle));
}

}  // namespace
}  // namespace tenure::lab::mneme
