#include "store/bdb/bdb_messages.h"

#include <db.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/trees/tree_io.h"
#include "store/trees/tree_pages.h"

namespace tenure::store {

namespace {

// Of the thread.
thread_local char message_kept[512] = "";

bool Contains(const char* text, const char* part) {
  return std::string_view(text).find(part) != std::string_view::npos;
}

}  // namespace

void KeepMessage(const DB_ENV*, const char*, const char* message) {
  // Later messages are mostly about the consequences of the first.
  if (message_kept[0] == '\0') snprintf(message_kept, sizeof message_kept, "%s", message);
}

void StartListening() {
  ClearLastIoError();
  ClearPageTrouble();
  message_kept[0] = '\0';
}

const char* KeptMessage() { return message_kept; }

void ForgetMessage() { message_kept[0] = '\0'; }

bool SpeaksOfDamage(int code, const char* message) {
  return code == DB_PAGE_NOTFOUND || code == DB_VERIFY_BAD || code == DB_OLD_VERSION ||
         code == DB_LOG_VERIFY_BAD || Contains(message, "checksum") ||
         Contains(message, "unexpected file type") || Contains(message, "page type") ||
         Contains(message, "past end of log") || Contains(message, "magic number") ||
         Contains(message, "Illegal page") || Contains(message, "metadata page");
}

bool IsOfSystem(int code) {
  switch (code) {
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE: return true;
    // Berkeley DB also panics when malloc fails.
    case DB_RUNRECOVERY: return LastIoError() != 0 || Contains(message_kept, "malloc: ");
    default: return false;
  }
}

Status Damaged(int code, const std::string& path) {
  return Failure(StatusCode::kCorrupt, path + " is damaged (" +
                                           (*PageTrouble() != '\0'    ? PageTrouble()
                                            : message_kept[0] != '\0' ? message_kept
                                                                      : db_strerror(code)) +
                                           ")");
}

}  // namespace tenure::store
