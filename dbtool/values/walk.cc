#include "dbtool/values/walk.h"

#include <cstring>
#include <string>
#include <vector>

#include "abi/object_header.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PersistentRef;

namespace {

constexpr uint64_t kPagesAtOnce = 64;

Status Damaged(PageId page, size_t offset, const char* what) {
  return store::Failure(
      StatusCode::kCorrupt,
      "page " + std::to_string(page.number) + " offset " + std::to_string(offset) + ": " + what,
      static_cast<int64_t>(page.number));
}

// False: the visitor wants no more.
Result<bool> WalkPage(ObjectSource& source, PageId page, const std::byte* contents,
                      const std::function<bool(const StoredType&)>& wanted,
                      const std::function<bool(const ObjectPtr&)>& visit) {
  for (size_t at = 0; at < kPageBytes;) {
    uint64_t header;
    std::memcpy(&header, contents + at, sizeof header);
    const abi::ObjectHeader word{header};
    if (word.is_filler()) {
      const size_t bytes = word.filler_bytes();
      if (bytes < kHeaderBytes || bytes % 8 != 0 || bytes > kPageBytes - at) {
        return Damaged(page, at, "a free place of impossible length");
      }
      at += bytes;
      continue;
    }
    StoredObject object;
    object.type = source.types().At(header >> store::kStoredTypeShift);
    if (object.type == nullptr || kPageBytes - at < kHeaderBytes) {
      return Damaged(page, at, "no object header");
    }
    const std::span<const std::byte> payload(contents + at + kHeaderBytes,
                                             kPageBytes - at - kHeaderBytes);
    const std::optional<uint64_t> bytes = PayloadBytes(*object.type, payload);
    if (!bytes || *bytes > payload.size()) return Damaged(page, at, "an impossible length");
    if (wanted(*object.type)) {
      object.at = PersistentRef::Object(page, at + kHeaderBytes);
      object.payload = payload.first(*bytes);
      if (!visit(source.Hold(object))) return false;
    }
    at += kHeaderBytes + *bytes;
  }
  return true;
}

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
      const Result<bool> more = WalkPage(source, pages[i], reply.record.contents, wanted, visit);
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
