#include "dbtool/values/walk.h"

#include <vector>

#include "abi/object_header.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using store::PageId;
using store::PersistentRef;

namespace {

constexpr uint64_t kPagesAtOnce = 64;

}  // namespace

Status WalkObjects(ObjectSource& source, const std::function<bool(const StoredType&)>& wanted,
                   const std::function<bool(const ObjectPtr&)>& visit,
                   const std::function<void(const Status&)>& problem) {
  store::PageServer& server = source.server();
  TN_ASSIGN_OR_RETURN(const PageId last, server.MaxPage(source.database()));
  std::vector<store::PageReply> replies;
  for (uint64_t from = 1; from <= last.number; from += kPagesAtOnce) {
    TN_ASSIGN_OR_RETURN(const PageId next, server.NextPage(source.database(), PageId{from}));
    from = next.number;
    if (from > last.number) break;
    std::vector<PageId> pages;
    for (uint64_t n = from; n <= last.number && n < from + kPagesAtOnce; ++n) {
      pages.push_back(PageId{n});
    }
    replies.resize(pages.size());
    // A shared server waits for the first page of a read only.
    TN_RETURN_IF_ERROR(server.WantRead(source.database(), pages));
    TN_RETURN_IF_ERROR(server.Read(source.database(), pages, replies));
    for (size_t i = 0; i < pages.size(); ++i) {
      const store::PageReply& reply = replies[i];
      if (reply.status.code() == StatusCode::kNotFound) continue;
      if (!reply.status.ok()) {
        if (reply.status.code() != StatusCode::kCorrupt) return reply.status;
        problem(reply.status);
        continue;
      }
      if (reply.record.run.large()) {
        if (reply.record.run.index != 0) continue;
        const StoredType* const type = source.types().At(reply.record.run.type);
        if (type != nullptr && !wanted(*type)) continue;
        const Result<ObjectPtr> object = source.Load(PersistentRef::Object(pages[i], kHeaderBytes));
        if (!object.ok()) {
          problem(object.status());
        } else if (!visit(*object)) {
          return Status::Ok();
        }
        continue;
      }
      uint64_t free_bytes = 0;
      const Result<bool> more =
          ForEachObjectOn(pages[i], reply.record.contents, source.types(), &free_bytes,
                          [&](const StoredObject& object) {
                            return !wanted(*object.type) || visit(source.Hold(object));
                          });
      if (!more.ok()) {
        problem(more.status());
      } else if (!*more) {
        return Status::Ok();
      }
    }
  }
  return Status::Ok();
}

}  // namespace tenure::dbtool
