#include "tests/support/session_world.h"

#include <gtest/gtest.h>

#include <unordered_map>
#include <vector>

#include "stabilize/frames/governed_pages.h"
#include "store/faults/linked_faults.h"
#include "tests/support/random_session.h"
#include "tests/support/traps.h"

namespace tenure::testing {

using abi::Ref;
using stabilize::Session;

SessionWorld::SessionWorld(stabilize::FaultTier tier, store::PageServerKind server)
    : tier_(tier),
      server_(server),
      directory_(std::make_unique<TemporaryDirectory>()),
      path_(directory_->path()) {}

SessionWorld::SessionWorld(stabilize::FaultTier tier, store::PageServerKind server,
                           const std::string& path)
    : tier_(tier), server_(server), path_(path) {}

SessionWorld::~SessionWorld() { Stop(); }

void SessionWorld::Stop() {
  session.reset();
  HandleTrapsBy(nullptr);
  heap.reset();
  database = nullptr;
}

void SessionWorld::Start(store::FailPoint fail, stabilize::ProgramTypes types,
                         const abi::ProgramInfo* program) {
  Stop();
  heap = std::make_unique<gc::TestHeap>();
  stabilize::SessionOptions options;
  options.mapping.tier = tier_;
  options.mapping.reserve_bytes = size_t{1} << 30;
  options.mapping.random_base = true;
  options.store.kind = server_;
  options.store.bdb.checkpoint_thread = false;
  options.store.bdb.cache_bytes = 4 << 20;
  options.recovery = recovery;
  options.recovery_block = recovery_block;
  options.store.bdb.redo = stabilize::HasRedoLog(recovery);
  options.store.bdb.redo_lag_bytes = kRedoLagForCrash;
  options.store.fail = store::FaultsAt(fail);
  if (options.store.fail == nullptr) options.store.fail = faults;
  options.frame_bytes = frame_bytes;
  options.twin_bytes = twin_bytes;
  options.paranoid = paranoid;
  options.barriers = barriers;
  options.paranoid_barriers = paranoid_barriers;
  session = std::make_unique<Session>(heap->heap(), program, types, options);
  HandleTrapsBy(session.get());
}

void SessionWorld::Create(const std::string& name) {
  const Status status = session->CreateDatabase(path_ + ":" + name);
  ASSERT_TRUE(status.ok()) << status.text();
}

void SessionWorld::Open(const std::string& name) {
  name_ = name;
  Result<stabilize::Database*> opened = session->OpenDatabase(path_ + ":" + name);
  ASSERT_TRUE(opened.ok()) << opened.status().text();
  database = *opened;
}

void SessionWorld::Reopen() {
  heap->ClearRoots();
  const Status status = session->CloseDatabase(database);
  ASSERT_TRUE(status.ok()) << status.text();
  heap->Verify();
  Open(name_);
}

uint64_t SessionWorld::Begin() {
  Result<uint64_t> transaction = session->Begin();
  TN_CHECK(transaction.ok());
  return *transaction;
}

void SessionWorld::Commit(uint64_t transaction) {
  const Status status = session->Commit(transaction);
  ASSERT_TRUE(status.ok()) << status.text();
}

Ref SessionWorld::Root() {
  Result<Ref> root = session->GetRoot(database);
  TN_CHECK(root.ok());
  return *root;
}

void SessionWorld::SetRoot(Ref object) {
  const Status status = session->SetRoot(database, object);
  ASSERT_TRUE(status.ok()) << status.text();
}

Ref SessionWorld::NewCell(uint64_t word, size_t edges) {
  const int64_t length = static_cast<int64_t>(edges);
  const Ref cell = heap->Allocate(kCellType, CellPayloadBytes(edges), &length);
  WordOf(cell) = word;
  return cell;
}

Ref SessionWorld::NewHolder(uint64_t word) {
  const Ref holder = heap->Allocate(kHolderType, kHolderType.payload_bytes);
  WordOf(holder) = word;
  return holder;
}

void SessionWorld::CommitManyPages() {
  constexpr size_t kObjects = 300;
  const uint64_t transaction = Begin();
  Ref& root = Keep(NewCell(1, kObjects));
  for (size_t i = 0; i + 1 < kObjects; ++i) {
    const Ref child = i % 3 == 0 ? NewHolder(i) : NewCell(i, i % 40);
    SetEdge(root, i, child);
    if (i % 3 == 1 && i % 40 > 2) SetEdge(child, 2, root);
  }
  SetEdge(root, kObjects - 1, NewCell(2, 3000));
  SetRoot(root);
  Commit(transaction);
}

void SessionWorld::SetEdge(const Ref& cell, size_t edge, Ref to) {
  TN_CHECK(edge < WordOf(cell, 1));
  gc::StoreReference(SlotOf(cell, kCellFirstEdge + edge), to);
}

Ref& SessionWorld::Keep(Ref object) {
  heap->roots().exact.push_back(object);
  return heap->roots().exact.back();
}

void SessionWorld::Pin(Ref object) {
  heap->roots().ambiguous.push_back(reinterpret_cast<uintptr_t>(object));
}

void SessionWorld::MakeRootAndNeighbour(Ref* root, Ref* neighbour) {
  const uint64_t transaction = Begin();
  *root = NewCell(10, 3);
  *neighbour = NewCell(20, 3);
  Pin(*root);
  Pin(*neighbour);
  ASSERT_EQ(stabilize::GovernedPages::PageOf(*root), stabilize::GovernedPages::PageOf(*neighbour));
  SetRoot(*root);
  Commit(transaction);
}

std::string SessionWorld::Snapshot(bool transient) {
  std::string text;
  std::unordered_map<Ref, size_t> number;
  std::vector<Ref> order;
  // Literals and their copies count as the same if their characters are equal.
  const auto show = [&](Ref object) {
    if (object == nullptr) return std::string("nil");
    const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(object)->type();
    if ((type.flags & abi::kTypeText) != 0) {
      return "'" + std::string(static_cast<const char*>(object) + 8) + "'";
    }
    const auto [it, fresh] = number.insert({object, order.size()});
    if (fresh) order.push_back(object);
    return "#" + std::to_string(it->second);
  };
  text += "root " + show(Root()) + "\n";
  for (size_t next = 0; next < order.size(); ++next) {
    const Ref object = order[next];
    const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(object)->type();
    const size_t words = abi::PayloadBytes(type, object) / 8;
    std::vector<int> kinds(words, -1);
    abi::ForEachSlot(type, object, [&](void** slot, abi::SlotKind kind) {
      kinds[static_cast<size_t>(slot - static_cast<void**>(object))] = static_cast<int>(kind);
    });
    text += "#" + std::to_string(next) + " " + type.name + ":";
    for (size_t i = 0; i < words; ++i) {
      const uint64_t word = WordOf(object, i);
      const auto kind = static_cast<abi::SlotKind>(kinds[i]);
      if (kinds[i] < 0 || kind == abi::SlotKind::kProcedure) {
        if (word != 0 || i < 2) text += " " + std::to_string(i) + "=" + std::to_string(word);
      } else if (word != 0 && (kind == abi::SlotKind::kReference ||
                               (kind == abi::SlotKind::kTransientReference && transient))) {
        text += " " + std::to_string(i) + "->" + show(reinterpret_cast<Ref>(word));
      }
    }
    text += "\n";
  }
  return text;
}

void SessionWorld::VerifyAll() {
  heap->Verify();
  if (database == nullptr || !database->open()) return;
  EXPECT_EQ(CheckFrames(heap->heap(), *session, *database, {}), "");
}

void SessionWorld::CollectMinor() {
  heap->CollectMinor();
  VerifyAll();
}

void SessionWorld::CollectMajor() {
  heap->CollectMajor();
  VerifyAll();
}

}  // namespace tenure::testing
