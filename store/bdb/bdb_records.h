// The records that BdbPageServer keeps beside the pages, as bytes: keys of its trees, the head of a
// database, entries of the store's tree. docs/page_format.md shows them from the outside. Integers
// in keys are big-endian, so that Berkeley DB sorts them; in values little-endian.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/server/page_server.h"

namespace tenure::store {

// --- A database's tree: key 0 is its head, key n page n ---

using PageKey = std::array<std::byte, 8>;

PageKey KeyOf(PageId page);
PageId PageOfKey(const PageKey& key);

inline constexpr PageId kHeadKey{0};

// Entries of the import and export tables have the keys kImportKeys + n and kExportKeys + n, behind
// all pages.
inline constexpr uint64_t kImportKeys = uint64_t{'I'} << 56;
inline constexpr uint64_t kExportKeys = uint64_t{'E'} << 56;
static_assert(kPageNumberLimit < kExportKeys && kExportKeys < kImportKeys);
// The run of removed pages that begins with page n has the key kFreedKeys + n.
inline constexpr uint64_t kFreedKeys = uint64_t{'F'} << 56;

std::string EncodeFreed(uint64_t pages);
std::optional<uint64_t> DecodeFreed(std::span<const std::byte> bytes);

// Tells a database's file from older and other copies of the file. The head gets a new stamp, and
// so does the store's list, when the file changes for the first time after a checkpoint.
struct FileStamp {
  uint64_t number =
      0;  // random; 0: none, of a database that was last changed before there were any
  uint64_t version = 0;  // of the commit with which the stamp was written; 0: none yet
};

struct DatabaseHead {
  Uuid uuid;
  Uuid store;  // whose types its objects have; zero in heads of a time when none was written
  PersistentRef root;
  uint64_t next_page = 1;  // all pages that were ever written are below
  FileStamp stamp;
  uint64_t replaces = 0;  // the stamp of the file in whose place this file was put; 0: none
};

inline constexpr size_t kDatabaseHeadBytes = 88;

std::array<std::byte, kDatabaseHeadBytes> EncodeHead(const DatabaseHead& head);
// Nothing if the bytes are damaged. `*version` is the format version found, 0 if not even that.
std::optional<DatabaseHead> DecodeHead(std::span<const std::byte> bytes, uint32_t* version);
// Version 1 has no stamps.
inline constexpr uint32_t kDatabaseFormatVersion = 2;

// --- The store's tree: 'T' and the index of a type entry; 'C' and a slot of the ring of outcomes;
// 'N' and a number for the name of a database;
// 'P' and the id of a prepared commit; 'D' and that of a commit that stores have prepared
// elsewhere; 'K' and that of an older commit whose outcome is kept, or zero for
// OutcomeMemory::Changes::limit.

using StoreKey = std::array<std::byte, 5>;

StoreKey TypeKey(uint32_t index);
StoreKey OutcomeKey(uint32_t slot);
StoreKey NameKey(uint32_t number);
inline constexpr std::byte kTypeTag{'T'};
inline constexpr std::byte kOutcomeTag{'C'};
inline constexpr std::byte kNameTag{'N'};
uint32_t NumberOfStoreKey(const StoreKey& key);

// 'P', 'D' or 'K', and the id.
using CommitKey = std::array<std::byte, 17>;
inline constexpr std::byte kPreparedTag{'P'};
inline constexpr std::byte kDecisionTag{'D'};
inline constexpr std::byte kKeptTag{'K'};
CommitKey KeyOfCommit(std::byte tag, CommitId id);
CommitId IdOfCommitKey(const CommitKey& key);

// A description with its checksum before it.
std::string EncodeType(std::span<const std::byte> description);
std::optional<std::string> DecodeType(std::span<const std::byte> bytes);

// An entry of the list of databases, with its checksum before it.
struct ListedName {
  std::string name;
  FileStamp stamp;  // as in the database's head
};
std::string EncodeName(const ListedName& entry);
std::optional<ListedName> DecodeName(std::span<const std::byte> bytes);

// Whether these may be the uuids of a decision's participants, with their checksum before them.
bool IsDecision(std::span<const std::byte> bytes);

// The commit with version v is in slot v modulo BdbOptions::latest_outcomes, until a later one
// takes its place.

inline constexpr size_t kOutcomeRecordBytes = 32;

std::array<std::byte, kOutcomeRecordBytes> EncodeOutcome(const CommitMark& mark);
std::optional<CommitMark> DecodeOutcome(std::span<const std::byte> bytes);

}  // namespace tenure::store
