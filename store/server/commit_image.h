// A whole commit request as bytes (base/bytes.h): what a store keeps of a commit that it has
// prepared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A checksum before the bytes.
std::string WithChecksum(std::string_view bytes);
std::optional<std::span<const std::byte>> WithoutChecksum(std::span<const std::byte> bytes);

// Pages that are written before the commit that has them, and the place of each among them.
using PrewrittenPages = std::unordered_map<const std::byte*, uint64_t>;

// A commit as bytes. The contents of whole pages stay in the request's memory.
class GatheredCommit {
 public:
  // Valid as long as this object and the request's contents.
  std::vector<std::string_view> Pieces() const;
  // Crc32c of all pieces.
  uint32_t checksum() const { return checksum_; }

 private:
  friend GatheredCommit GatherPrepared(const CommitRequest&, const Coordinator&,
                                       const std::function<std::string(DatabaseId)>&, NumberForm,
                                       const PrewrittenPages&);
  struct Contents {
    size_t at;  // what of text_ is before them
    const std::byte* bytes;
  };

  std::string text_;
  std::vector<Contents> contents_;
  uint32_t checksum_ = 0;
};

// EncodePrepared in pieces, to be put together. Of the pages in `prewritten`, which were
// prewritten, the pieces have only the places there.
GatheredCommit GatherPrepared(const CommitRequest& request, const Coordinator& coordinator,
                              const std::function<std::string(DatabaseId)>& name_of,
                              NumberForm form = NumberForm::kFixed,
                              const PrewrittenPages& prewritten = {});

// A prepared commit, as bytes. Databases are named by name: ids do not outlive the process.
std::string EncodePrepared(const CommitRequest& request, const Coordinator& coordinator,
                           const std::function<std::string(DatabaseId)>& name_of,
                           NumberForm form = NumberForm::kFixed);

// The inverse, checked for its form.
class PreparedImage {
 public:
  // `prewritten`: the pages that were prewritten; they outlive the result.
  static std::optional<PreparedImage> Decode(std::span<const std::byte> bytes,
                                             NumberForm form = NumberForm::kFixed,
                                             std::span<const std::byte> prewritten = {});

  const Coordinator& coordinator() const { return coordinator_; }
  size_t databases() const { return parts_.size(); }
  const std::string& name(size_t database) const { return parts_[database].name; }
  // What it concerns.
  PreparedCommit Summary(CommitId id) const;
  // The request, with these ids for the databases in order. It refers to this object's memory.
  CommitRequest Request(CommitId id, std::span<const DatabaseId> ids);

 private:
  struct Part {
    std::string name;
    DatabaseCommit commit;
    std::vector<PageWrite> writes;
    std::vector<ImportEntry> imports;
    std::vector<ExportEntry> exports;
  };

  Coordinator coordinator_;
  std::string memory_;  // contents and regions point into it
  std::deque<Part> parts_;
  std::deque<std::vector<ChangedRegion>> regions_;
  std::vector<DatabaseCommit> commits_;
};

}  // namespace tenure::store
