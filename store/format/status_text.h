// Texts made at run time for Status, whose text must outlive it.

#pragma once

#include <cerrno>
#include <string>

#include "base/result.h"

namespace tenure::store {

// A copy of `text` that lives as long as the process; equal texts share one. For failures, which
// are few: after many thousand different ones a general text is given instead. Any thread.
const char* KeepText(const std::string& text);

inline Status Failure(StatusCode code, const std::string& text, int64_t number = 0) {
  return Status(code, KeepText(text), number);
}

// Whether the error may go away when others free space on the disk.
bool IsLackOfSpace(int error);

// The failure that errno value `error` stands for: "WHAT: No space left on device".
Status SystemFailure(int error, const std::string& what);

// The errno of StoreOpen for anything but a file, such as a directory or a pipe: "file type is
// wrong". For a symbolic link the errno is ELOOP; for a file with several names that is to be
// written, the errno is EMLINK.
inline constexpr int kNotAFile = EBADFD;

}  // namespace tenure::store
