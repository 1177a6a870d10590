#include "store/bdb/bdb_tree_writer.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/reference_entries.h"

namespace tenure::store {

namespace {

Status Conflict(const std::string& database, PageId page) {
  return Failure(StatusCode::kConflict, PageText(database, page) + " has changed since it was read",
                 static_cast<int64_t>(page.number));
}

// Ranges closer than this go in one put. A put costs about 10 us whatever its size, since Berkeley
// DB compares the whole record with the old one to find the bytes to log. Each further byte in a
// put costs some nanoseconds, in the log and its sync.
constexpr size_t kPutGapBytes = 1024;

// Berkeley DB logs all bytes between the first and the last byte that a put changes, before and
// after. A commit of at most kFewPages pages takes the time of a sync: there a few more puts cost
// nothing, and the log is smaller when only ranges less than kFewPagesGapBytes apart go together.
// But each put compares the whole record: a page that would take more than kMostPuts puts uses
// kPutGapBytes.
constexpr size_t kFewPages = 8;
constexpr size_t kFewPagesGapBytes = 48;
constexpr size_t kMostPuts = 4;

// The number of puts that PutRanges makes for the ranges.
size_t Pieces(std::span<const PendingPage::Range> ranges, size_t gap) {
  size_t pieces = 1;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const size_t end = i == 0 ? 0 : ranges[i - 1].second;
    pieces += ranges[i].first - end > gap;
  }
  return pieces;
}

}  // namespace

Status TreeWriter::WriteDatabase(DB_TXN* transaction, const DatabaseCommit& commit,
                                 uint64_t version) {
  DatabaseState& database = *store_.databases[commit.database.index];
  TN_RETURN_IF_ERROR(database.spoiled);
  if (!database.replaces.empty()) transaction = nullptr;  // it is written outside of the log
  const size_t gap = commit.pages.size() <= kFewPages ? kFewPagesGapBytes : kPutGapBytes;
  for (const PageWrite& write : commit.pages) {
    if (write.remove) {
      TN_RETURN_IF_ERROR(RemovePage(transaction, database, write));
      continue;
    }
    TN_RETURN_IF_ERROR(write.expected_version == 0
                           ? WritePage(transaction, database, write, version)
                           : ChangePage(transaction, database, write, version, gap));
    if (write.expected_version == 0) database.freed.Take(write.page);
  }
  TN_RETURN_IF_ERROR(WriteFreed(transaction, database));
  TN_RETURN_IF_ERROR(WriteTables(transaction, database, commit));
  const DatabaseHead head = HeadAfter(database, commit);
  const bool same_head =
      head.root == database.head.root && head.next_page == database.head.next_page;
  if (same_head && commit.pages.empty() && commit.imports.empty() && commit.exports.empty()) {
    return Status::Ok();
  }
  TN_ASSIGN_OR_RETURN(const bool stamped, Stamp(transaction, database, version));
  if (stamped || !same_head) TN_RETURN_IF_ERROR(WriteHead(transaction, database, head));
  return database.replaces.empty() ? Status::Ok() : store_.environment->ReplacementError();
}

Result<bool> TreeWriter::Stamp(DB_TXN* transaction, DatabaseState& database, uint64_t version) {
  database.next_stamp.reset();
  const uint64_t period = store_.environment->period();
  if (database.stamped_in == period) return false;
  const FileStamp stamp{NewTag(), version};
  // A replacement gets into the list when it gets its place.
  if (database.replaces.empty()) {
    TN_RETURN_IF_ERROR(names_.Put(transaction, database.name, stamp).status());
  }
  database.next_stamp = stamp;
  database.next_stamped_in = period;
  return true;
}

void TreeWriter::SettleStamp(DatabaseState& database) {
  if (!database.next_stamp) return;
  database.head.stamp = *std::exchange(database.next_stamp, std::nullopt);
  database.head.replaces = 0;
  database.stamped_in = database.next_stamped_in;
  if (!database.replaces.empty()) return;
  NameList::Entry entry = names_.names().at(database.name);
  entry.stamp = database.head.stamp;
  names_.Add(database.name, entry);
}

Status TreeWriter::WriteHead(DB_TXN* transaction, const DatabaseState& database,
                             const DatabaseHead& head) {
  DatabaseHead named = head;
  named.store = store_.directory.uuid();  // old heads have none
  if (database.next_stamp) {
    named.stamp = *database.next_stamp;
    named.replaces = 0;
  }
  const auto bytes = EncodeHead(named);
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
  return code == 0
             ? Status::Ok()
             : store_.environment->Translate(code, "cannot write to database " + database.name);
}

Status TreeWriter::WritePage(DB_TXN* transaction, DatabaseState& database, const PageWrite& write,
                             uint64_t version) {
  PageRecord record{version, ChecksumOfWhole(write), write.run, {}};
  std::memcpy(record.contents, write.contents, sizeof record.contents);
  const PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(&record, sizeof record);
  const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, DB_NOOVERWRITE);
  if (code == 0) return Status::Ok();
  if (code == DB_KEYEXIST) return Conflict(database.name, write.page);
  return store_.environment->Translate(code, "cannot write " + PageText(database.name, write.page),
                                       static_cast<int64_t>(write.page.number));
}

Status TreeWriter::ChangePage(DB_TXN* transaction, DatabaseState& database, const PageWrite& write,
                              uint64_t version, size_t gap) {
  const auto fail = [&](int code) {
    return store_.environment->Translate(code,
                                         "cannot write " + PageText(database.name, write.page),
                                         static_cast<int64_t>(write.page.number));
  };
  Cursor cursor(database.tree, transaction);
  PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  DBT old_value = Out(&record, sizeof record);
  int code = cursor.Get(&key_dbt, &old_value, DB_SET);
  if (code == DB_NOTFOUND) return Conflict(database.name, write.page);
  if (code != 0) return fail(code);
  if (record.version != write.expected_version) return Conflict(database.name, write.page);
  TN_RETURN_IF_ERROR(ApplyWrite(write, version, &record));

  if (write.contents != nullptr) {
    DBT value = In(&record, sizeof record);
    code = cursor.Put(&key_dbt, &value, DB_CURRENT);
    return code == 0 ? Status::Ok() : fail(code);
  }
  std::vector<PendingPage::Range> ranges;
  ranges.reserve(write.regions.size());
  for (const ChangedRegion& region : write.regions) {
    ranges.emplace_back(region.offset, region.offset + region.bytes.size());
  }
  code = PutRanges(cursor, key, record, ranges, gap);
  return code == 0 ? Status::Ok() : fail(code);
}

int TreeWriter::PutRanges(Cursor& cursor, PageKey& key, const PageRecord& record,
                          std::span<const PendingPage::Range> ranges, size_t gap) {
  if (Pieces(ranges, gap) > kMostPuts) gap = kPutGapBytes;
  DBT key_dbt = In(key.data(), key.size());
  const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
  size_t begin = 0;  // of the bytes that the next put takes; the header is first
  size_t end = kPageRecordHeaderBytes;
  const auto put = [&] {
    DBT value = Part(In(bytes + begin, end - begin), begin, end - begin);
    return cursor.Put(&key_dbt, &value, DB_CURRENT);
  };
  for (const auto& [from, to] : ranges) {
    const size_t at = kPageRecordHeaderBytes + from;
    if (at - end > gap) {
      if (const int code = put(); code != 0) return code;
      begin = at;
    }
    end = kPageRecordHeaderBytes + to;
  }
  return put();
}

Status TreeWriter::WriteTables(DB_TXN* transaction, const DatabaseState& database,
                               const DatabaseCommit& commit) {
  const auto conflict = [&](const char* table) {
    return Failure(StatusCode::kConflict, std::string("the ") + table + " table of database " +
                                              database.name + " has changed");
  };
  if (!commit.imports.empty() && commit.imports_before != database.imports) {
    return conflict("import");
  }
  if (!commit.exports.empty() && commit.exports_before != database.exports) {
    return conflict("export");
  }
  const auto put = [&](uint64_t number, const std::string& bytes) {
    const PageKey key = KeyOf(PageId{number});
    DBT key_dbt = In(key.data(), key.size());
    DBT value = In(bytes.data(), bytes.size());
    const int code =
        database.tree->put(database.tree, transaction, &key_dbt, &value, DB_NOOVERWRITE);
    return code == 0
               ? Status::Ok()
               : store_.environment->Translate(code, "cannot write to database " + database.name);
  };
  for (size_t i = 0; i < commit.imports.size(); ++i) {
    TN_RETURN_IF_ERROR(
        put(kImportKeys + commit.imports_before + 1 + i, EncodeImport(commit.imports[i])));
  }
  for (size_t i = 0; i < commit.exports.size(); ++i) {
    TN_RETURN_IF_ERROR(
        put(kExportKeys + commit.exports_before + 1 + i, EncodeExport(commit.exports[i])));
  }
  return Status::Ok();
}

Status TreeWriter::RemovePage(DB_TXN* transaction, DatabaseState& database,
                              const PageWrite& write) {
  const auto fail = [&](int code) {
    return store_.environment->Translate(code,
                                         "cannot remove " + PageText(database.name, write.page),
                                         static_cast<int64_t>(write.page.number));
  };
  PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  record.version = 0;
  DBT value = Part(Out(&record, kPageRecordHeaderBytes), 0, kPageRecordHeaderBytes);
  int code = database.tree->get(database.tree, transaction, &key_dbt, &value, 0);
  if (code != 0 && code != DB_NOTFOUND) return fail(code);
  if ((code == 0) != (write.expected_version != 0) || record.version != write.expected_version) {
    return Conflict(database.name, write.page);
  }
  if (code == 0) {
    code = database.tree->del(database.tree, transaction, &key_dbt, 0);
    if (code != 0) return fail(code);
  }
  database.freed.Add(write.page);
  return Status::Ok();
}

Status TreeWriter::WriteFreed(DB_TXN* transaction, DatabaseState& database) {
  for (const auto& [first, before] : database.freed.before()) {
    const auto run = database.freed.runs().find(first);
    const uint64_t now = run == database.freed.runs().end() ? 0 : run->second;
    if (now == before) continue;
    const PageKey key = KeyOf(PageId{kFreedKeys + first});
    const std::string bytes = EncodeFreed(now);
    DBT key_dbt = In(key.data(), key.size());
    DBT value = In(bytes.data(), bytes.size());
    const int code = now == 0 ? database.tree->del(database.tree, transaction, &key_dbt, 0)
                              : database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
    if (code != 0) {
      return store_.environment->Translate(code, "cannot write to database " + database.name);
    }
  }
  return Status::Ok();
}

Status TreeWriter::WriteOutcome(DB_TXN* transaction, const CommitMark& record) {
  const StoreKey key =
      OutcomeKey(static_cast<uint32_t>(record.version % store_.options.latest_outcomes));
  const auto bytes = EncodeOutcome(record);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_.store_tree->put(store_.store_tree, transaction, &key_dbt, &value, 0);
  return code == 0
             ? Status::Ok()
             : store_.environment->Translate(code, "cannot commit to " + store_.directory.path());
}

Status TreeWriter::WriteKept(DB_TXN* transaction, const std::optional<CommitMark>& kept) {
  const auto put = [&](const CommitMark& mark, bool there) {
    const CommitKey key = KeyOfCommit(kKeptTag, mark.id);
    const auto bytes = EncodeOutcome(mark);
    DBT key_dbt = In(key.data(), key.size());
    DBT value = In(bytes.data(), bytes.size());
    DB* const tree = store_.store_tree;
    const int code = there ? tree->put(tree, transaction, &key_dbt, &value, 0)
                           : tree->del(tree, transaction, &key_dbt, 0);
    // A commit that was kept and forgotten since the last time has no record.
    return code == 0 || code == DB_NOTFOUND
               ? Status::Ok()
               : store_.environment->Translate(code, "cannot commit to " + store_.directory.path());
  };
  const OutcomeMemory::Changes& changes = store_.outcomes.changes();
  for (const CommitMark& mark : changes.kept) TN_RETURN_IF_ERROR(put(mark, true));
  for (const CommitMark& mark : changes.forgotten) TN_RETURN_IF_ERROR(put(mark, false));
  if (changes.limit) TN_RETURN_IF_ERROR(put(*changes.limit, true));
  return kept ? put(*kept, true) : Status::Ok();
}

Status TreeWriter::ApplyPage(DB_TXN* transaction, DatabaseState& database, PageId page) {
  const auto fail = [&](int code) {
    return store_.environment->Translate(code, "cannot write " + PageText(database.name, page),
                                         static_cast<int64_t>(page.number));
  };
  const PendingPage& pending = *database.pending.Find(page);
  PageKey key = KeyOf(page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  if (pending.whole()) {
    TN_RETURN_IF_ERROR(pending.PutOn(page, &record));
    DBT value = In(&record, sizeof record);
    const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
    return code == 0 ? Status::Ok() : fail(code);
  }
  Cursor cursor(database.tree, transaction);
  DBT value = Out(&record, sizeof record);
  int code = cursor.Get(&key_dbt, &value, DB_SET);
  if (code != 0 && code != DB_NOTFOUND) return fail(code);
  const bool expected = code == 0 && record.version == pending.tree_version();
  if (!expected || !pending.PutOn(page, &record).ok()) {
    return Failure(StatusCode::kCorrupt,
                   PageText(database.name, page) + " is not the page that a commit has changed",
                   static_cast<int64_t>(page.number));
  }
  code = PutRanges(cursor, key, record, pending.ranges(), kPutGapBytes);
  return code == 0 ? Status::Ok() : fail(code);
}

Status TreeWriter::ApplyDatabase(DB_TXN* transaction, DatabaseState& database, uint64_t version) {
  database.next_stamp.reset();
  if (database.pending.size() == 0 && !database.head_pending) return Status::Ok();
  TN_ASSIGN_OR_RETURN(const bool stamped, Stamp(transaction, database, version));
  for (const PageId page : database.pending.Sorted()) {
    TN_RETURN_IF_ERROR(ApplyPage(transaction, database, page));
  }
  TN_RETURN_IF_ERROR(WriteFreed(transaction, database));
  return database.head_pending || stamped ? WriteHead(transaction, database, database.head)
                                          : Status::Ok();
}

}  // namespace tenure::store
