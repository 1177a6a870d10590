#include "store/format/status_text.h"

#include <cerrno>
#include <cstring>
#include <unordered_set>

#include "base/mutex.h"

namespace tenure::store {

namespace {

constexpr size_t kTextsMax = 20000;

StatusCode CodeOfErrno(int error) {
  if (IsLackOfSpace(error)) return StatusCode::kNoSpace;
  switch (error) {
    case EACCES:
    case EPERM:
    case EROFS: return StatusCode::kPermission;
    case kNotAFile: return StatusCode::kCorrupt;
    case EEXIST: return StatusCode::kExists;
    case ENOMEM: return StatusCode::kNoMemory;
    default: return StatusCode::kIo;
  }
}

}  // namespace

const char* KeepText(const std::string& text) {
  // Never destroyed: a Status may be printed while the process ends.
  static auto* mutex = new Mutex;
  static auto* texts = new std::unordered_set<std::string>;
  const MutexLock lock(*mutex);
  if (texts->size() >= kTextsMax && !texts->contains(text)) return "too many different failures";
  return texts->insert(text).first->c_str();
}

bool IsLackOfSpace(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

Status SystemFailure(int error, const std::string& what) {
  char buffer[128];
  return Failure(CodeOfErrno(error), what + ": " + strerror_r(error, buffer, sizeof buffer), error);
}

}  // namespace tenure::store
