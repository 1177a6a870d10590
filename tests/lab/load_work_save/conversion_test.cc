#include "lab/load_work_save/conversion.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "lab/load_work_save/tree.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::load_work_save {
namespace {

using mneme::MnemeFile;

class ConversionTest : public ::testing::TestWithParam<Scheme> {
 protected:
  ConversionTest() {
    shape_.height = 7;
    shape_.node_slots = shape_.leaf_slots = 3;
    shape_.node_bytes = shape_.leaf_bytes = 9;
    shape_.leaf_references = 2;
    const std::unique_ptr<MnemeFile> file = MnemeFile::Create(store_.server(), "file", 255);
    PointerMaker maker(*file);
    initial_counter = 0;
    file->set_root(Build(maker, shape_, shape_.height, {.bytes = 9}));
    file->Save();
    before_ = Checksum(*file);
  }
  std::unique_ptr<MnemeFile> Reopen() {
    store_.MakeCold();
    return MnemeFile::Open(store_.server(), "file");
  }

  LabStore store_{""};
  LowArena heap_;
  Shape shape_;
  uint64_t before_ = 0;
};

TEST_P(ConversionTest, ALoadedTreeIsAllSwizzled) {
  const std::unique_ptr<MnemeFile> file = Reopen();
  Conversion conversion(*file, GetParam(), heap_);
  Object* const root = conversion.LoadEagerly();
  SwizzledAccess access;
  sums = {};
  Traverse(access, root, shape_.height, {.read_bytes = 9});
  EXPECT_EQ(sums.visits, shape_.objects());
  EXPECT_EQ(conversion.counters().objects, shape_.objects());
  // Two children of each inner node, two references of each leaf to itself.
  EXPECT_EQ(conversion.counters().references,
            2 * (shape_.objects() - shape_.leaves()) + 2 * shape_.leaves());
  EXPECT_EQ(Tag::StateOf(root), State::kUnmodified);
}

TEST_P(ConversionTest, LazyLoadingConvertsWhatIsUsed) {
  const std::unique_ptr<MnemeFile> file = Reopen();
  Conversion conversion(*file, GetParam(), heap_);
  Object* const root = conversion.LoadLazily();
  EXPECT_EQ(Tag::StateOf(root), State::kUnswizzled);
  CheckedAccess access([&](Object* object) { conversion.Convert(object); });
  Object* const child = access.Child(access.Begin(root), 0);
  EXPECT_EQ(conversion.counters().objects, 1u);
  EXPECT_EQ(Tag::StateOf(child), State::kUnswizzled);
  (void)access.Begin(child);
  EXPECT_EQ(conversion.counters().objects, 2u);
}

TEST_P(ConversionTest, WhatIsPreparedUnchangedIsWhatWasLoaded) {
  const std::unique_ptr<MnemeFile> file = Reopen();
  Conversion conversion(*file, GetParam(), heap_);
  conversion.Prepare(conversion.LoadEagerly());
  EXPECT_EQ(conversion.counters().prepared_unmodified, shape_.objects());
  EXPECT_EQ(conversion.counters().prepared_modified, 0u);
  EXPECT_EQ(Checksum(*file), before_);
}

TEST_P(ConversionTest, ChangesAndNewObjectsAreSaved) {
  const auto change = [](Object* root, LowArena& heap) {
    root->bytes()[0] = 200;
    Tag::NoteChanged(root);
    HeapMaker<true> maker(heap);
    Object* const leaf = maker.Make(2, 5, {.bytes = 5}, nullptr, 1);
    root->slots()[3] = mneme::SlotOf(leaf);
    leaf->slots()[2] = mneme::SlotOf(root);
  };
  uint64_t sum = 0;
  {
    const std::unique_ptr<MnemeFile> file = Reopen();
    Conversion conversion(*file, GetParam(), heap_);
    Object* const root = conversion.LoadEagerly();
    initial_counter = 0;
    change(root, heap_);
    conversion.Prepare(root);
    EXPECT_EQ(conversion.counters().prepared_new, 1u);
    EXPECT_EQ(conversion.counters().prepared_modified, 1u);
    file->Save();
    sum = Checksum(*file);
    EXPECT_NE(sum, before_);
  }
  EXPECT_EQ(Checksum(*Reopen()), sum);
  // The same as in any other scheme.
  static uint64_t expected = 0;
  if (expected == 0) expected = sum;
  EXPECT_EQ(sum, expected);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ConversionTest, ::testing::ValuesIn(kSchemes),
                         [](const auto& scheme) {
                           std::string name(NameOf(scheme.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST(Checksum, TellsApartHowATreeIsConnected) {
  LabStore store("");
  const auto sum_of = [&](const char* database, bool crossed) {
    const std::unique_ptr<MnemeFile> file = MnemeFile::Create(store.server(), database, 255);
    PointerMaker maker(*file);
    initial_counter = 0;
    const ObjectId left = maker.Make(0, 4, {.bytes = 4}, nullptr, 0);
    const ObjectId right = maker.Make(0, 4, {.bytes = 4}, nullptr, 0);
    const ObjectId children[2] = {crossed ? right : left, crossed ? left : right};
    file->set_root(maker.Make(0, 0, {}, children, 0));
    return Checksum(*file);
  };
  EXPECT_EQ(sum_of("a", false), sum_of("b", false));
  EXPECT_NE(sum_of("c", false), sum_of("d", true));
}

}  // namespace
}  // namespace tenure::lab::load_work_save
