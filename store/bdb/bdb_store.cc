#include "store/bdb/bdb_store.h"

#include <algorithm>

#include "store/bdb/bdb_handles.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"

namespace tenure::store {

Status BdbStore::Usable() const {
  if (closed) return Status(StatusCode::kClosed, "the store is closed");
  return environment->failed();
}

Result<DatabaseState*> BdbStore::Find(DatabaseId id) const {
  TN_RETURN_IF_ERROR(Usable());
  if (id.index >= databases.size() || databases[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  return databases[id.index].get();
}

std::optional<DatabaseId> BdbStore::FindOpen(std::string_view name) const {
  for (uint32_t i = 0; i < databases.size(); ++i) {
    if (databases[i] != nullptr && databases[i]->name == name) return DatabaseId{i};
  }
  return std::nullopt;
}

void BdbStore::ReadRun(DatabaseState& database, std::span<const PageId> pages,
                       std::span<PageReply> replies) {
  const auto missing = [&](PageId page) {
    return Failure(StatusCode::kNotFound, PageText(database.name, page) + " does not exist",
                   static_cast<int64_t>(page.number));
  };
  Cursor cursor(database.tree);
  PageId at{};  // where the cursor is; the head's key at first, which no page has
  for (size_t i = 0; i < pages.size(); ++i) {
    const PageId page = pages[i];
    PageReply& reply = replies[i];
    if (!database.ids.known(page)) {
      reply.status = missing(page);
      continue;
    }
    const PendingPage* const pending = database.pending.Find(page);
    if (pending != nullptr && pending->whole()) {
      reply.status = pending->PutOn(page, &reply.record);
      at = {};
      continue;
    }
    // The next record of the tree is most often the next page.
    const bool follows = at.valid() && page == at + 1;
    PageKey key = KeyOf(page);
    DBT key_dbt = follows ? Out(key.data(), key.size()) : In(key.data(), key.size());
    DBT value = Out(&reply.record, kPageRecordBytes);
    const int code = cursor.Get(&key_dbt, &value, follows ? DB_NEXT : DB_SET);
    at = {};
    if (code == DB_NOTFOUND || (code == 0 && PageOfKey(key) != page)) {
      reply.status = missing(page);
    } else if (code == DB_BUFFER_SMALL || (code == 0 && value.size != kPageRecordBytes)) {
      reply.status = Failure(StatusCode::kCorrupt,
                             PageText(database.name, page) + " is damaged: its length is wrong",
                             static_cast<int64_t>(page.number));
    } else if (code != 0) {
      reply.status = environment->Translate(code, "cannot read " + PageText(database.name, page),
                                            static_cast<int64_t>(page.number));
    } else {
      at = page;
      reply.status = pending != nullptr ? pending->PutOn(page, &reply.record)
                                        : CheckPageRecord(page, reply.record);
    }
  }
}

Status BdbStore::CheckRequest(const CommitRequest& request) const {
  TN_RETURN_IF_ERROR(Usable());
  return CheckCommitRequest(request, [this](DatabaseId id) -> Result<const PageIds*> {
    TN_ASSIGN_OR_RETURN(DatabaseState* const database, Find(id));
    return &database->ids;
  });
}

void BdbStore::NoteCommitted(const CommitRequest& request, const CommitMark& record,
                             bool in_trees) {
  version = record.version;
  outcomes.Note(record, request.asker);
  counters.commits.fetch_add(1, std::memory_order_relaxed);
  for (const DatabaseCommit& commit : request.databases) {
    DatabaseState& database = *databases[commit.database.index];
    database.head = HeadAfter(database, commit);
    database.imports += commit.imports.size();
    database.exports += commit.exports.size();
    if (in_trees) {
      database.freed.Settle();
      database.versions.clear();
    }
    for (const PageWrite& write : commit.pages) {
      database.ids.NoteCommitted(write.page);
      if (write.remove) {
        (void)database.ids.Return({write.page, 1});  // it may be free already
        continue;
      }
      auto& counter = write.contents != nullptr ? counters.pages_written : counters.pages_changed;
      counter.fetch_add(1, std::memory_order_relaxed);
      counters.bytes_written.fetch_add(BytesWritten(write), std::memory_order_relaxed);
    }
  }
}

void BdbStore::ClaimPages(const CommitRequest& request) {
  for (const DatabaseCommit& part : request.databases) {
    PageIds& numbers = databases[part.database.index]->ids;
    for (const PageWrite& write : part.pages) {
      if (!write.remove) ClaimPage(numbers, write.page);
    }
  }
}

void BdbStore::UndoNotes(const CommitRequest& request) {
  for (const DatabaseCommit& commit : request.databases) {
    databases[commit.database.index]->freed.Undo();
    databases[commit.database.index]->next_stamp.reset();
  }
}

DatabaseHead HeadAfter(const DatabaseState& database, const DatabaseCommit& commit) {
  DatabaseHead head = database.head;
  if (commit.root) head.root = *commit.root;
  for (const PageWrite& write : commit.pages) {
    head.next_page = std::max(head.next_page, write.page.number + 1);
  }
  return head;
}

void ClaimPage(PageIds& numbers, PageId page) {
  if (page.valid() && page.number < kPageNumberLimit) numbers.Claim(page);
}

}  // namespace tenure::store
