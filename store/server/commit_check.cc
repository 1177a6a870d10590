#include "store/server/commit_check.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

constexpr const char* kWrongChecksum = "the checksum is not that of the page";

Status Wrong(PageId page, const char* how) {
  return Failure(StatusCode::kInvalidArgument,
                 "commit of page " + std::to_string(page.number) + ": " + how,
                 static_cast<int64_t>(page.number));
}

Status CheckWrite(const PageWrite& write, const PageIds& ids) {
  if (!ids.known(write.page)) return Wrong(write.page, "the page was never handed out");
  if (write.remove) {
    return write.contents == nullptr && write.regions.empty()
               ? Status::Ok()
               : Wrong(write.page, "removed and written");
  }
  if (write.contents != nullptr) {
    if (write.checksum && *write.checksum != PageChecksum(write.page, write.run, write.contents)) {
      return Wrong(write.page, kWrongChecksum);
    }
    if (write.regions.empty()) return Status::Ok();
  }
  if (write.expected_version == 0)
    return Wrong(write.page, "regions of a page that does not exist");
  size_t end = 0;
  for (const ChangedRegion& region : write.regions) {
    if (region.bytes.empty() || region.offset < end || region.offset > abi::kPageBytes ||
        region.bytes.size() > abi::kPageBytes - region.offset) {
      return Wrong(write.page, "regions that are empty, unsorted, overlapping or outside the page");
    }
    end = region.offset + region.bytes.size();
    if (write.contents != nullptr && std::memcmp(write.contents + region.offset,
                                                 region.bytes.data(), region.bytes.size()) != 0) {
      return Wrong(write.page, "regions that are not those of the whole page");
    }
  }
  return Status::Ok();
}

}  // namespace

Status CheckDatabaseCommit(const DatabaseCommit& commit, const PageIds& ids) {
  const std::span<const PageWrite> pages = commit.pages;
  for (const PageWrite& write : pages) TN_RETURN_IF_ERROR(CheckWrite(write, ids));
  const auto by_page = [](const PageWrite& a, const PageWrite& b) { return a.page < b.page; };
  if (std::is_sorted(pages.begin(), pages.end(), by_page)) {
    for (size_t i = 1; i < pages.size(); ++i) {
      if (pages[i - 1].page == pages[i].page) return Wrong(pages[i].page, "twice");
    }
  } else {
    std::vector<PageId> sorted;
    sorted.reserve(pages.size());
    for (const PageWrite& write : pages) sorted.push_back(write.page);
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) return Wrong(*twice, "twice");
  }
  if (commit.root && !commit.root->nil() &&
      !(commit.root->well_formed_object() && ids.known(commit.root->page())) &&
      !(commit.root->kind() == RefKind::kImport && commit.root->entry() != 0)) {
    return Status(StatusCode::kInvalidArgument,
                  "commit of a root that is not an object's reference",
                  static_cast<int64_t>(commit.root->bits));
  }
  return Status::Ok();
}

Status CheckCommitRequest(const CommitRequest& request,
                          const std::function<Result<const PageIds*>(DatabaseId)>& ids_of) {
  for (size_t i = 0; i < request.databases.size(); ++i) {
    const DatabaseCommit& commit = request.databases[i];
    for (size_t j = 0; j < i; ++j) {
      if (request.databases[j].database == commit.database) {
        return Status(StatusCode::kInvalidArgument, "a commit names a database twice");
      }
    }
    TN_ASSIGN_OR_RETURN(const PageIds* const ids, ids_of(commit.database));
    TN_RETURN_IF_ERROR(CheckDatabaseCommit(commit, *ids));
  }
  return Status::Ok();
}

Status ApplyWrite(const PageWrite& write, uint64_t version, PageRecord* record) {
  if (write.contents != nullptr) {
    record->version = version;
    record->run = write.run;
    std::memcpy(record->contents, write.contents, sizeof record->contents);
    // A checksum that was given was checked with the request.
    record->checksum = ChecksumOfWhole(write);
    return Status::Ok();
  }
  // A new sum must not make damage good.
  if (!write.checksum) TN_RETURN_IF_ERROR(CheckPageRecord(write.page, *record));
  record->version = version;
  for (const ChangedRegion& region : write.regions) {
    std::memcpy(record->contents + region.offset, region.bytes.data(), region.bytes.size());
  }
  if (!write.checksum) {
    record->checksum = PageChecksum(write.page, record->run, record->contents);
    return Status::Ok();
  }
  record->checksum = *write.checksum;
  return CheckPageRecord(write.page, *record).ok() ? Status::Ok()
                                                   : Wrong(write.page, kWrongChecksum);
}

uint32_t ChecksumOfWhole(const PageWrite& write) {
  return write.checksum ? *write.checksum : PageChecksum(write.page, write.run, write.contents);
}

uint64_t BytesWritten(const PageWrite& write) {
  if (write.contents != nullptr || write.remove) return kPageRecordBytes;
  uint64_t bytes = kPageRecordHeaderBytes;
  for (const ChangedRegion& region : write.regions) bytes += region.bytes.size();
  return bytes;
}

bool WritesSomething(const CommitRequest& request) {
  return std::any_of(
      request.databases.begin(), request.databases.end(), [](const DatabaseCommit& d) {
        return !d.pages.empty() || d.root.has_value() || !d.imports.empty() || !d.exports.empty();
      });
}

}  // namespace tenure::store
