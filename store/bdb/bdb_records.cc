#include "store/bdb/bdb_records.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/crc32c.h"
#include "store/format/page_record.h"
#include "store/server/commit_image.h"

namespace tenure::store {

namespace {

template <typename Key>
void PutBigEndian(Key& key, size_t at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    key[at + i] = static_cast<std::byte>(value >> (8 * (bytes - 1 - i)));
  }
}

template <typename Key>
uint64_t GetBigEndian(const Key& key, size_t at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint64_t>(key[at + i]);
  return value;
}

StoreKey MakeStoreKey(std::byte tag, uint32_t number) {
  StoreKey key;
  key[0] = tag;
  PutBigEndian(key, 1, number, 4);
  return key;
}

// The same in memory and on disk; the checksum covers the bytes before it.
struct StoredHead {
  char magic[8];
  uint32_t version;
  uint8_t store_first[4];
  Uuid uuid;
  uint64_t root;
  uint64_t next_page;
  uint8_t store_rest[12];
  uint32_t checksum;  // of the bytes before and behind it
  // Not in version 1:
  uint64_t stamp;
  uint64_t stamp_version;
  uint64_t replaces;
};
static_assert(sizeof(StoredHead) == kDatabaseHeadBytes);
constexpr size_t kFirstHeadBytes = offsetof(StoredHead, stamp);  // of version 1

constexpr char kHeadMagic[8] = {'T', 'e', 'n', 'u', 'r', 'e', 'D', 'B'};

struct StoredOutcome {
  uint64_t version;
  uint64_t high;
  uint64_t low;
  uint32_t zero;
  uint32_t checksum;
};
static_assert(sizeof(StoredOutcome) == kOutcomeRecordBytes);

// The checksum of all bytes but the checksum at the end.
template <typename Stored>
uint32_t ChecksumOf(const Stored& stored) {
  return Crc32c(0,
                std::as_bytes(std::span(&stored, 1)).first(sizeof stored - sizeof stored.checksum));
}

uint32_t ChecksumOfHead(std::span<const std::byte> head) {
  const uint32_t first = Crc32c(0, head.first(offsetof(StoredHead, checksum)));
  return Crc32c(first, head.subspan(kFirstHeadBytes));
}

template <typename Stored>
auto BytesOf(const Stored& stored) {
  std::array<std::byte, sizeof stored> bytes;
  std::memcpy(bytes.data(), &stored, sizeof stored);
  return bytes;
}

}  // namespace

PageKey KeyOf(PageId page) {
  PageKey key;
  PutBigEndian(key, 0, page.number, 8);
  return key;
}

PageId PageOfKey(const PageKey& key) { return PageId{GetBigEndian(key, 0, 8)}; }

std::string EncodeFreed(uint64_t pages) {
  ByteWriter writer;
  writer.PutNumber(pages);
  return WithChecksum(writer.text());
}

std::optional<uint64_t> DecodeFreed(std::span<const std::byte> bytes) {
  const std::optional<std::span<const std::byte>> body = WithoutChecksum(bytes);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  const uint64_t pages = reader.GetNumber();
  if (!reader.AtEnd()) return std::nullopt;
  return pages;
}

std::array<std::byte, kDatabaseHeadBytes> EncodeHead(const DatabaseHead& head) {
  StoredHead stored{};
  std::memcpy(stored.magic, kHeadMagic, sizeof stored.magic);
  stored.version = kDatabaseFormatVersion;
  stored.uuid = head.uuid;
  stored.root = head.root.bits;
  stored.next_page = head.next_page;
  constexpr size_t kFirst = sizeof stored.store_first;
  std::memcpy(stored.store_first, head.store.bytes.data(), kFirst);
  std::memcpy(stored.store_rest, head.store.bytes.data() + kFirst, sizeof stored.store_rest);
  stored.stamp = head.stamp.number;
  stored.stamp_version = head.stamp.version;
  stored.replaces = head.replaces;
  stored.checksum = ChecksumOfHead(std::as_bytes(std::span(&stored, 1)));
  return BytesOf(stored);
}

std::optional<DatabaseHead> DecodeHead(std::span<const std::byte> bytes, uint32_t* version) {
  *version = 0;
  StoredHead stored{};
  if (bytes.size() < kFirstHeadBytes) return std::nullopt;
  std::memcpy(&stored, bytes.data(), std::min(bytes.size(), sizeof stored));
  if (std::memcmp(stored.magic, kHeadMagic, sizeof stored.magic) != 0) return std::nullopt;
  if (stored.checksum != ChecksumOfHead(bytes)) return std::nullopt;
  *version = stored.version;
  const size_t expected = stored.version == 1 ? kFirstHeadBytes : sizeof stored;
  if (stored.version == 0 || stored.version > kDatabaseFormatVersion || bytes.size() != expected ||
      stored.next_page == 0 || stored.next_page > kPageNumberLimit) {
    return std::nullopt;
  }
  DatabaseHead head{stored.uuid,
                    {},
                    PersistentRef{stored.root},
                    stored.next_page,
                    {stored.stamp, stored.stamp_version},
                    stored.replaces};
  constexpr size_t kFirst = sizeof stored.store_first;
  std::memcpy(head.store.bytes.data(), stored.store_first, kFirst);
  std::memcpy(head.store.bytes.data() + kFirst, stored.store_rest, sizeof stored.store_rest);
  return head;
}

StoreKey TypeKey(uint32_t index) { return MakeStoreKey(kTypeTag, index); }
StoreKey OutcomeKey(uint32_t slot) { return MakeStoreKey(kOutcomeTag, slot); }
StoreKey NameKey(uint32_t number) { return MakeStoreKey(kNameTag, number); }
CommitKey KeyOfCommit(std::byte tag, CommitId id) {
  CommitKey key;
  key[0] = tag;
  PutBigEndian(key, 1, id.high, 8);
  PutBigEndian(key, 9, id.low, 8);
  return key;
}

CommitId IdOfCommitKey(const CommitKey& key) {
  return {GetBigEndian(key, 1, 8), GetBigEndian(key, 9, 8)};
}

uint32_t NumberOfStoreKey(const StoreKey& key) {
  return static_cast<uint32_t>(GetBigEndian(key, 1, 4));
}

std::string EncodeType(std::span<const std::byte> description) {
  const uint32_t checksum = Crc32c(0, description);
  std::string bytes(sizeof checksum + description.size(), '\0');
  std::memcpy(bytes.data(), &checksum, sizeof checksum);
  if (!description.empty()) {
    std::memcpy(bytes.data() + sizeof checksum, description.data(), description.size());
  }
  return bytes;
}

std::optional<std::string> DecodeType(std::span<const std::byte> bytes) {
  uint32_t checksum;
  if (bytes.size() < sizeof checksum) return std::nullopt;
  std::memcpy(&checksum, bytes.data(), sizeof checksum);
  const std::span<const std::byte> description = bytes.subspan(sizeof checksum);
  if (checksum != Crc32c(0, description)) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(description.data()), description.size());
}

std::string EncodeName(const ListedName& entry) {
  ByteWriter writer;
  writer.PutBytes(entry.name.data(), entry.name.size());
  if (entry.stamp.number != 0) {
    writer.PutBytes("", 1);  // no name has a zero byte
    writer.PutNumber(entry.stamp.number);
    writer.PutNumber(entry.stamp.version);
  }
  return WithChecksum(writer.text());
}

std::optional<ListedName> DecodeName(std::span<const std::byte> bytes) {
  const auto body = WithoutChecksum(bytes);
  if (!body) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(body->data()), body->size());
  const size_t end = text.find('\0');
  ListedName entry{std::string(text.substr(0, end)), {}};
  if (end == std::string_view::npos) return entry;
  ByteReader reader(body->subspan(end + 1));
  entry.stamp.number = reader.GetNumber();
  entry.stamp.version = reader.GetNumber();
  if (!reader.AtEnd() || entry.stamp.number == 0) return std::nullopt;
  return entry;
}

bool IsDecision(std::span<const std::byte> bytes) {
  const auto body = WithoutChecksum(bytes);
  return body && !body->empty() && body->size() % sizeof(Uuid) == 0;
}

std::array<std::byte, kOutcomeRecordBytes> EncodeOutcome(const CommitMark& record) {
  StoredOutcome stored{record.version, record.id.high, record.id.low, 0, 0};
  stored.checksum = ChecksumOf(stored);
  return BytesOf(stored);
}

std::optional<CommitMark> DecodeOutcome(std::span<const std::byte> bytes) {
  StoredOutcome stored;
  if (bytes.size() != sizeof stored) return std::nullopt;
  std::memcpy(&stored, bytes.data(), sizeof stored);
  if (stored.checksum != ChecksumOf(stored) || stored.version == 0) return std::nullopt;
  return CommitMark{CommitId{stored.high, stored.low}, stored.version};
}

}  // namespace tenure::store
