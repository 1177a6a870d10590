// Clients that send well-formed requests whose objects and references have types that contradict
// each other: the request is refused, and verification finds nothing afterwards.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "store/format/page_codec.h"
#include "store/format/random_source.h"
#include "store/format/unfinished_import.h"
#include "store/remote/remote_page_server.h"
#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;
using testing::CommitBuilder;
using testing::CommitWanted;
using testing::PageImage;
using testing::ReadPage;

std::string Fingerprint(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

const std::string kLeaf = "fingerprint " + Fingerprint(0xa1) +
                          "\nname M.Leaf\nsupertype ROOT\nkind object\npayload 8\n"
                          "field 0 64 word INTEGER\nend\n";
const std::string kSubLeaf = "fingerprint " + Fingerprint(0xa2) +
                             "\nname M.SubLeaf\nsupertype M.Leaf\nbelow " + Fingerprint(0xa1) +
                             " M.Leaf\nkind object\npayload 16\n"
                             "field 0 64 word INTEGER\nfield 64 64 more INTEGER\nend\n";
const std::string kOther = "fingerprint " + Fingerprint(0xa3) +
                           "\nname M.Other\nsupertype ROOT\nkind object\npayload 8\n"
                           "field 0 64 word INTEGER\nend\n";
const std::string kNode = "fingerprint " + Fingerprint(0xa4) +
                          "\nname M.Node\nsupertype ROOT\nkind object\npayload 32\nslots 0 3 8 0\n"
                          "field 0 64 next M.Node\nrefers " +
                          Fingerprint(0xa4) + " M.Node\nfield 64 64 leaf M.Leaf\nrefers " +
                          Fingerprint(0xa1) + " M.Leaf\nfield 128 64 any REFANY\nrefers " +
                          Fingerprint(1) + " REFANY\nfield 192 64 word INTEGER\nend\n";
const std::string kLeaves = "fingerprint " + Fingerprint(0xa5) +
                            "\nname M.Leaves\nkind ref\npayload 0\nopen 1 8\n"
                            "element-slots 0 1 8 0\nfield 0 64  M.Leaf\nrefers " +
                            Fingerprint(0xa1) + " M.Leaf\nend\n";
const std::string kMark = std::string("fingerprint 0000000000000000\nname ") +
                          kUnfinishedImportType + "\nkind ref\npayload 8\nend\n";

// A page that is filled from its beginning on.
class PageFiller {
 public:
  // Returns the object's reference.
  PersistentRef Add(PageId page, uint32_t type, const std::vector<uint64_t>& payload) {
    Put(used_, uint64_t{type} << kStoredTypeShift);
    for (size_t i = 0; i < payload.size(); ++i) Put(used_ + kHeaderBytes + 8 * i, payload[i]);
    const size_t at = used_ + kHeaderBytes;
    used_ = at + 8 * payload.size();
    return PersistentRef::Object(page, at);
  }
  size_t used() const { return used_; }
  PageImage Finish() {
    PageImage done = image_;
    std::memset(done.bytes + used_, 0, kPageBytes - used_);
    StoreFiller(done.bytes + used_, kPageBytes - used_);
    return done;
  }

 private:
  void Put(size_t at, uint64_t word) { std::memcpy(image_.bytes + at, &word, sizeof word); }

  PageImage image_ = {};
  size_t used_ = 0;
};

class HostileTypes : public ::testing::Test {
 protected:
  static constexpr uint64_t kElements = 2500;  // three pages

  void SetUp() override {
    std::filesystem::create_directory(directory_.path());
    store_ = directory_.path() + "/store";
    served_ = std::make_unique<testing::ServedStore>(store_, /*checks_contents=*/true);
    server_ = *RemotePageServer::Connect(store_);
    database_ = *server_->OpenDatabase("main", OpenMode::kOpenOrCreate);
    ASSERT_TRUE(server_->StartTransaction().ok());
    leaf_ = Add(kLeaf);
    sub_leaf_ = Add(kSubLeaf);
    other_ = Add(kOther);
    node_ = Add(kNode);
    leaves_ = Add(kLeaves);
    page_ = server_->AllocatePages(database_, 1)->first;
    large_page_ = server_->AllocatePages(database_, 3)->first;
    PageFiller page;
    a_leaf_ = page.Add(page_, leaf_, {1});
    a_sub_leaf_ = page.Add(page_, sub_leaf_, {2, 3});
    an_other_ = page.Add(page_, other_, {4});
    a_node_ = page.Add(page_, node_, {0, a_leaf_.bits, an_other_.bits, 5});
    next_node_ = page.Add(page_, node_, {a_node_.bits, 0, 0, 6});
    some_leaves_ = page.Add(page_, leaves_, {3, a_leaf_.bits, 0, a_sub_leaf_.bits});
    used_ = page.used();
    image_ = page.Finish();
    large_ = Large(3, kElements);
    CommitBuilder builder(*server_, database_);
    builder.Whole(page_, 0, image_);
    for (uint32_t i = 0; i < 3; ++i) builder.Whole(large_page_ + i, 0, large_[i], {leaves_, i, 3});
    const CommitAnswer answer = builder.Root(next_node_).Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    version_ = answer.version;
  }

  void TearDown() override {
    if (server_ == nullptr) return;
    server_->EndTransaction();
    server_.reset();
    ExpectSound();
  }

  uint32_t Add(const std::string& description) {
    const auto index = server_->AddType(std::as_bytes(std::span(description)));
    EXPECT_TRUE(index.ok()) << index.status().text() << description;
    return index.ok() ? *index : 0;
  }

  void ExpectSound() {
    const auto honest = *RemotePageServer::Connect(store_);
    const auto names = honest->ListDatabases();
    ASSERT_TRUE(names.ok());
    for (const std::string& name : *names) {
      const DatabaseId database = *honest->OpenDatabase(name, OpenMode::kOpen);
      ASSERT_TRUE(honest->StartTransaction().ok());
      auto report = VerifyDatabase(*honest, database);
      // The server may not have noticed yet that another client is gone: the transaction is one
      // to be tried again.
      for (int i = 0; i < 100 && report.status().code() == StatusCode::kConflict; ++i) {
        honest->EndTransaction();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ASSERT_TRUE(honest->StartTransaction().ok());
        report = VerifyDatabase(*honest, database);
      }
      ASSERT_TRUE(report.ok()) << report.status().text();
      EXPECT_TRUE(report->ok()) << report->problems.front();
      honest->EndTransaction();
    }
  }

  // The pages of an array of leaves.
  std::vector<PageImage> Large(uint32_t pages, uint64_t elements) const {
    std::vector<PageImage> images(pages);
    for (PageImage& image : images) std::memset(image.bytes, 0, kPageBytes);
    const uint64_t header = uint64_t{leaves_} << kStoredTypeShift;
    std::memcpy(images[0].bytes, &header, 8);
    std::memcpy(images[0].bytes + 8, &elements, 8);
    for (PageImage& image : images) std::memcpy(image.bytes + 16, &a_leaf_.bits, 8);
    return images;
  }

  static void Put(PageImage* image, size_t at, uint64_t word) {
    std::memcpy(image->bytes + at, &word, sizeof word);
  }
  static size_t WordOf(PersistentRef object, size_t word) { return object.offset() + 8 * word; }
  static size_t HeaderOf(PersistentRef object) { return object.offset() - kHeaderBytes; }
  static uint64_t HeaderFor(uint32_t type) { return uint64_t{type} << kStoredTypeShift; }

  // The status of a commit of the first page with these words; whole, or as the changed words.
  Status CommitWords(const std::vector<std::pair<size_t, uint64_t>>& words, bool whole) {
    PageImage changed = image_;
    for (const auto& [at, word] : words) Put(&changed, at, word);
    size_t first = 0, last = kPageBytes;
    while (first < last && changed.bytes[first] == image_.bytes[first]) ++first;
    while (last > first && changed.bytes[last - 1] == image_.bytes[last - 1]) --last;
    CommitBuilder builder(*server_, database_);
    if (whole) {
      builder.Whole(page_, version_, changed);
    } else {
      builder.Region(page_, version_, changed, static_cast<uint32_t>(first / 8 * 8),
                     (last + 7) / 8 * 8 - first / 8 * 8);
    }
    const CommitAnswer answer = builder.Commit();
    if (answer.outcome == CommitOutcome::kCommitted) {
      version_ = answer.version;
      image_ = changed;
    }
    return answer.status;
  }
  void ExpectRefused(const std::vector<std::pair<size_t, uint64_t>>& words, const char* why) {
    for (const bool whole : {true, false}) {
      const Status status = CommitWords(words, whole);
      EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << why << ", " << whole;
      EXPECT_NE(std::string(status.text()).find(why), std::string::npos)
          << status.text() << " is not: " << why;
    }
  }
  void ExpectAccepted(const std::vector<std::pair<size_t, uint64_t>>& words) {
    const PageImage before = image_;
    for (const bool whole : {true, false}) {
      const Status status = CommitWords(words, whole);
      EXPECT_TRUE(status.ok()) << status.text();
      if (!whole) continue;
      // Back again, so that the regions change something too.
      CommitBuilder builder(*server_, database_);
      const CommitAnswer answer = builder.Whole(page_, version_, before).Commit();
      ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
      version_ = answer.version;
      image_ = before;
    }
  }
  static void ExpectRefusal(const CommitAnswer& answer, const char* why) {
    EXPECT_EQ(answer.status.code(), StatusCode::kInvalidArgument) << why;
    EXPECT_NE(std::string(answer.status.text()).find(why), std::string::npos)
        << answer.status.text() << " is not: " << why;
  }

  testing::TemporaryDirectory directory_;
  std::string store_;
  std::unique_ptr<testing::ServedStore> served_;
  std::unique_ptr<RemotePageServer> server_;
  DatabaseId database_;
  uint32_t leaf_ = 0, sub_leaf_ = 0, other_ = 0, node_ = 0, leaves_ = 0;  // types
  PageId page_, large_page_;
  PersistentRef a_leaf_, a_sub_leaf_, an_other_, a_node_, next_node_, some_leaves_;
  size_t used_ = 0;  // of the page
  PageImage image_;
  std::vector<PageImage> large_;
  uint64_t version_ = 0;  // of the page
};

// --- References

TEST_F(HostileTypes, ASlotRefersToWhatItDeclaresOnly) {
  ExpectRefused({{WordOf(a_node_, 1), an_other_.bits}}, "a reference to a M.Leaf");
  ExpectRefused({{WordOf(a_node_, 1), a_node_.bits}}, "an object of type M.Node");
  ExpectRefused({{WordOf(a_node_, 0), a_leaf_.bits}}, "a reference to a M.Node");
  ExpectRefused({{WordOf(some_leaves_, 2), an_other_.bits}}, "an object of type M.Other");
  ExpectRefused({{WordOf(a_node_, 1), PersistentRef::Object(large_page_, 8).bits}}, "M.Leaves");
  ExpectRefused({{WordOf(a_node_, 1), a_leaf_.bits + 8}}, "where no object begins");
  ExpectRefused({{WordOf(a_node_, 2), PersistentRef::Object(large_page_ + 1, 8).bits}},
                "where no object begins");
  // A subtype may be there, and anything where REFANY stands.
  ExpectAccepted({{WordOf(a_node_, 1), a_sub_leaf_.bits}});
  ExpectAccepted({{WordOf(a_node_, 2), some_leaves_.bits}});
  ExpectAccepted({{WordOf(a_node_, 0), next_node_.bits}});
}

TEST_F(HostileTypes, ANewPageIsCheckedAsWell) {
  const PageId fresh = server_->AllocatePages(database_, 1)->first;
  PageFiller page;
  const PersistentRef here = page.Add(fresh, other_, {1});
  page.Add(fresh, node_, {0, here.bits, 0, 0});
  ExpectRefusal(CommitBuilder(*server_, database_).Whole(fresh, 0, page.Finish()).Commit(),
                "a reference to a M.Leaf");
  PageFiller from_afar;
  from_afar.Add(fresh, node_, {0, an_other_.bits, 0, 0});
  ExpectRefusal(CommitBuilder(*server_, database_).Whole(fresh, 0, from_afar.Finish()).Commit(),
                "an object of type M.Other");
}

// --- Objects

TEST_F(HostileTypes, AnObjectKeepsItsTypeItsPlaceAndItsLength) {
  ExpectRefused({{HeaderOf(a_leaf_), HeaderFor(other_)}}, "is replaced");
  ExpectRefused({{HeaderOf(a_leaf_), abi::ObjectHeader::ForFiller(16)}, {WordOf(a_leaf_, 0), 0}},
                "is replaced");
  // One whose place another object takes.
  ExpectRefused({{HeaderOf(a_sub_leaf_), HeaderFor(leaf_)},
                 {WordOf(a_sub_leaf_, 1), abi::ObjectHeader::ForFiller(8)}},
                "is replaced");
  ExpectRefused(
      {{WordOf(some_leaves_, 0), 2}, {WordOf(some_leaves_, 3), abi::ObjectHeader::ForFiller(8)}},
      "another length");
  // Another description of the same type makes no difference.
  std::string again = kLeaf;
  again.replace(again.find("M.Leaf"), 6, "M.Lief");
  ExpectAccepted({{HeaderOf(a_leaf_), HeaderFor(Add(again))}});
  // Free places are for new objects.
  EXPECT_TRUE(CommitWords({{used_, HeaderFor(leaf_)},
                           {used_ + 16, abi::ObjectHeader::ForFiller(
                                            static_cast<uint32_t>(kPageBytes - used_ - 16))}},
                          /*whole=*/false)
                  .ok());
}

TEST_F(HostileTypes, NoPageGoesThatHasObjects) {
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
  const PageWrite write{.page = page_, .expected_version = version_, .remove = true};
  const DatabaseCommit commit{database_, std::span(&write, 1), PersistentRef()};
  ExpectRefusal(CommitWanted(*server_, std::span(&commit, 1)), "removed");
}

TEST_F(HostileTypes, LargeObjectsAreWhole) {
  const auto commit = [&](uint32_t part, const PageImage& image, LargeRun run) {
    return CommitBuilder(*server_, database_)
        .Whole(large_page_ + part, version_, image, run)
        .Commit();
  };
  PageImage image = large_[1];
  Put(&image, 800, an_other_.bits);
  ExpectRefusal(commit(1, image, {leaves_, 1, 3}), "an object of type M.Other");
  image = large_[0];
  Put(&image, 8, kElements + 1);
  ExpectRefusal(commit(0, image, {leaves_, 0, 3}), "another type or length");
  image = large_[2];
  Put(&image, kPageBytes - 8, a_leaf_.bits);
  ExpectRefusal(commit(2, image, {leaves_, 2, 3}), "what follows a large object");
  ExpectRefusal(commit(1, large_[1], {leaves_, 2, 3}), "becomes another one");
  PageFiller small;
  small.Add(large_page_, leaf_, {0});
  ExpectRefusal(commit(1, small.Finish(), {}), "becomes another one");
  ExpectRefusal(commit(0, small.Finish(), {}), "becomes another one");
  ExpectRefusal(CommitBuilder(*server_, database_)
                    .Whole(page_, version_, large_[1], {leaves_, 1, 3})
                    .Commit(),
                "becomes another one");
  // With both a page's contents and its changed words.
  PageImage changed = image_;
  Put(&changed, WordOf(a_leaf_, 0), 77);
  const ChangedRegion region{static_cast<uint32_t>(WordOf(a_leaf_, 0)),
                             std::span(changed.bytes).subspan(WordOf(a_leaf_, 0), 8)};
  const LargeRun run{leaves_, 0, 1};
  const PageWrite both{.page = page_,
                       .expected_version = version_,
                       .checksum = PageChecksum(page_, run, changed.bytes),
                       .run = run,
                       .contents = changed.bytes,
                       .regions = std::span(&region, 1)};
  const DatabaseCommit part{database_, std::span(&both, 1), std::nullopt};
  ExpectRefusal(CommitWanted(*server_, std::span(&part, 1)), "becomes another one");
}

TEST_F(HostileTypes, NewLargeObjectsAreWhole) {
  const PageId first = server_->AllocatePages(database_, 4)->first;
  const auto commit = [&](const std::vector<std::pair<uint32_t, LargeRun>>& parts) {
    CommitBuilder builder(*server_, database_);
    for (const auto& [i, run] : parts) {
      builder.Whole(first + i, 0, large_[std::min<size_t>(run.index, 2)], run);
    }
    return builder.Commit();
  };
  ExpectRefusal(commit({{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}}), "a part is missing");
  ExpectRefusal(commit({{1, {leaves_, 1, 3}}, {2, {leaves_, 2, 3}}}), "does not begin");
  ExpectRefusal(commit({{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}, {2, {leaves_, 1, 3}}}),
                "a part is missing");
  ExpectRefusal(
      commit(
          {{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}, {2, {leaves_, 2, 3}}, {3, {leaves_, 3, 4}}}),
      "does not begin");
  Put(&large_[2], kPageBytes - 16, 1);
  ExpectRefusal(commit({{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}, {2, {leaves_, 2, 3}}}),
                "what follows a large object");
  Put(&large_[2], kPageBytes - 16, 0);
  Put(&large_[2], 24, an_other_.bits);
  ExpectRefusal(commit({{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}, {2, {leaves_, 2, 3}}}),
                "an object of type M.Other");
  Put(&large_[2], 24, a_sub_leaf_.bits);
  const CommitAnswer answer =
      commit({{0, {leaves_, 0, 3}}, {1, {leaves_, 1, 3}}, {2, {leaves_, 2, 3}}});
  EXPECT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
}

// --- Types

TEST_F(HostileTypes, ADescriptionDoesNotContradictAnother) {
  const auto refused = [&](std::string description, const std::string& part,
                           const std::string& with) {
    description.replace(description.find(part), part.size(), with);
    const auto index = server_->AddType(std::as_bytes(std::span(description)));
    EXPECT_EQ(index.status().code(), StatusCode::kInvalidArgument) << description;
  };
  refused(kLeaf, "payload 8", "payload 16");
  refused(kNode, "slots 0 3 8 0", "slots 0 2 8 0");
  refused(kNode, Fingerprint(0xa1) + " M.Leaf", Fingerprint(0xa3) + " M.Other");
  refused(kSubLeaf, "supertype M.Leaf\nbelow " + Fingerprint(0xa1) + " M.Leaf", "supertype ROOT");
  refused(kSubLeaf, Fingerprint(0xa1) + " M.Leaf\nkind", Fingerprint(0xa3) + " M.Other\nkind");
  // Old descriptions have no names of supertypes, and are not believed.
  refused(kSubLeaf, "below " + Fingerprint(0xa1) + " M.Leaf\n", "");
  // A name for the same type, and a procedure, contradict nothing.
  std::string renamed = kLeaf;
  renamed.replace(renamed.find("M.Leaf"), 6, "M.Lief");
  EXPECT_NE(Add(renamed), leaf_);
  EXPECT_NE(Add("procedure M.P ()\n"), 0u);
}

// A type that has the name of another one, but not its objects.
TEST_F(HostileTypes, ANameDoesNotMakeATypeAnother) {
  const uint32_t like_leaf = Add("fingerprint " + Fingerprint(0xb1) +
                                 "\nname M.Leaf\nsupertype ROOT\nkind object\npayload 8\n"
                                 "slots 0 1 8 0\nfield 0 64 word REFANY\nend\n");
  const uint32_t like_sub =
      Add("fingerprint " + Fingerprint(0xb2) + "\nname M.Odd\nsupertype M.Leaf\nbelow " +
          Fingerprint(0xb1) + " M.Leaf\nkind object\npayload 8\nslots 0 1 8 0\nend\n");
  for (const uint32_t type : {like_leaf, like_sub}) {
    const PageId fresh = server_->AllocatePages(database_, 1)->first;
    PageFiller page;
    const PersistentRef object = page.Add(fresh, type, {0});
    page.Add(fresh, node_, {0, object.bits, 0, 0});
    ExpectRefusal(CommitBuilder(*server_, database_).Whole(fresh, 0, page.Finish()).Commit(),
                  "a reference to a M.Leaf");
  }
}

// --- Roots and other databases

TEST_F(HostileTypes, OnlyAnImportMakesAMark) {
  const uint32_t mark = Add(kMark);
  const PageId fresh = server_->AllocatePages(database_, 1)->first;
  PageFiller page;
  const PersistentRef object = page.Add(fresh, mark, {0});
  const PageImage image = page.Finish();
  ExpectRefusal(CommitBuilder(*server_, database_).Whole(fresh, 0, image).Root(object).Commit(),
                "being imported");
  page.Add(fresh, node_, {0, 0, object.bits, 0});
  ExpectRefusal(CommitBuilder(*server_, database_).Whole(fresh, 0, page.Finish()).Commit(),
                "the mark of an import");
  // A new database may have one, and lose it.
  const DatabaseId made = *server_->OpenDatabase("made", OpenMode::kCreate);
  const PageId first = server_->AllocatePages(made, 1)->first;
  PageFiller marked;
  const PersistentRef root = marked.Add(first, mark, {0});
  const CommitAnswer begun =
      CommitBuilder(*server_, made).Whole(first, 0, marked.Finish()).Root(root).Commit();
  ASSERT_EQ(begun.outcome, CommitOutcome::kCommitted) << begun.status.text();
  const CommitAnswer ended = CommitBuilder(*server_, made)
                                 .Whole(first, begun.version, PageFiller().Finish())
                                 .Root(PersistentRef())
                                 .Commit();
  EXPECT_EQ(ended.outcome, CommitOutcome::kCommitted) << ended.status.text();
}

TEST_F(HostileTypes, ReferencesBetweenDatabases) {
  const DatabaseId away = *server_->OpenDatabase("away", OpenMode::kCreate);
  const PageId page = server_->AllocatePages(away, 1)->first;
  PageFiller objects;
  const ExportEntry exports[] = {{objects.Add(page, leaf_, {0}), NewTag()},
                                 {objects.Add(page, other_, {0}), NewTag()}};
  const PageImage there = objects.Finish();
  const auto entry = [&](uint64_t number, uint64_t tag, const char* store = "") {
    ImportEntry made;
    made.database = *server_->DatabaseUuid(away);
    made.store = store;
    made.name = "away";
    made.export_number = number;
    made.export_tag = tag;
    return made;
  };
  // Both databases in one commit: the slot of a leaf gets import number `used`.
  const auto commit = [&](const std::vector<ImportEntry>& imports, uint64_t used,
                          bool with_exports) {
    PageImage changed = image_;
    Put(&changed, WordOf(a_node_, 1), PersistentRef::Entry(RefKind::kImport, used).bits);
    const PageWrite write{.page = page_,
                          .expected_version = version_,
                          .checksum = PageChecksum(page_, {}, changed.bytes),
                          .contents = changed.bytes};
    const PageWrite other{.page = page,
                          .expected_version = 0,
                          .checksum = PageChecksum(page, {}, there.bytes),
                          .contents = there.bytes};
    DatabaseCommit parts[2] = {{database_, std::span(&write, 1), std::nullopt},
                               {away, std::span(&other, 1), std::nullopt}};
    parts[0].imports = imports;
    parts[1].exports = exports;
    return CommitWanted(*server_, std::span(parts).first(with_exports ? 2 : 1));
  };
  const ImportEntry leaf = entry(1, exports[0].tag), other = entry(2, exports[1].tag);
  ExpectRefusal(commit({leaf, other}, 2, true), "an object of type M.Other");
  ExpectRefusal(commit({leaf}, 1, false), "leads to no object");
  ExpectRefusal(commit({entry(3, 1)}, 1, true), "leads to no object");
  ExpectRefusal(commit({entry(1, exports[0].tag + 1)}, 1, true), "leads to no object");
  ExpectRefusal(commit({entry(1, exports[0].tag, "../store")}, 1, true), "its own store");
  const CommitAnswer answer = commit({leaf, other}, 1, true);
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
  version_ = answer.version;
  const uint64_t version_there = answer.version;
  Put(&image_, WordOf(a_node_, 1), PersistentRef::Entry(RefKind::kImport, 1).bits);
  // The same with what both tables have by now.
  ExpectRefused({{WordOf(a_node_, 1), PersistentRef::Entry(RefKind::kImport, 2).bits}},
                "an object of type M.Other");
  ExpectAccepted({{WordOf(some_leaves_, 2), PersistentRef::Entry(RefKind::kImport, 1).bits}});
  // What others refer to stays there, too.
  PageFiller replaced;
  replaced.Add(page, other_, {0});
  replaced.Add(page, other_, {0});
  ExpectRefusal(
      CommitBuilder(*server_, away).Whole(page, version_there, replaced.Finish()).Commit(),
      "is replaced");
}

// --- Collections

class HostileCollections : public HostileTypes {
 protected:
  // Ends the transaction, and offers these.
  Status Offer(const std::vector<Candidate>& candidates) {
    const Status status = server_->OfferCandidates(database_, candidates);
    server_->EndTransaction();
    if (status.ok()) {
      EXPECT_TRUE(server_->HeldCandidates(database_).ok());
    }
    EXPECT_TRUE(server_->StartTransaction().ok());
    return status;
  }
  // Two objects that nothing refers to, the first of which refers to the second.
  void MakeGarbage() {
    ExpectNothing(CommitWords({{used_, HeaderFor(node_)},
                               {used_ + 16, PersistentRef::Object(page_, used_ + 48).bits},
                               {used_ + 40, HeaderFor(leaf_)},
                               {used_ + 56, abi::ObjectHeader::ForFiller(
                                                static_cast<uint32_t>(kPageBytes - used_ - 56))}},
                              true));
    first_ = PersistentRef::Object(page_, used_ + 8);
    second_ = PersistentRef::Object(page_, used_ + 48);
  }
  static void ExpectNothing(const Status& status) { EXPECT_TRUE(status.ok()) << status.text(); }

  PersistentRef first_, second_;
};

TEST_F(HostileCollections, WhatIsReferredToIsNoCandidate) {
  for (const PersistentRef object : {a_leaf_, an_other_, a_node_, next_node_}) {
    const Status status = Offer({{object, 16}});
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(std::string(status.text()).find("to which others refer"), std::string::npos);
  }
  EXPECT_EQ(Offer({{PersistentRef{some_leaves_.bits + 8}, 16}}).code(),
            StatusCode::kInvalidArgument);
  // The root's page would be free.
  EXPECT_EQ(Offer({{next_node_, 40}}).code(), StatusCode::kInvalidArgument);
}

TEST_F(HostileCollections, TheDeadAreFreedInOrder) {
  MakeGarbage();
  ExpectRefused({{HeaderOf(second_), abi::ObjectHeader::ForFiller(16)}}, "is replaced");
  ExpectNothing(Offer({{first_, 40}, {second_, 16}}));
  // The second one goes only when the first one does not refer to it any more.
  ExpectRefused({{HeaderOf(second_), abi::ObjectHeader::ForFiller(16)}}, "is replaced");
  // Nothing may come to refer to the dead.
  ExpectRefused({{WordOf(next_node_, 1), second_.bits}}, "found dead");
  ExpectRefused({{WordOf(next_node_, 0), first_.bits}}, "found dead");
  ExpectRefused({{HeaderOf(a_leaf_), abi::ObjectHeader::ForFiller(16)}, {WordOf(a_leaf_, 0), 0}},
                "is replaced");
  ExpectNothing(CommitWords({{WordOf(first_, 1), 0}}, true));
  ExpectNothing(CommitWords({{HeaderOf(second_), abi::ObjectHeader::ForFiller(16)}}, false));
  // Nor is there anything any more.
  ExpectRefused({{WordOf(next_node_, 1), second_.bits}}, "found dead");
  ASSERT_TRUE(Offer({{first_, 40}}).ok());
  ExpectRefused({{WordOf(next_node_, 1), second_.bits}}, "where no object begins");
}

TEST_F(HostileCollections, AnotherClientFreesNothing) {
  MakeGarbage();
  ExpectNothing(Offer({{first_, 40}, {second_, 16}}));
  server_->EndTransaction();
  const auto stranger = *RemotePageServer::Connect(store_);
  const DatabaseId database = *stranger->OpenDatabase("main", OpenMode::kOpen);
  ASSERT_TRUE(stranger->StartTransaction().ok());
  PageImage changed = image_;
  Put(&changed, HeaderOf(first_), abi::ObjectHeader::ForFiller(40));
  Put(&changed, WordOf(first_, 1), 0);
  ExpectRefusal(CommitBuilder(*stranger, database).Whole(page_, version_, changed).Commit(),
                "is replaced");
  EXPECT_EQ(stranger->OfferCandidates(database, std::vector<Candidate>{{first_, 40}}).code(),
            StatusCode::kInUse);
  stranger->EndTransaction();
  ASSERT_TRUE(server_->StartTransaction().ok());
}

// A program that tells the truth to nobody: it has committed a reference after the offer.
TEST_F(HostileCollections, WhatAnotherCommitsMeanwhileIsKept) {
  MakeGarbage();
  ASSERT_TRUE(
      server_->OfferCandidates(database_, std::vector<Candidate>{{first_, 40}, {second_, 16}})
          .ok());
  ExpectNothing(CommitWords({{WordOf(next_node_, 0), first_.bits}}, true));
  server_->EndTransaction();
  const auto held = server_->HeldCandidates(database_);
  ASSERT_TRUE(held.ok());
  // With what it refers to.
  EXPECT_EQ(*held, std::vector<bool>({true, true}));
  ASSERT_TRUE(server_->StartTransaction().ok());
  ExpectRefused({{HeaderOf(second_), abi::ObjectHeader::ForFiller(16)}}, "is replaced");
}

}  // namespace
}  // namespace tenure::store
