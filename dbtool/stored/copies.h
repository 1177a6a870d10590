// Copies of a whole store that no program uses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tenure::dbtool {

// Makes the directory `to` a copy of the store `from`, which is locked and first brought to a clean
// state (recovery). `to` must not exist: kExists. The copy is complete or absent: it is made under
// another name beside `to`. Files keep their holes. Only the copying user can read them; root's
// copy of another user's store has that store's owner and modes.
Status CopyStore(const std::string& from, const std::string& to);

// A new directory, which gets owner and mode as CopyStore says.
Status MakeDirectoryLike(const std::string& from, const std::string& to);

// Copies the files of the locked store into a new directory, without LOCK. A failure leaves the
// files copied so far. Where `unreadable` is not null, what the disk cannot read of a file is left
// out, as zeros, and named there, a text for each part.
Status CopyFiles(const std::string& from, const std::string& to,
                 std::vector<std::string>* unreadable = nullptr);

// Whether a copy of the store `from` can be made at `to`. kExists: `to` names something.
// kInvalidArgument: `to` lies within the store, and a command that replaces the store's directory
// would remove the copy. Removes the remains of `to` that killed commands have left.
Status CheckTarget(const std::string& from, const std::string& to);

// The temporary path at which this process makes `path`; `kind` is a part of its name.
std::string PlaceOfPart(const std::string& path, const char* kind);
inline constexpr const char* kPartial = ".partial.";  // by MakeWhole
inline constexpr const char* kCopy = ".copy.";        // that salvage works on

// `make` makes a directory beside `path`, which then gets that name, durably. A failure leaves
// nothing.
Status MakeWhole(const std::string& path,
                 const std::function<Status(const std::string& directory)>& make);

}  // namespace tenure::dbtool
