#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lab/epvm/epvm_heap.h"
#include "lab/oo1/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/oo7/systems.h"
#include "lab/quickstore/quickstore_heap.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::oo1 {
namespace {

// The sums over what the operations visit, one for each operation.
template <class H, template <class> class PartOf>
std::vector<int64_t> Sums(typename H::template Param<Database<H, PartOf<H>>> db) {
  std::vector<int64_t> sums;
  for (const Operation operation :
       {Operation::kLookup, Operation::kTraversal, Operation::kInsert, Operation::kTraversal}) {
    StartRandom(3);
    seen = 0;
    Operations<H, PartOf>::Perform(db, operation);
    sums.push_back(seen);
  }
  return sums;
}

template <template <class> class PartOf>
std::vector<int64_t> PlainSums() {
  return Sums<oo7::PlainHeap, PartOf>(Operations<oo7::PlainHeap, PartOf>::Build());
}

// Each page lies at another place than before.
template <bool kPadded, template <class> class PartOf>
std::vector<int64_t> QuickStoreSums() {
  using H = quickstore::QuickStoreHeap<kPadded>;
  using Db = Database<H, PartOf<H>>;
  LabStore store("");
  {
    quickstore::QuickStore client(store.server(), /*create=*/true, {.pool_pages = 8192});
    client.SetRoot(Operations<H, PartOf>::Build());
    client.Commit();
  }
  quickstore::QuickStore client(store.server(), /*create=*/false,
                                {.pool_pages = 100, .relocate_percent = 100});
  return Sums<H, PartOf>(static_cast<Db*>(client.Root()));
}

template <template <class> class PartOf>
std::vector<int64_t> EpvmSums() {
  using H = epvm::EpvmHeap;
  using Db = Database<H, PartOf<H>>;
  LabStore store("");
  {
    epvm::Epvm client(store.server(), /*create=*/true, {.pool_pages = 8192});
    {
      const H::Local<Db> db = Operations<H, PartOf>::Build();
      client.SetRoot(db.oid());
    }
    client.Commit();
  }
  epvm::Epvm client(store.server(), /*create=*/false, {.pool_pages = 100});
  const H::Local<Db> db(client.Root());
  return Sums<H, PartOf>(db);
}

template <template <class> class PartOf>
std::vector<int64_t> ShoreSums() {
  using H = shore::ShoreHeap;
  using Db = Database<H, PartOf<H>>;
  LabStore store("");
  {
    oo7::ShoreSystem system(store.server(), /*create=*/true, {});
    (void)Operations<H, PartOf>::Build();
    system.Commit();
  }
  oo7::ShoreSystem system(store.server(), /*create=*/false, {});
  const H::Local<Db> db = system.Root<Db>();
  return Sums<H, PartOf>(db);
}

TEST(Oo1Test, BothLayoutsMeetTheSamePartsInAllSystems) {
  const std::vector<int64_t> sums = PlainSums<Part>();
  EXPECT_EQ(sums, PlainSums<WholePart>());
  EXPECT_EQ(sums, (QuickStoreSums<false, Part>()));
  EXPECT_EQ(sums, (QuickStoreSums<true, WholePart>()));
  EXPECT_EQ(sums, EpvmSums<Part>());
  EXPECT_EQ(sums, EpvmSums<WholePart>());
  EXPECT_EQ(sums, ShoreSums<Part>());
  EXPECT_EQ(sums, ShoreSums<WholePart>());
}

}  // namespace
}  // namespace tenure::lab::oo1
