// The file FORMAT of a store: what it is, and which one (docs/page_format.md).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Version 1 had no lineage, and no tags in the tables of references between databases; version 2 no
// stamps of databases' files.
inline constexpr int kStoreFormatVersion = 3;
inline constexpr int kOldestStoreFormatVersion = 1;

struct StoreFormat {
  int version = kStoreFormatVersion;
  Uuid uuid;             // for ever, also in copies
  uint64_t lineage = 0;  // of this store alone; 0: version 1
  std::string mark;      // of the file FORMAT when that was written
};

// Tells a file from its copies until it is written anew: its inode and the time when that was made.
// Empty if the system does not tell.
std::string FileMark(int fd);

std::string EncodeFormat(const StoreFormat& format);
// kFormat, with the version, if this program does not know the version; kCorrupt. Messages name
// `file` and `store`.
Result<StoreFormat> DecodeFormat(std::string_view text, const std::string& file,
                                 const std::string& store);

// Reads FORMAT of the store in the directory.
Result<StoreFormat> ReadStoreFormat(const std::string& directory);
// Durably, with the mark of the new file.
Status WriteStoreFormat(const std::string& directory, const StoreFormat& format);
// Whether FORMAT is the file that was written, and no copy of it.
Result<bool> IsOriginal(const std::string& directory, const StoreFormat& format);

}  // namespace tenure::store
