// OO1 with C++ objects, in any heap: the twin of bench/oo1/tenure/OO1.m3. Keep the two in step.
//
// Include a heap before this file (bench/support/cpp/malloc_heap.h).
#pragma once

#include <cstdint>
#include <cstdio>
#include <new>

#include "bench/oo1/cpp/measure.h"
#include "bench/support/cpp/containers.h"

namespace oo1 {

struct Part;

struct Connection {
  int32_t length;
  ShortText type;
  Part *from, *to;
  Connection* next_from;
};

struct Part {
  int32_t id, x, y, build_date;
  ShortText type;
  Connection* to[kConnections];
  Connection* from;
};

struct Database {
  int64_t parts = 0;
  bench::Index<int64_t, Part*> by_id;
};

inline void MakePart(Database* db) {
  Part* part = heap::Make<Part>();
  part->id = static_cast<int32_t>(db->parts++);
  part->x = Draw(100000);
  part->y = Draw(100000);
  part->build_date = Draw(10 * 365);
  part->type = Type(Draw(10));
  db->by_id[part->id] = part;
}

inline Part* Find(const Database* db, int64_t id) { return db->by_id.find(id)->second; }

inline void Connect(Database* db, Part* part) {
  for (Connection*& place : part->to) {
    Part* to = Find(db, Target(db->parts, part->id));
    Connection* connection = heap::Make<Connection>();
    connection->length = Draw(1000);
    connection->type = Type(Draw(10));
    connection->from = part;
    connection->to = to;
    connection->next_from = to->from;
    place = to->from = connection;
    seen += to->id;
  }
}

inline void MakeParts(Database* db, int64_t n) {
  const int64_t first = db->parts;
  for (int64_t i = 0; i < n; ++i) MakePart(db);
  for (int64_t id = first; id < db->parts; ++id) Connect(db, Find(db, id));
}

inline Database* Build() {
  Database* db = new (heap::Allocate(sizeof(Database))) Database();
  bench::StartRandom(1);
  MakeParts(db, kParts);
  return db;
}

inline void Visit(const Part* part, int hops) {
  Use(part->x, part->y, part->type);
  if (hops == 0) return;
  for (const Connection* connection : part->to) Visit(connection->to, hops - 1);
}

inline void Lookup(const Database* db) {
  for (int i = 0; i < kLookups; ++i) {
    const Part* part = Find(db, Draw(kParts));
    Use(part->x, part->y, part->type);
  }
}

inline void Perform(Database* db, Operation operation) {
  switch (operation) {
    case Operation::kLookup: return Lookup(db);
    case Operation::kTraversal: return Visit(Find(db, Draw(kParts)), kHops);
    case Operation::kInsert: return MakeParts(db, kInsertions);
  }
}

// The main program for a heap that ends with the process: NAME OPERATION.
inline int MeasureInMemory(int argc, char** argv) {
  if (argc != 2) bench::Fail("usage: lookup|traversal|insert");
  const Operation operation = OperationNamed(argv[1]);
  Database* db = Build();
  Iterate([&] { Perform(db, operation); }, [](const bench::Spent&) {});
  bench::TellMemory();
  return 0;
}

}  // namespace oo1
