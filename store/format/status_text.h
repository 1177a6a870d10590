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

// Whether it may go away when others give the disk's space back.
bool IsLackOfSpace(int error);

// The failure that errno value `error` stands for: "WHAT: No space left on device".
Status SystemFailure(int error, const std::string& what);

// What StoreOpen fails with where there is something else than a file: "file type is wrong". With
// ELOOP it fails where there is a symbolic link, with EMLINK where the file has several names and
// is to be written.
inline constexpr int kNotAFile = EBADFD;

}  // namespace tenure::store
