#include "stabilize/session/called_back.h"

#include "stabilize/frames/store_names.h"
#include "stabilize/state/frame_contents.h"

namespace tenure::stabilize {

CallbackListener::Answer SessionCallbacks::CalledBack(PageServer& server, DatabaseId id,
                                                      PageId page, bool to_read) {
  const CallbackGuard guard(session_.lock, std::try_to_lock);
  if (!guard.has_lock() || session_.collecting) return Answer::kLater;
  if (session_.in_transaction()) return Answer::kInTransaction;
  for (auto& database : session_.databases) {
    if (!database->open() || database->id() != id) continue;
    if (database->server().store_uuid() != server.store_uuid()) continue;
    if (page.number == 0) {
      if (!to_read) database->ExpireRoot();
      continue;
    }
    // Nothing new may be put on it without asking.
    database->open_pages().Close(page);
    if (!to_read && database->frames().Covers(page)) GiveUpFrame(session_, *database, page);
  }
  return Answer::kGivenUp;
}

}  // namespace tenure::stabilize
