#include "stabilize/state/expected_pages.h"

#include <span>

#include "stabilize/frames/store_names.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/memory_budget.h"
#include "stabilize/state/reference_check.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

using abi::kPageBytes;

Status SettleExpected(SessionState& session) {
  // Expectations about absent pages may take this part of a budget.
  constexpr uint64_t kPartOfBudget = 16;
  const uint64_t limit = FrameLimit(session);
  if (limit == UINT64_MAX || session.expected * sizeof(ExpectedObject) < limit / kPartOfBudget) {
    return Status::Ok();
  }
  session.expected = 0;
  PageReply reply;
  for (size_t d = 0; d < session.databases.size(); ++d) {
    Database& database = *session.databases[d];
    if (!database.open()) continue;
    PageFrames& frames = database.frames();
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      if (frames.At(page).expected == nullptr) continue;
      // This program made the spilled page; the store has an older image.
      if (database.frames().At(page).absent()) {
        reply.status = Status::Ok();
        TN_RETURN_IF_ERROR(
            database.server().Read(database.id(), std::span(&page, 1), std::span(&reply, 1)));
        alignas(8) std::byte image[kPageBytes];
        bool refers_to_heap = false;
        Status status = reply.status;
        DatabaseReferences references(session, database);
        if (status.ok())
          status = DecodePage(page, reply.record, references, image, &refers_to_heap);
        (void)database.TakeNotRoundTrippable();
        database.ForgetUnknownProcedures(page);
        // The page's damage is reported when the program uses the page.
        if (!status.ok()) continue;
        TN_RETURN_IF_ERROR(CheckExpected(session, database, page, image, reply.record.run));
      }
      database.frames().At(page).expected.reset();
    }
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
