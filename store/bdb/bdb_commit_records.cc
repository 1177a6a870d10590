#include "store/bdb/bdb_commit_records.h"

#include <optional>
#include <span>

#include "store/bdb/bdb_handles.h"
#include "store/format/status_text.h"
#include "store/server/commit_image.h"

namespace tenure::store {

Status CommitRecords::Put(DB_TXN* transaction, std::byte tag, CommitId id,
                          const std::string& text) {
  const CommitKey key = KeyOfCommit(tag, id);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(text.data(), text.size());
  const int code =
      text.empty() ? store_.store_tree->del(store_.store_tree, transaction, &key_dbt, 0)
                   : store_.store_tree->put(store_.store_tree, transaction, &key_dbt, &value, 0);
  return code == 0
             ? Status::Ok()
             : store_.environment->Translate(code, "cannot commit to " + store_.directory.path());
}

Result<std::string> CommitRecords::Get(std::byte tag, CommitId id) const {
  Cursor cursor(store_.store_tree);
  CommitKey key = KeyOfCommit(tag, id);
  DBT key_dbt = In(key.data(), key.size());
  DBT value{};
  const int code = cursor.Get(&key_dbt, &value, DB_SET);
  if (code == DB_NOTFOUND) return Status(StatusCode::kNotFound, "there is no such commit");
  if (code != 0)
    return store_.environment->Translate(code, "cannot read " + store_.directory.path());
  return std::string(static_cast<const char*>(value.data), value.size);
}

Result<std::vector<PreparedCommit>> CommitRecords::Prepared() const {
  std::vector<PreparedCommit> commits;
  Cursor cursor(store_.store_tree);
  CommitKey key = KeyOfCommit(kPreparedTag, {});
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT value{};
  int code = cursor.Get(&key_dbt, &value, DB_SET_RANGE);
  for (; code == 0; code = cursor.Get(&key_dbt, &value, DB_NEXT)) {
    if (key[0] != kPreparedTag || key_dbt.size != key.size()) return commits;
    const std::optional<PreparedImage> image =
        PreparedImage::Decode(std::span(static_cast<const std::byte*>(value.data), value.size));
    if (!image) {
      return Failure(StatusCode::kCorrupt,
                     store_.directory.path() + ": the record of a prepared commit is damaged");
    }
    commits.push_back(image->Summary(IdOfCommitKey(key)));
  }
  if (code != DB_NOTFOUND) {
    return store_.environment->Translate(code, "cannot read " + store_.directory.path());
  }
  return commits;
}

}  // namespace tenure::store
