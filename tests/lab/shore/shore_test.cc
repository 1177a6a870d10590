#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "lab/oo7/build.h"
#include "lab/oo7/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/shore/object_pages.h"
#include "lab/shore/server_index.h"
#include "lab/shore/shore_heap.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::shore {
namespace {

using Operations = oo7::Operations<ShoreHeap>;
using Library = oo7::Library<ShoreHeap>;

TEST(ObjectPagesTest, ObjectsLieInTheOrderOfCreationAndComeBack) {
  LabStore store("");
  std::vector<Serial> serials;
  {
    ObjectPages pages(store.server(), *store.server().OpenDatabase("db", store::OpenMode::kCreate));
    for (size_t i = 0; i < 2000; ++i) {
      serials.push_back(pages.Place(16 + i % 50));
      pages.Find(serials.back())[0] = static_cast<std::byte>(i);
      ASSERT_TRUE(i == 0 || serials[i - 1] < serials[i]);
    }
    EXPECT_NE(pages.Commit({}), 0u);
    EXPECT_EQ(pages.Commit({}), 0u);  // nothing has changed
  }
  store.MakeCold();
  ObjectPages pages(store.server(), *store.server().OpenDatabase("db", store::OpenMode::kOpen));
  for (size_t i = 0; i < serials.size(); ++i) {
    ASSERT_EQ(pages.Find(serials[i])[0], static_cast<std::byte>(i));
    ASSERT_EQ(pages.SizeOf(serials[i]), (16 + i % 50 + 7) / 8 * 8);
  }
}

TEST(ObjectPagesTest, AnObjectLargerThanAPageIsReadInParts) {
  LabStore store("");
  Serial serial = 0;
  constexpr size_t kBytes = 20000;
  const auto visit = [&](ObjectPages& pages, const auto& use) {
    for (size_t at = 0; at < kBytes;) {
      const std::span<std::byte> part = pages.FindPart(serial, at);
      for (size_t i = 0; i < part.size(); ++i) use(at + i, part[i]);
      at += part.size();
    }
  };
  {
    ObjectPages pages(store.server(), *store.server().OpenDatabase("db", store::OpenMode::kCreate));
    serial = pages.Place(kBytes);
    EXPECT_TRUE(pages.IsLarge(serial));
    visit(pages, [](size_t at, std::byte& byte) { byte = static_cast<std::byte>(at * 7); });
    (void)pages.Commit({});
  }
  store.MakeCold();
  ObjectPages pages(store.server(), *store.server().OpenDatabase("db", store::OpenMode::kOpen));
  EXPECT_EQ(pages.SizeOf(serial), kBytes);
  visit(pages, [](size_t at, std::byte& byte) { ASSERT_EQ(byte, static_cast<std::byte>(at * 7)); });
}

TEST(ServerIndexTest, KeepsOrderWhileLeavesAreSplit) {
  LabStore store("");
  ObjectPages pages(store.server(), *store.server().OpenDatabase("db", store::OpenMode::kCreate));
  ServerIndex index(pages);
  index.Create();
  for (int32_t i = 0; i < 5000; ++i) index.Insert({i * 7919 % 5000, i}, MakeSerial(9, 1));
  for (int32_t i = 0; i < 5000; i += 2) index.Erase({i * 7919 % 5000, i});
  for (int32_t i = 0; i < 5000; i += 2) index.Insert({i * 7919 % 5000, i}, MakeSerial(9, 2));
  EXPECT_EQ(index.changes(), 10000u);
}

class Oo7Test : public ::testing::Test {
 protected:
  Oo7Test() {
    configuration_.manual_size = 20000;
    {
      ShoreClient client(store_.server(), /*create=*/true);
      (void)oo7::Builder<ShoreHeap>::Build(configuration_);
      client.Commit();
    }
    store_.MakeCold();
  }
  static ShoreHeap::Local<Library> Root(const ShoreClient& client) {
    ShoreHeap::Ref<Library> root;
    static_cast<ObjectRef&>(root) = client.Root();
    return ShoreHeap::Local<Library>(root);
  }

  static int64_t Perform(const ShoreClient& client, const char* operation) {
    const ShoreHeap::Local<Library> library = Root(client);
    return Operations::Perform(oo7::OperationOf(operation), library,
                               Operations::ModuleAt(library, 0));
  }

  LabStore store_{""};
  oo7::Configuration configuration_;
};

TEST_F(Oo7Test, CountsAreThoseOfObjectsInMemory) {
  auto* const plain = oo7::Builder<oo7::PlainHeap>::Build(configuration_);
  ShoreClient client(store_.server(), /*create=*/false);
  for (const char* const name :
       {"T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T6", "T7", "T8", "T9", "Q5"}) {
    EXPECT_EQ(Perform(client, name), oo7::Operations<oo7::PlainHeap>::Perform(
                                         oo7::OperationOf(name), plain, plain->modules[0]))
        << name;
  }
  EXPECT_EQ(client.counters().pins, client.counters().unpins);
}

TEST_F(Oo7Test, UpdatesAreThereForALaterProgram) {
  int64_t x = 0;
  const auto x_of_root = [](const ShoreClient& client) {
    const ShoreHeap::Local<oo7::Module<ShoreHeap>> m = Operations::ModuleAt(Root(client), 0);
    const ShoreHeap::Local<oo7::CompositePart<ShoreHeap>> part =
        ShoreHeap::At(ShoreHeap::ArrayLocal<oo7::CompositePart<ShoreHeap>>(m->parts), 0);
    return int64_t{ShoreHeap::Local<oo7::AtomicPart<ShoreHeap>>(part->root)->x};
  };
  {
    ShoreClient client(store_.server(), /*create=*/false);
    x = x_of_root(client);
    EXPECT_EQ(Perform(client, "T2B"), 43740);
    EXPECT_GT(x_of_root(client), x);
    x = x_of_root(client);
    client.Commit();
  }
  store_.MakeCold();
  ShoreClient client(store_.server(), /*create=*/false);
  EXPECT_EQ(x_of_root(client), x);
}

TEST_F(Oo7Test, ACommitVisitsEachCachedObjectAndTellsTheServerOnce) {
  ShoreClient client(store_.server(), /*create=*/false);
  EXPECT_EQ(Perform(client, "T6"), 2187);
  const uint64_t cached = client.counters().fetched;
  client.Commit();
  EXPECT_EQ(client.counters().commit_visits, cached);
  EXPECT_EQ(client.counters().requests, cached);
  client.Commit();
  EXPECT_EQ(client.counters().commit_visits, 2 * cached);
  EXPECT_EQ(client.counters().requests, cached);
}

}  // namespace
}  // namespace tenure::lab::shore
