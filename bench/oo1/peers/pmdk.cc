// OO1 in PMDK's libpmemobj.
#include "bench/support/cpp/pmdk.h"

#include <algorithm>
#include <cstdint>

#include "bench/oo1/cpp/measure.h"

namespace {

using oo1::Draw;
using oo1::kConnections;
using pmdk::Add;
using pmdk::Make;
using pmdk::pool;
using pmdk::Ref;

constexpr char kLayout[] = "oo1";
constexpr size_t kPoolBytes = size_t{64} << 20;

struct Connection;

struct Part {
  int32_t id, x, y, build_date;
  oo1::ShortText type;
  Ref<Connection> to[kConnections];
  Ref<Connection> from;
};

struct Connection {
  int32_t length;
  oo1::ShortText type;
  Ref<Part> from, to;
  Ref<Connection> next_from;
};

// The ids follow each other, so an array finds the parts; the library has no tree.
struct Root {
  int64_t parts, room;
  Ref<Ref<Part>> by_id;
};

Ref<Root> TheRoot() {
  const PMEMoid id = pmemobj_root(pool, sizeof(Root));
  if (OID_IS_NULL(id)) pmdk::Die("no root");
  return {id};
}

void MakeRoom(Root* root) {
  const int64_t room = std::max<int64_t>(root->room * 2, oo1::kParts);
  const Ref<Ref<Part>> grown = Make<Ref<Part>>(static_cast<size_t>(room) * sizeof(Ref<Part>));
  if (root->room != 0) {
    std::copy_n(root->by_id.get(), root->parts, grown.get());
    pmemobj_tx_free(root->by_id.id);
  }
  root->room = room;
  root->by_id = grown;
}

// The root must have been added to the transaction.
void MakePart(Root* root) {
  if (root->parts == root->room) MakeRoom(root);
  const Ref<Part> part = Make<Part>();
  part->id = static_cast<int32_t>(root->parts);
  part->x = Draw(100000);
  part->y = Draw(100000);
  part->build_date = Draw(10 * 365);
  part->type = oo1::Type(Draw(10));
  Ref<Part>* const place = root->by_id.get() + root->parts++;
  Add(place);
  *place = part;
}

void Connect(const Root* root, int64_t id) {
  const Ref<Part>* const parts = root->by_id.get();
  Part* const part = parts[id].get();
  Add(&part->to);
  for (Ref<Connection>& place : part->to) {
    const Ref<Part> to = parts[oo1::Target(root->parts, id)];
    const Ref<Connection> connection = Make<Connection>();
    connection->length = Draw(1000);
    connection->type = oo1::Type(Draw(10));
    connection->from = parts[id];
    connection->to = to;
    connection->next_from = to->from;
    Add(&to->from);
    place = to->from = connection;
    oo1::seen += to->id;
  }
}

// In a transaction.
void Insert(Root* root) {
  const int64_t first = root->parts;
  Add(root);
  for (int i = 0; i < oo1::kInsertions; ++i) MakePart(root);
  for (int64_t id = first; id < root->parts; ++id) Connect(root, id);
}

void Visit(const Part* part, int hops) {
  oo1::Use(part->x, part->y, part->type);
  if (hops == 0) return;
  for (const Ref<Connection>& connection : part->to) Visit(connection->to.get(), hops - 1);
}

void Perform(Root* root, oo1::Operation operation) {
  const Ref<Part>* const parts = root->by_id.get();
  switch (operation) {
    case oo1::Operation::kLookup:
      for (int i = 0; i < oo1::kLookups; ++i) {
        const Part* part = parts[Draw(oo1::kParts)].get();
        oo1::Use(part->x, part->y, part->type);
      }
      return;
    case oo1::Operation::kTraversal: return Visit(parts[Draw(oo1::kParts)].get(), oo1::kHops);
    case oo1::Operation::kInsert: return Insert(root);
  }
}

// One transaction for as many parts as an insertion has.
template <class Work>
void InTransactions(const Work& work) {
  for (int64_t first = 0; first < oo1::kParts; first += oo1::kInsertions) {
    pmdk::Begin();
    for (int64_t id = first; id < first + oo1::kInsertions; ++id) work(id);
    pmdk::Commit();
  }
}

void Create(const char* path) {
  pool = pmemobj_create(path, kLayout, kPoolBytes, 0600);
  if (pool == nullptr) pmdk::Die(path);
  Root* const root = TheRoot().get();
  bench::StartRandom(1);
  InTransactions([&](int64_t) {
    Add(root);
    MakePart(root);
  });
  InTransactions([&](int64_t id) { Connect(root, id); });
  pmemobj_close(pool);
}

}  // namespace

int main(int argc, char** argv) {
  Root* root = nullptr;
  return oo1::StoreMain(
      argc, argv, Create,
      [&](const char* path, bool) {
        pool = pmemobj_open(path, kLayout);
        if (pool == nullptr) pmdk::Die(path);
        root = TheRoot().get();
        pmdk::Begin();
        return root->parts;
      },
      [&](oo1::Operation operation) { Perform(root, operation); },
      [] {
        pmdk::Commit();
        pmdk::Begin();
      },
      [] {
        pmdk::Commit();
        pmemobj_close(pool);
      });
}
