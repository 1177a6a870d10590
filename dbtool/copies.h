// Copies of a whole store that nobody uses.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace tenure::dbtool {

// Makes the directory `to` a copy of the store `from`, which is locked meanwhile, after bringing it
// to a clean state (recovery). `to` must not exist: kExists. A copy is complete or not there: it is
// made under another name beside `to`. Files keep their holes. They are readable by whoever makes
// the copy only; root's copy of somebody else's store has the owner and the modes of that.
Status CopyStore(const std::string& from, const std::string& to);

// A new directory, which gets owner and mode as CopyStore says.
Status MakeDirectoryLike(const std::string& from, const std::string& to);

// The files of the store, which is locked, into a new directory; without LOCK. A failure leaves
// what it has made.
Status CopyFiles(const std::string& from, const std::string& to);

// kExists if the path names anything. Removes what commands that were killed have left of it.
Status CheckAbsent(const std::string& path);

// Where what is to be `path` is made by this process; `kind` says what it is.
std::string PlaceOfPart(const std::string& path, const char* kind);
inline constexpr const char* kPartial = ".partial.";  // by MakeWhole
inline constexpr const char* kCopy = ".copy.";        // that salvage works on

// `make` makes a directory beside `path`, which then gets that name, durably. If something fails
// nothing of it stays.
Status MakeWhole(const std::string& path,
                 const std::function<Status(const std::string& directory)>& make);

}  // namespace tenure::dbtool
