// The names of stores, databases, commits and runs of pages.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "store/format/persistent_ref.h"

namespace tenure::store {

// A database that is open at one server. Not stored; not reused while the server is open.
struct DatabaseId {
  uint32_t index = 0;

  friend constexpr auto operator<=>(DatabaseId, DatabaseId) = default;
};

// Names a store or a database for ever, also in copies.
struct Uuid {
  std::array<uint8_t, 16> bytes{};

  friend constexpr auto operator<=>(const Uuid&, const Uuid&) = default;
};

// Its bytes in hexadecimal, as in FORMAT.
std::string TextOf(const Uuid& uuid);

// Names one attempt to commit, so that its fate can be asked for. Never reused: NewCommitId.
struct CommitId {
  uint64_t high = 0;
  uint64_t low = 0;

  friend constexpr auto operator<=>(const CommitId&, const CommitId&) = default;
};

// A new id from the system's random source.
CommitId NewCommitId();
Uuid NewUuid();

// `pages` consecutive pages from `first` on.
struct PageRun {
  PageId first;
  uint64_t pages = 0;

  friend constexpr auto operator<=>(const PageRun&, const PageRun&) = default;
};

// A number from the system's random source; never 0.
uint64_t NewTag();

}  // namespace tenure::store
