// Records of more than fixed size as bytes, and among them a whole commit request: what a store
// keeps of a commit that it has prepared. Integers are little-endian; texts have their length
// before them.
#pragma once

#include <algorithm>
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

#include "base/copy_bytes.h"
#include "store/server/page_server.h"

namespace tenure::store {

// How numbers are written: in 8 bytes, or in as few as there are groups of 7 bits.
enum class NumberForm : uint8_t { kFixed, kShort };

class ByteWriter {
 public:
  explicit ByteWriter(NumberForm form = NumberForm::kFixed) : form_(form) {}

  void PutBytes(const void* bytes, size_t count) {
    // A changed region is most often a word.
    CopyMostlyWord(Extend(count), bytes, count);
  }
  void PutNumber(uint64_t number) {
    if (form_ == NumberForm::kFixed) return PutBytes(&number, sizeof number);
    if (number < 0x80) {
      *Extend(1) = static_cast<char>(number);
    } else if (number < 0x4000) {
      char* const to = Extend(2);
      to[0] = static_cast<char>(number | 0x80);
      to[1] = static_cast<char>(number >> 7);
    } else {
      PutLong(number);
    }
  }
  void PutText(std::string_view text) {
    PutNumber(text.size());
    PutBytes(text.data(), text.size());
  }
  void Reserve(size_t bytes) { memory_.resize(std::max(memory_.size(), bytes)); }
  std::string_view text() const { return std::string_view(memory_).substr(0, size_); }
  std::string Take() && {
    memory_.resize(size_);
    return std::move(memory_);
  }

 private:
  // Makes room for so many bytes behind the text, and them part of it.
  char* Extend(size_t count) {
    if (memory_.size() - size_ < count) memory_.resize(2 * memory_.size() + count);
    size_ += count;
    return memory_.data() + (size_ - count);
  }
  void PutLong(uint64_t number);

  NumberForm form_;
  std::string memory_;
  size_t size_ = 0;  // of the text in it
};

// Reading behind the end gives zeros, and AtEnd is false from then on.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, NumberForm form = NumberForm::kFixed)
      : form_(form), rest_(bytes) {}

  void GetBytes(void* bytes, size_t count);
  uint64_t GetNumber();
  std::string GetText();
  // `count` bytes in place; empty when there are fewer.
  std::span<const std::byte> Take(size_t count);
  // A count of things that take at least `least` bytes each with fixed numbers; 0, and an error,
  // when it cannot be right.
  size_t GetCount(size_t least);
  // Everything was read and nothing was missing.
  bool AtEnd() const { return !failed_ && rest_.empty(); }
  bool failed() const { return failed_; }

 private:
  NumberForm form_;
  std::span<const std::byte> rest_;
  bool failed_ = false;
};

// A checksum before the bytes.
std::string WithChecksum(std::string_view bytes);
std::optional<std::span<const std::byte>> WithoutChecksum(std::span<const std::byte> bytes);

// Pages that are written before the commit that has them, and the place of each among them.
using PagesAhead = std::unordered_map<const std::byte*, uint64_t>;

// A commit as bytes, of which the contents of whole pages are where the request has them.
class GatheredCommit {
 public:
  // Valid as long as this object and the request's contents.
  std::vector<std::string_view> Pieces() const;
  // Crc32c of all pieces.
  uint32_t checksum() const { return checksum_; }

 private:
  friend GatheredCommit GatherPrepared(const CommitRequest&, const Coordinator&,
                                       const std::function<std::string(DatabaseId)>&, NumberForm,
                                       const PagesAhead&);
  struct Contents {
    size_t at;  // what of text_ is before them
    const std::byte* bytes;
  };

  std::string text_;
  std::vector<Contents> contents_;
  uint32_t checksum_ = 0;
};

// As EncodePrepared, whose result the pieces are when they are put together; but of the pages
// `ahead` only their places there are in it.
GatheredCommit GatherPrepared(const CommitRequest& request, const Coordinator& coordinator,
                              const std::function<std::string(DatabaseId)>& name_of,
                              NumberForm form = NumberForm::kFixed, const PagesAhead& ahead = {});

// A prepared commit, as bytes. Databases are named by name: ids do not outlive the process.
std::string EncodePrepared(const CommitRequest& request, const Coordinator& coordinator,
                           const std::function<std::string(DatabaseId)>& name_of,
                           NumberForm form = NumberForm::kFixed);

// The inverse, checked for its form.
class PreparedImage {
 public:
  // `ahead`: the pages that went ahead of it; they outlive the result.
  static std::optional<PreparedImage> Decode(std::span<const std::byte> bytes,
                                             NumberForm form = NumberForm::kFixed,
                                             std::span<const std::byte> ahead = {});

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
