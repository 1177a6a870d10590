#include "store/server/commit_image.h"

#include <cstring>

#include "base/crc32c.h"
#include "store/format/page_record.h"
#include "store/server/commit_check.h"

namespace tenure::store {

std::string WithChecksum(std::string_view bytes) {
  const uint32_t checksum = Crc32c(0, std::as_bytes(std::span(bytes)));
  std::string text(sizeof checksum + bytes.size(), '\0');
  std::memcpy(text.data(), &checksum, sizeof checksum);
  if (!bytes.empty()) std::memcpy(text.data() + sizeof checksum, bytes.data(), bytes.size());
  return text;
}

std::optional<std::span<const std::byte>> WithoutChecksum(std::span<const std::byte> bytes) {
  uint32_t checksum;
  if (bytes.size() < sizeof checksum) return std::nullopt;
  std::memcpy(&checksum, bytes.data(), sizeof checksum);
  const std::span<const std::byte> body = bytes.subspan(sizeof checksum);
  if (checksum != Crc32c(0, body)) return std::nullopt;
  return body;
}

namespace {

// The kind of a page write: the number behind its other numbers, with a bit beside it if there is
// no checksum.
enum : uint64_t { kRegions = 0, kWhole = 1, kRemoved = 2, kWentAhead = 3, kUnsummed = 4 };
constexpr size_t kWriteLeast = 6 * 8;
// Bits beside whether there is a root. Without this one, as in format version 1, entries of tables
// have no tags.
enum : uint64_t { kHasRoot = 1, kTagged = 2 };

uint64_t KindOf(const PageWrite& write, bool went_ahead) {
  uint64_t kind = write.remove       ? kRemoved
                  : went_ahead       ? kWentAhead
                  : LogsWhole(write) ? kWhole
                                     : kRegions;
  if (!write.checksum) kind |= kUnsummed;
  return kind;
}

}  // namespace

std::vector<std::string_view> GatheredCommit::Pieces() const {
  std::vector<std::string_view> pieces;
  pieces.reserve(2 * contents_.size() + 1);
  const std::string_view text = text_;
  size_t at = 0;
  for (const Contents& contents : contents_) {
    pieces.push_back(text.substr(at, contents.at - at));
    pieces.emplace_back(reinterpret_cast<const char*>(contents.bytes), abi::kPageBytes);
    at = contents.at;
  }
  pieces.push_back(text.substr(at));
  return pieces;
}

std::string EncodePrepared(const CommitRequest& request, const Coordinator& coordinator,
                           const std::function<std::string(DatabaseId)>& name_of, NumberForm form) {
  const GatheredCommit commit = GatherPrepared(request, coordinator, name_of, form);
  const std::vector<std::string_view> pieces = commit.Pieces();
  size_t bytes = 0;
  for (const std::string_view piece : pieces) bytes += piece.size();
  std::string text;
  text.reserve(bytes);
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

GatheredCommit GatherPrepared(const CommitRequest& request, const Coordinator& coordinator,
                              const std::function<std::string(DatabaseId)>& name_of,
                              NumberForm form, const PrewrittenPages& prewritten) {
  GatheredCommit gathered;
  ByteWriter writer(form);
  // The body may be long: avoids copies while it grows, and a copy for its checksum.
  size_t most = 1 << 10;
  for (const DatabaseCommit& commit : request.databases) {
    for (const PageWrite& write : commit.pages) {
      most += 64 + 16 * write.regions.size();
      if (!LogsWhole(write)) most += BytesWritten(write);
    }
  }
  writer.Reserve(most);
  uint32_t checksum = 0;
  writer.PutBytes(&checksum, sizeof checksum);
  writer.PutBytes(coordinator.store.bytes.data(), coordinator.store.bytes.size());
  writer.PutText(coordinator.path);
  writer.PutNumber(request.databases.size());
  for (const DatabaseCommit& commit : request.databases) {
    writer.PutText(name_of(commit.database));
    writer.PutNumber(kTagged | (commit.root ? uint64_t{kHasRoot} : 0));
    writer.PutNumber(commit.root ? commit.root->bits : 0);
    writer.PutNumber(commit.imports_before);
    writer.PutNumber(commit.imports.size());
    for (const ImportEntry& entry : commit.imports) {
      writer.PutBytes(entry.database.bytes.data(), entry.database.bytes.size());
      writer.PutText(entry.store);
      writer.PutText(entry.name);
      writer.PutNumber(entry.export_number);
      writer.PutNumber(entry.export_tag);
      writer.PutNumber(entry.lineage);
    }
    writer.PutNumber(commit.exports_before);
    writer.PutNumber(commit.exports.size());
    for (const ExportEntry& entry : commit.exports) {
      writer.PutNumber(entry.object.bits);
      writer.PutNumber(entry.tag);
    }
    writer.PutNumber(commit.pages.size());
    for (const PageWrite& write : commit.pages) {
      writer.PutNumber(write.page.number);
      writer.PutNumber(write.expected_version);
      writer.PutNumber(write.checksum.value_or(0));
      writer.PutNumber(uint64_t{write.run.type} | uint64_t{write.run.index} << 32);
      writer.PutNumber(write.run.pages);
      const auto place = LogsWhole(write) ? prewritten.find(write.contents) : prewritten.end();
      writer.PutNumber(KindOf(write, place != prewritten.end()));
      if (write.remove) continue;
      if (place != prewritten.end()) {
        writer.PutNumber(place->second);
        continue;
      }
      if (LogsWhole(write)) {
        gathered.contents_.push_back({writer.text().size(), write.contents});
        continue;
      }
      writer.PutNumber(write.regions.size());
      for (const ChangedRegion& region : write.regions) {
        writer.PutNumber(region.offset);
        writer.PutNumber(region.bytes.size());
        writer.PutBytes(region.bytes.data(), region.bytes.size());
      }
    }
  }
  if (coordinator.lineage != 0) writer.PutNumber(coordinator.lineage);
  gathered.text_ = std::move(writer).Take();
  std::vector<std::string_view> pieces = gathered.Pieces();
  pieces[0].remove_prefix(sizeof checksum);
  uint64_t bytes = 0;
  for (const std::string_view piece : pieces) {
    checksum = Crc32c(checksum, std::as_bytes(std::span(piece)));
    bytes += piece.size();
  }
  std::memcpy(gathered.text_.data(), &checksum, sizeof checksum);
  const uint32_t of_it = Crc32c(0, std::as_bytes(std::span(&checksum, 1)));
  gathered.checksum_ = JoinedCrc32c(of_it, checksum, bytes);
  return gathered;
}

std::optional<PreparedImage> PreparedImage::Decode(std::span<const std::byte> bytes,
                                                   NumberForm form,
                                                   std::span<const std::byte> prewritten) {
  PreparedImage image;
  image.memory_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto body = WithoutChecksum(std::as_bytes(std::span(image.memory_)));
  if (!body) return std::nullopt;
  ByteReader reader(*body, form);
  reader.GetBytes(image.coordinator_.store.bytes.data(), image.coordinator_.store.bytes.size());
  image.coordinator_.path = reader.GetText();
  const size_t databases = reader.GetCount(1);
  for (size_t d = 0; d < databases && reader.ok(); ++d) {
    Part& part = image.parts_.emplace_back();
    part.name = reader.GetText();
    const uint64_t flags = reader.GetNumber();
    const bool tagged = (flags & kTagged) != 0;
    const PersistentRef root{reader.GetNumber()};
    if ((flags & kHasRoot) != 0) part.commit.root = root;
    part.commit.imports_before = reader.GetNumber();
    part.imports.resize(reader.GetCount(sizeof(Uuid)));
    for (ImportEntry& entry : part.imports) {
      reader.GetBytes(entry.database.bytes.data(), entry.database.bytes.size());
      entry.store = reader.GetText();
      entry.name = reader.GetText();
      entry.export_number = reader.GetNumber();
      if (!tagged) continue;
      entry.export_tag = reader.GetNumber();
      entry.lineage = reader.GetNumber();
    }
    part.commit.exports_before = reader.GetNumber();
    part.exports.resize(reader.GetCount(sizeof(PersistentRef)));
    for (ExportEntry& entry : part.exports) {
      entry.object.bits = reader.GetNumber();
      if (tagged) entry.tag = reader.GetNumber();
    }
    part.writes.resize(reader.GetCount(kWriteLeast));
    for (PageWrite& write : part.writes) {
      write.page.number = reader.GetNumber();
      write.expected_version = reader.GetNumber();
      write.checksum = static_cast<uint32_t>(reader.GetNumber());
      const uint64_t run = reader.GetNumber();
      write.run.type = static_cast<uint32_t>(run);
      write.run.index = static_cast<uint32_t>(run >> 32);
      write.run.pages = static_cast<uint32_t>(reader.GetNumber());
      uint64_t what = reader.GetNumber();
      if ((what & kUnsummed) != 0) write.checksum.reset();
      what &= ~kUnsummed;
      if (what > kWentAhead) return std::nullopt;
      write.remove = what == kRemoved;
      if (write.remove) continue;
      if (what == kWentAhead) {
        const uint64_t place = reader.GetNumber();
        if (place >= prewritten.size() / abi::kPageBytes) return std::nullopt;
        write.contents = prewritten.data() + place * abi::kPageBytes;
        continue;
      }
      if (what == kWhole) {
        write.contents = reader.GetBytes(abi::kPageBytes).data();
        continue;
      }
      std::vector<ChangedRegion>& regions = image.regions_.emplace_back(reader.GetCount(16));
      for (ChangedRegion& region : regions) {
        region.offset = static_cast<uint32_t>(reader.GetNumber());
        region.bytes = reader.GetBytes(reader.GetCount(1));
      }
      write.regions = regions;
    }
  }
  // Format version 1 ends here, and so does a record without a coordinator.
  if (reader.ok() && !reader.AtEnd()) image.coordinator_.lineage = reader.GetNumber();
  if (!reader.AtEnd()) return std::nullopt;
  return image;
}

PreparedCommit PreparedImage::Summary(CommitId id) const {
  PreparedCommit summary{id, coordinator_, {}};
  for (const Part& part : parts_) {
    PreparedPart& to = summary.parts.emplace_back();
    to.database = part.name;
    to.root = part.commit.root.has_value();
    to.tables = !part.imports.empty() || !part.exports.empty();
    for (const PageWrite& write : part.writes) {
      to.pages.push_back(write.page);
      if (write.expected_version == 0 && !write.remove) to.fresh.push_back(write.page);
    }
  }
  return summary;
}

CommitRequest PreparedImage::Request(CommitId id, std::span<const DatabaseId> ids) {
  commits_.clear();
  for (size_t i = 0; i < parts_.size(); ++i) {
    DatabaseCommit commit = parts_[i].commit;
    commit.database = ids[i];
    commit.pages = parts_[i].writes;
    commit.imports = parts_[i].imports;
    commit.exports = parts_[i].exports;
    commits_.push_back(commit);
  }
  CommitRequest request;
  request.id = id;
  request.databases = commits_;
  return request;
}

}  // namespace tenure::store
