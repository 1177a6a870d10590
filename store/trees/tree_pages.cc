#include "store/trees/tree_pages.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "store/trees/tree_checksum.h"
#include "store/trees/tree_memory.h"

namespace tenure::store {

namespace {

// Berkeley DB 5.3, on a machine with its bytes in our order.
constexpr size_t kLogPlaceAt = 0, kNumberAt = 8, kPreviousAt = 12, kNextAt = 16, kItemsAt = 20,
                 kLowestAt = 22;
constexpr size_t kLevelAt = 24, kKindAt = 25, kChecksumAt = 28, kPlacesAt = 32;
constexpr uint8_t kFreeKind = 0, kInternalKind = 3, kLeafKind = 5, kOverflowKind = 7, kMetaKind = 9;
constexpr size_t kMetaMagicAt = 12, kMetaVersionAt = 16, kMetaPageBytesAt = 20, kMetaCipherAt = 24;
constexpr size_t kMetaFlagsAt = 26, kMetaFreeAt = 28, kMetaLastAt = 32, kMetaPartsAt = 36;
constexpr size_t kMetaTreeFlagsAt = 48, kMetaLeastKeysAt = 76, kMetaRootAt = 88;
constexpr size_t kMetaChecksumAt = 492;
constexpr uint32_t kMagic = 0x053162, kVersion = 9, kLeastKeys = 2;
constexpr uint8_t kWithChecksums = 1;
constexpr uint32_t kRoot = 1;
constexpr uint8_t kLeafLevel = 1;
// A page has some hundred children at least: more levels would be more pages than there can be.
constexpr uint8_t kMostLevels = 16;

// An item of a leaf: length (2), kind (1), bytes; or, elsewhere: unused (2), kind (1), unused (1),
// first page (4), length (4). Of an internal page: length (2), kind (1), unused (1), child (4),
// records (4), key.
constexpr size_t kLeafItemBytes = 3, kInternalItemBytes = 12, kElsewhereBytes = 12;
constexpr uint8_t kHereItem = 1, kElsewhereItem = 3, kDeletedItem = 0x80;

template <typename T>
T At(std::span<const std::byte> page, size_t at) {
  T value;
  std::memcpy(&value, page.data() + at, sizeof value);
  return value;
}

uint16_t PlaceOf(std::span<const std::byte> page, uint32_t item) {
  return At<uint16_t>(page, kPlacesAt + 2 * size_t{item});
}

std::string Text(uint64_t number) { return std::to_string(number); }

// The key at an item of a leaf or an internal page.
std::span<const std::byte> KeyAt(std::span<const std::byte> page, uint32_t item) {
  const size_t at = PlaceOf(page, item);
  const size_t header =
      At<uint8_t>(page, kKindAt) == kLeafKind ? kLeafItemBytes : kInternalItemBytes;
  return page.subspan(at + header, At<uint16_t>(page, at));
}

int Compare(std::span<const std::byte> a, std::span<const std::byte> b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (order != 0) return order;
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

// The trouble with the items of a leaf or of an internal page.
std::string ItemsTrouble(std::span<const std::byte> page, bool leaf) {
  const uint32_t items = At<uint16_t>(page, kItemsAt);
  const size_t lowest = kPlacesAt + 2 * size_t{items};
  if (lowest > page.size() || (leaf && items % 2 != 0)) return "has " + Text(items) + " items";
  if (items > 0 && At<uint16_t>(page, kLowestAt) < lowest)
    return "has items where their places are";
  const size_t header = leaf ? kLeafItemBytes : kInternalItemBytes;
  for (uint32_t i = 0; i < items; ++i) {
    const size_t at = PlaceOf(page, i);
    const auto wrong = [&] { return "has an impossible item, number " + Text(i); };
    if (at < lowest || at + header > page.size()) return wrong();
    const uint8_t kind = At<uint8_t>(page, at + 2) & static_cast<uint8_t>(~kDeletedItem);
    if (kind == kElsewhereItem) {
      // Keys are short.
      if (!leaf || i % 2 == 0 || at + kElsewhereBytes > page.size()) return wrong();
      continue;
    }
    if (kind != kHereItem || At<uint16_t>(page, at) > page.size() - at - header) return wrong();
    // A page's first key stands for all that are lower, when it is not a leaf.
    const uint32_t step = leaf ? 2 : 1;
    if (i % step != 0 || i < 2) continue;
    if (Compare(KeyAt(page, i - step), KeyAt(page, i)) >= 0) return "has keys in disorder";
  }
  return "";
}

}  // namespace

std::string MetaPageTrouble(std::span<const std::byte> page) {
  if (At<uint32_t>(page, kMetaMagicAt) != kMagic || At<uint8_t>(page, kKindAt) != kMetaKind) {
    return "does not begin like a tree";
  }
  if (At<uint32_t>(page, kMetaVersionAt) != kVersion) {
    return "has version " + Text(At<uint32_t>(page, kMetaVersionAt)) + " of Berkeley DB's format";
  }
  if (At<uint32_t>(page, kMetaPageBytesAt) != kTreePageBytes) {
    return "says that its pages have " + Text(At<uint32_t>(page, kMetaPageBytesAt)) + " bytes";
  }
  if (At<uint8_t>(page, kMetaCipherAt) != 0 || At<uint8_t>(page, kMetaFlagsAt) != kWithChecksums ||
      At<uint32_t>(page, kMetaPartsAt) != 0 || At<uint32_t>(page, kMetaTreeFlagsAt) != 0 ||
      At<uint32_t>(page, kMetaLeastKeysAt) != kLeastKeys) {
    return "has settings that trees of ours do not have";
  }
  const auto last = At<uint32_t>(page, kMetaLastAt);
  if (At<uint32_t>(page, kMetaRootAt) != kRoot || At<uint32_t>(page, kNumberAt) != 0) {
    return "does not begin with page 0, and its tree with page 1";
  }
  if (At<uint32_t>(page, kMetaFreeAt) > last) {
    return "has its first free page behind its last page, " + Text(last);
  }
  return "";
}

std::string TreePageTrouble(uint32_t number, std::span<const std::byte> page, bool recovering) {
  if (number == 0) return MetaPageTrouble(page);
  // Never written: Berkeley DB knows what to do.
  if (std::all_of(page.begin(), page.begin() + kPlacesAt,
                  [](std::byte b) { return b == std::byte{}; })) {
    return "";
  }
  const auto own = At<uint32_t>(page, kNumberAt);
  if (own != number) return "is page " + Text(own) + " of a tree";
  const auto level = At<uint8_t>(page, kLevelAt), kind = At<uint8_t>(page, kKindAt);
  const auto next = At<uint32_t>(page, kNextAt), previous = At<uint32_t>(page, kPreviousAt);
  if (next == number || previous == number) return "says that it follows itself";
  const bool unfinished = recovering && level == 0;
  switch (kind) {
    case kFreeKind: return "";
    case kLeafKind:
      if (level != kLeafLevel && !unfinished) break;
      return ItemsTrouble(page, true);
    case kInternalKind:
      if ((level <= kLeafLevel || level > kMostLevels) && !unfinished) break;
      // Berkeley DB looks for the way down on it for ever.
      if (At<uint16_t>(page, kItemsAt) == 0 && !recovering) return "has no items";
      return ItemsTrouble(page, false);
    case kOverflowKind:
      if (At<uint16_t>(page, kLowestAt) > page.size() - kPlacesAt) return "is longer than a page";
      return "";
    default: return "is of kind " + Text(kind) + ", which no page of our trees is";
  }
  return "says that it is on level " + Text(level) + ", where no page of its kind is";
}

namespace {

// Kinds of pages that trees of ours do not have, and that Berkeley DB sums in another way.
constexpr uint8_t kHashMetaKind = 8, kQueueMetaKind = 10, kQueueDataKind = 11, kHeapMetaKind = 15;

// Whether Berkeley DB computes a checksum at the place where pages of trees have theirs. It
// computes none for a page that claims to be a meta page, of any kind of tree, without a checksum;
// nor for a page whose place in the log, number and kind are 0, which it takes for a hole of the
// file.
bool IsSummed(std::span<const std::byte> page) {
  switch (At<uint8_t>(page, kKindAt)) {
    case kFreeKind:
      return At<uint64_t>(page, kLogPlaceAt) != 0 || At<uint32_t>(page, kNumberAt) != 0;
    case kHashMetaKind:
    case kQueueMetaKind:
    case kQueueDataKind:
    case kHeapMetaKind: return false;
    case kMetaKind: return (At<uint8_t>(page, kMetaFlagsAt) & kWithChecksums) != 0;
    default: return true;
  }
}

}  // namespace

bool IsSummedRight(std::span<const std::byte> page) {
  if (!IsSummed(page)) return true;
  const bool meta = page[kKindAt] == std::byte{kMetaKind};
  const size_t at = meta ? kMetaChecksumAt : kChecksumAt;
  if (meta) page = page.first(kTreeMetaBytes);
  std::vector<std::byte> copy(page.begin(), page.end());
  // In a meta page there is room for a longer checksum at that place.
  const size_t bytes = meta ? kTreeMetaBytes - kMetaChecksumAt : sizeof(uint32_t);
  if (copy.size() < at + bytes) return false;
  std::memset(copy.data() + at, 0, bytes);
  return TreeChecksum(copy.data(), copy.size()) == At<uint32_t>(page, at);
}

void SpoilTreePage(std::span<std::byte> page) {
  const bool meta = page[kKindAt] == std::byte{kMetaKind};
  const size_t at = meta ? kMetaChecksumAt : kChecksumAt;
  if (meta) page[kMetaFlagsAt] |= std::byte{kWithChecksums};
  if (!IsSummed(page)) page[kKindAt] = std::byte{kLeafKind};
  // Berkeley DB would ignore the checksum of a page that looks never written.
  page[kLevelAt] |= std::byte{0x80};
  for (size_t i = 0; i < 4; ++i) page[at + i] = ~page[at + i];
}

std::string TreePages::MetaTrouble(std::span<const std::byte> page, uint64_t pages_in_file) {
  if (Known(0).changed) return "";
  // Berkeley DB may have handed out some that it has not written.
  constexpr uint64_t kUnwritten = 1024;
  const auto last = At<uint32_t>(page, kMetaLastAt);
  if (last <= pages_in_file + kUnwritten) return "";
  return "says that the last page is " + Text(last) + ", but the file has " + Text(pages_in_file);
}

// Notes that `from` refers to `to`, to which no other page may refer.
std::string TreePages::Refer(uint32_t from, uint32_t to, uint8_t role) {
  Page& page = Known(to);
  if (page.changed) return "";
  if (page.role != 0 && page.role != role) {
    return "refers to page " + Text(to) + ", which is of another kind or level";
  }
  if (page.referrer != 0 || to == from || to <= kRoot) {
    return "refers to page " + Text(to) + ", to which another place refers";
  }
  page.role = role;
  page.referrer = from + 1;  // page 0 refers to the first free one
  return "";
}

std::string TreePages::ReferToItems(uint32_t number, std::span<const std::byte> page,
                                    uint8_t role) {
  const uint32_t items = At<uint16_t>(page, kItemsAt);
  for (uint32_t i = 0; i < items; ++i) {
    const size_t at = PlaceOf(page, i);
    std::string trouble;
    if (role > kLeafLevel) {
      trouble = Refer(number, At<uint32_t>(page, at + 4), static_cast<uint8_t>(role - 1));
    } else if ((At<uint8_t>(page, at + 2) & ~kDeletedItem) == kElsewhereItem) {
      trouble = Refer(number, At<uint32_t>(page, at + 4), kOverflow);
    }
    if (!trouble.empty()) return trouble;
  }
  return "";
}

std::string TreePages::LinkTrouble(uint32_t before, uint32_t behind, uint32_t other) {
  const Page& known = Known(other);
  if (other == 0 || known.changed || !known.seen) return "";
  const auto wrong = [&] {
    return "does not agree with its neighbour: page " + Text(before) + " goes before page " +
           Text(behind);
  };
  if (known.role != kLeafLevel) return wrong();
  const Leaf& left = leaves_[before];
  const Leaf& right = leaves_[behind];
  if (left.next != behind || right.previous != before) return wrong();
  if (left.keys == 0 && right.keys == 0) return wrong();
  if (left.keys == 0 || right.keys == 0) return "";
  const auto bytes = [](const Key& key) {
    return std::as_bytes(std::span(key.bytes)).first(key.length);
  };
  return Compare(bytes(left.last), bytes(right.first)) < 0 ? "" : wrong();
}

std::string TreePages::NoteRead(uint32_t number, std::span<const std::byte> page) {
  Page& now = Known(number);
  if (now.changed || now.seen) return "";
  const auto kind = At<uint8_t>(page, kKindAt);
  const uint8_t role = number == 0             ? kMeta
                       : kind == kFreeKind     ? kFree
                       : kind == kOverflowKind ? kOverflow
                                               : At<uint8_t>(page, kLevelAt);
  if (now.role != 0 && now.role != role) {
    return "is of another kind or level than what refers to it says";
  }
  now.role = role;
  now.seen = true;
  if (role == kMeta || role == kFree || role == kOverflow) {
    const auto next = At<uint32_t>(page, role == kMeta ? kMetaFreeAt : kNextAt);
    return next == 0 ? "" : Refer(number, next, role == kMeta ? kFree : role);
  }
  if (std::string trouble = ReferToItems(number, page, role); !trouble.empty()) return trouble;
  return role == kLeafLevel ? NoteLeaf(number, page) : "";
}

std::string TreePages::NoteLeaf(uint32_t number, std::span<const std::byte> page) {
  Leaf& leaf = leaves_[number];
  leaf.previous = At<uint32_t>(page, kPreviousAt);
  leaf.next = At<uint32_t>(page, kNextAt);
  leaf.keys = At<uint16_t>(page, kItemsAt);
  if (leaf.keys > 0) {
    const auto keep = [&](uint32_t item, Key* key) {
      const std::span<const std::byte> bytes = KeyAt(page, item);
      key->length = static_cast<uint32_t>(std::min(bytes.size(), kKeyBytes));
      std::memcpy(key->bytes, bytes.data(), key->length);
    };
    keep(0, &leaf.first);
    keep(leaf.keys - 2, &leaf.last);
  }
  const uint32_t previous = leaf.previous, next = leaf.next;
  if ((leaf.before != 0 && leaf.before != previous) || (leaf.behind != 0 && leaf.behind != next)) {
    return "does not agree with its neighbour: page " +
           Text(leaf.before != 0 ? leaf.before : leaf.behind) + " says that it is beside it";
  }
  if (next != 0) leaves_[next].before = number;
  if (previous != 0) leaves_[previous].behind = number;
  std::string trouble = LinkTrouble(previous, number, previous);
  return trouble.empty() ? LinkTrouble(number, next, next) : trouble;
}

void TreePages::NoteWritten(uint32_t number) {
  Page& page = Known(number);
  page = {};
  page.changed = true;
  leaves_.erase(number);
}

TreePages::Page& TreePages::Known(uint32_t number) {
  const uint32_t chunk = number / kChunkPages;
  if (pages_ == nullptr || chunk != last_chunk_) {
    std::unique_ptr<Chunk>& found = chunks_[chunk];
    if (found == nullptr) found = std::make_unique<Chunk>();
    pages_ = found.get();
    last_chunk_ = chunk;
  }
  return (*pages_)[number % kChunkPages];
}

}  // namespace tenure::store
