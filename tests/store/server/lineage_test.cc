// The identity that distinguishes a store and its exported objects from copies, and the part of it
// in format version 1.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "store/bdb/bdb_records.h"
#include "store/files/store_format.h"
#include "store/open.h"
#include "store/server/commit_image.h"
#include "store/server/reference_entries.h"

namespace tenure::store {
namespace {

using ::testing::HasSubstr;

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

constexpr const char* kVersion1 =
    "Tenure store\nversion 1\nuuid e86ed32342c442329c627ff33a6306d4\nchecksum fa88d9c4\n";

class LineageTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/lineage-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string Place(const std::string& name) const { return directory_ + "/" + name; }
  // Opens and closes the store; returns its lineage.
  uint64_t Opened(const std::string& name, OpenMode mode = OpenMode::kOpen) {
    StoreOptions options;
    options.mode = mode;
    Result<std::unique_ptr<PageServer>> server = OpenStore(Place(name), options);
    EXPECT_TRUE(server.ok()) << server.status().text();
    if (!server.ok()) return 0;
    const uint64_t lineage = (*server)->lineage();
    EXPECT_TRUE((*server)->Close().ok());
    return lineage;
  }

  std::string directory_;
};

TEST_F(LineageTest, FormatIsReadAsItWasWritten) {
  StoreFormat format;
  format.uuid = NewUuid();
  format.lineage = NewTag();
  format.mark = "17.1.2";
  const Result<StoreFormat> read = DecodeFormat(EncodeFormat(format), "F", "S");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->uuid, format.uuid);
  EXPECT_EQ(read->lineage, format.lineage);
  EXPECT_EQ(read->mark, format.mark);
  std::string text = EncodeFormat(format);
  text[text.find("lineage") + 8] ^= 1;
  EXPECT_EQ(DecodeFormat(text, "F", "S").status().code(), StatusCode::kCorrupt);
}

TEST_F(LineageTest, FormatVersion1HasNone) {
  const Result<StoreFormat> read = DecodeFormat(kVersion1, "F", "S");
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(read->version, 1);
  EXPECT_EQ(read->lineage, 0u);
  std::string later = kVersion1;
  later.replace(later.find("version 1"), 9, "version 9");
  const Result<StoreFormat> refused = DecodeFormat(later, "F", "S");
  EXPECT_EQ(refused.status().code(), StatusCode::kFormat);
  EXPECT_THAT(refused.status().text(), HasSubstr("version 9"));
}

TEST_F(LineageTest, EntriesOfVersion1HaveNoTags) {
  ByteWriter import;
  const Uuid uuid = NewUuid();
  import.PutBytes(uuid.bytes.data(), uuid.bytes.size());
  import.PutNumber(7);
  import.PutText("../other");
  import.PutText("main");
  const auto entry = DecodeImport(BytesOf(WithChecksum(import.text())));
  ASSERT_TRUE(entry);
  EXPECT_EQ(*entry, (ImportEntry{uuid, "../other", "main", 7, 0, 0}));
  ByteWriter object;
  object.PutNumber(8200);
  const auto exported = DecodeExport(BytesOf(WithChecksum(object.text())));
  ASSERT_TRUE(exported);
  EXPECT_EQ(*exported, (ExportEntry{PersistentRef{8200}, 0}));

  const ImportEntry tagged{uuid, "", "b", 3, NewTag(), NewTag()};
  EXPECT_EQ(DecodeImport(BytesOf(EncodeImport(tagged))), tagged);
  const ExportEntry other{PersistentRef{8200}, NewTag()};
  EXPECT_EQ(DecodeExport(BytesOf(EncodeExport(other))), other);
}

TEST_F(LineageTest, PreparedCommitsKeepTags) {
  const ImportEntry import{NewUuid(), "../x", "main", 5, NewTag(), NewTag()};
  const ExportEntry exported{PersistentRef{8200}, NewTag()};
  DatabaseCommit part;
  part.imports = std::span(&import, 1);
  part.exports = std::span(&exported, 1);
  const CommitRequest request{NewCommitId(), std::span(&part, 1), {}};
  const Coordinator coordinator{NewUuid(), "../c", NewTag()};
  for (const NumberForm form : {NumberForm::kFixed, NumberForm::kShort}) {
    const std::string bytes =
        EncodePrepared(request, coordinator, [](DatabaseId) { return "main"; }, form);
    auto image = PreparedImage::Decode(BytesOf(bytes), form);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->coordinator().lineage, coordinator.lineage);
    const DatabaseId id{0};
    const CommitRequest read = image->Request(request.id, std::span(&id, 1));
    ASSERT_EQ(read.databases[0].imports.size(), 1u);
    EXPECT_EQ(read.databases[0].imports[0], import);
    EXPECT_EQ(read.databases[0].exports[0], exported);
  }
}

TEST_F(LineageTest, ACopyGetsOneOfItsOwn) {
  const uint64_t first = Opened("store", OpenMode::kCreate);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(Opened("store"), first);
  std::filesystem::copy(Place("store"), Place("copy"), std::filesystem::copy_options::recursive);
  const uint64_t copy = Opened("copy");
  EXPECT_NE(copy, first);
  EXPECT_EQ(Opened("copy"), copy);
  // A moved store keeps its identity.
  std::filesystem::rename(Place("store"), Place("moved"));
  EXPECT_EQ(Opened("moved"), first);
}

TEST_F(LineageTest, AStoreOfVersion1GetsOneWhenItIsOpened) {
  ASSERT_NE(Opened("store", OpenMode::kCreate), 0u);
  std::ofstream(Place("store/FORMAT"), std::ios::trunc) << kVersion1;
  const uint64_t lineage = Opened("store");
  EXPECT_NE(lineage, 0u);
  EXPECT_EQ(Opened("store"), lineage);
  const Result<StoreFormat> format = ReadStoreFormat(Place("store"));
  ASSERT_TRUE(format.ok());
  EXPECT_EQ(format->version, kStoreFormatVersion);
}

}  // namespace
}  // namespace tenure::store
