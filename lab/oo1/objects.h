// OO1 over any way to refer to objects (lab/oo7/objects.h says what a heap has): parts, each
// connected with three others, most of them near. The twin of bench/oo1/tenure/OO1.m3.
//
// Of the index a heap has
//   PartIndex<P>     what a database has of it
//   H::InsertPart(db, id, part), H::FindPart<P>(db, id)
#pragma once

#include <algorithm>
#include <cstdint>

#include "lab/oo7/objects.h"
#include "lab/support/random.h"

namespace tenure::lab::oo1 {

using oo7::RefIn;
using oo7::ShortText;
using oo7::TypeNumber;

inline constexpr int kParts = 20000;
inline constexpr int kConnections = 3;   // from a part
inline constexpr int kLookups = 1000;    // of one operation
inline constexpr int kHops = 7;          // depth of a traversal: 3,280 parts, some more than once
inline constexpr int kInsertions = 100;  // of one operation
inline constexpr int kNearShare = 90;  // percentage of connections that lead to the nearest parts:
inline constexpr int kNearParts = kParts / 100;

inline ShortText Type(int n) { return {{'t', 'y', 'p', 'e', static_cast<char>('0' + n)}}; }

// The part that a connection from part `id` leads to.
inline int32_t Target(int64_t parts, int64_t id) {
  if (Draw(100) >= kNearShare) return Draw(parts);
  const int64_t first = std::min(std::max<int64_t>(id - kNearParts / 2, 0), parts - kNearParts);
  return static_cast<int32_t>(first) + Draw(kNearParts);
}

inline int64_t seen;  // the sum of the values that the operation met

// Stands for the procedure of the program that uses the parts.
__attribute__((noinline)) inline void Use(int32_t x, int32_t y, const ShortText& type) {
  seen += x + y + type.chars[4];
}

// ---- Connections are objects, which both parts know

template <class H>
struct Part;

template <class H>
struct Connection {
  static constexpr TypeNumber kType = TypeNumber::kOo1Connection;
  int32_t length;
  ShortText type;
  RefIn<H, Part<H>> from, to;
  RefIn<H, Connection> next_from;

  template <class Visit>
  void ForEachRef(const Visit& visit) {
    visit(from), visit(to), visit(next_from);
  }
};

template <class H>
struct Part {
  static constexpr TypeNumber kType = TypeNumber::kOo1Part;
  int32_t id, x, y, build_date;
  ShortText type;
  RefIn<H, Connection<H>> to[kConnections];
  RefIn<H, Connection<H>> from;

  template <class Visit>
  void ForEachRef(const Visit& visit) {
    for (auto& ref : to) visit(ref);
    visit(from);
  }
};

// ---- Connections are stored in the part from which they lead (Hosking & Moss 1993, 5)

template <class H>
struct WholePart {
  static constexpr TypeNumber kType = TypeNumber::kOo1WholePart;
  struct Place {
    int32_t length;
    ShortText type;
    RefIn<H, WholePart> to;
  };
  int32_t id, x, y, build_date;
  ShortText type;
  Place to[kConnections];

  template <class Visit>
  void ForEachRef(const Visit& visit) {
    for (Place& place : to) visit(place.to);
  }
};

// ---- The database, of parts of one of the two kinds

template <class H, class P>
struct Database {
  static constexpr TypeNumber kType = TypeNumber::kOo1Database;
  int64_t parts = 0;
  [[no_unique_address]] typename H::template PartIndex<P> by_id;

  template <class Visit>
  void ForEachRef(const Visit&) {}
};

}  // namespace tenure::lab::oo1
