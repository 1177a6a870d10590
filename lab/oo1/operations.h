// The operations of OO1 over any heap and both layouts of parts (objects.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "lab/oo1/objects.h"

namespace tenure::lab::oo1 {

enum class Operation { kLookup, kTraversal, kInsert };
inline constexpr std::string_view kOperationNames[] = {"lookup", "traversal", "insert"};

template <class H, template <class> class PartOf>
class Operations {
 public:
  template <class T>
  using Local = typename H::template Local<T>;
  template <class T>
  using Param = typename H::template Param<T>;
  using P = PartOf<H>;
  using Db = Database<H, P>;
  static constexpr bool kWhole = std::is_same_v<P, WholePart<H>>;

  static Local<Db> Build() {
    const Local<Db> db = H::template Make<Db>();
    StartRandom(1);
    MakeParts(db, kParts);
    return db;
  }

  static void Perform(Param<Db> db, Operation operation) {
    switch (operation) {
      case Operation::kLookup: return Lookup(db);
      case Operation::kTraversal: {
        const Local<P> part = Find(db, Draw(kParts));
        return Visit(part, kHops);
      }
      case Operation::kInsert: return MakeParts(db, kInsertions);
    }
  }

  static void MakeParts(Param<Db> db, int64_t n) {
    const int64_t first = db->parts;
    for (int64_t i = 0; i < n; ++i) MakePart(db);
    const int64_t end = db->parts;
    for (int64_t id = first; id < end; ++id) {
      const Local<P> part = Find(db, id);
      Connect(db, part);
    }
  }

  static void Visit(Param<P> part, int hops) {
    Use(part->x, part->y, part->type);
    if (hops == 0) return;
    for (int i = 0; i < kConnections; ++i) {
      if constexpr (kWhole) {
        const Local<P> to(part->to[i].to);
        Visit(to, hops - 1);
      } else {
        const Local<Connection<H>> connection(part->to[i]);
        const Local<P> to(connection->to);
        Visit(to, hops - 1);
      }
    }
  }

 private:
  static Local<P> Find(Param<Db> db, int64_t id) { return H::template FindPart<P>(db, id); }

  static void Lookup(Param<Db> db) {
    for (int i = 0; i < kLookups; ++i) {
      const Local<P> part = Find(db, Draw(kParts));
      Use(part->x, part->y, part->type);
    }
  }

  static void MakePart(Param<Db> db) {
    const Local<P> part = H::template Make<P>();
    const auto id = static_cast<int32_t>(db->parts);
    H::Update(db)->parts = id + 1;
    {
      const auto updated = H::Update(part);
      updated->id = id;
      updated->x = Draw(100000);
      updated->y = Draw(100000);
      updated->build_date = Draw(10 * 365);
      updated->type = Type(Draw(10));
    }
    H::InsertPart(db, id, part);
  }

  static void Connect(Param<Db> db, Param<P> part) {
    for (int i = 0; i < kConnections; ++i) {
      const Local<P> to = Find(db, Target(db->parts, part->id));
      const int32_t length = Draw(1000);
      const ShortText type = Type(Draw(10));
      if constexpr (kWhole) {
        const auto updated = H::Update(part);
        updated->to[i].length = length;
        updated->to[i].type = type;
        updated->to[i].to = to;
      } else {
        const Local<Connection<H>> connection = H::template Make<Connection<H>>();
        {
          const auto updated = H::Update(connection);
          updated->length = length;
          updated->type = type;
          updated->from = part;
          updated->to = to;
          updated->next_from = Local<Connection<H>>(to->from);
        }
        H::Update(part)->to[i] = connection;
        H::Update(to)->from = connection;
      }
      seen += to->id;
    }
  }
};

}  // namespace tenure::lab::oo1
