// OO1 with a record per object and ids for references, as is usual for a record store. A connection
// is found by its source part and by its target part.
//
// A program defines the functions of namespace store that are declared here and calls oo1::Main.
#pragma once

#include <cstdint>

#include "bench/oo1/cpp/measure.h"
#include "bench/support/cpp/store.h"

namespace oo1 {

struct PartRecord {
  int32_t id, x, y, build_date;
  ShortText type;
};

// The connections from one part have consecutive ids, from kConnections times the part's id on.
struct ConnectionRecord {
  int32_t id, length;
  ShortText type;
  int32_t from, to;
};

}  // namespace oo1

namespace store {

// See bench/support/cpp/store.h. Get expects that the record exists.
int32_t GetPartCount();
void PutPartCount(int32_t parts);
void Get(int32_t id, oo1::PartRecord* record);
void GetConnections(int32_t from, oo1::ConnectionRecord* records);  // kConnections of them
void Put(const oo1::PartRecord& record);
void Put(const oo1::ConnectionRecord& record);

}  // namespace store

namespace oo1 {

inline void PutPart(int32_t id) {
  PartRecord record = {};
  record.id = id;
  record.x = Draw(100000);
  record.y = Draw(100000);
  record.build_date = Draw(10 * 365);
  record.type = Type(Draw(10));
  store::Put(record);
}

inline void PutConnections(int32_t id, int32_t parts) {
  for (int32_t i = 0; i < kConnections; ++i) {
    ConnectionRecord record = {};
    record.id = id * kConnections + i;
    record.from = id;
    record.to = Target(parts, id);
    record.length = Draw(1000);
    record.type = Type(Draw(10));
    store::Put(record);
    seen += record.to;
  }
}

// New ids begin after the `first` existing ones.
inline void PutParts(int32_t first, int32_t n) {
  const int32_t parts = first + n;
  for (int32_t id = first; id < parts; ++id) PutPart(id);
  for (int32_t id = first; id < parts; ++id) PutConnections(id, parts);
  store::PutPartCount(parts);
}

inline void UseRecord(int32_t id) {
  PartRecord part;
  store::Get(id, &part);
  Use(part.x, part.y, part.type);
}

inline void VisitRecord(int32_t id, int hops) {
  UseRecord(id);
  if (hops == 0) return;
  ConnectionRecord connections[kConnections];
  store::GetConnections(id, connections);
  for (const ConnectionRecord& connection : connections) VisitRecord(connection.to, hops - 1);
}

inline void PerformOnRecords(Operation operation) {
  switch (operation) {
    case Operation::kLookup:
      for (int i = 0; i < kLookups; ++i) UseRecord(Draw(kParts));
      return;
    case Operation::kTraversal: return VisitRecord(Draw(kParts), kHops);
    case Operation::kInsert: return PutParts(store::GetPartCount(), kInsertions);
  }
}

inline int Main(int argc, char** argv) {
  bool write = false;
  const auto build = [](const char* path) {
    store::Create(path);
    store::Begin(true);
    bench::StartRandom(1);
    PutParts(0, kParts);
    store::Commit();
    store::Close();
  };
  const auto open = [&](const char* path, bool updates) {
    write = updates;
    store::Open(path);
    store::Begin(write);
    return store::GetPartCount();
  };
  const auto chain = [&] {
    store::Commit();
    store::Begin(write);
  };
  const auto close = [] {
    store::Commit();
    store::Close();
  };
  return StoreMain(argc, argv, build, open, PerformOnRecords, chain, close);
}

}  // namespace oo1
