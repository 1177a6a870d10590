// Checks a page of a tree before Berkeley DB uses the page.
//
// Berkeley DB follows whatever a page with the right checksum says: a page at another page's place,
// a level that its parent's does not allow or links in a circle send it round for ever, an item's
// place behind the page's end has it read other memory. So each page is looked at when it comes
// from the file: by itself, and together with those that were read before and that it names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

namespace tenure::store {

// The size of a meta page, number 0 of a tree, as Berkeley DB reads it: only the first bytes.
inline constexpr size_t kTreeMetaBytes = 512;

// Why the meta page cannot be one of a tree of ours; empty if it can. At least kTreeMetaBytes.
std::string MetaPageTrouble(std::span<const std::byte> page);

// The reason why page `number` of a tree, kTreePageBytes long, is invalid; empty if it is valid.
// `recovering`: unfinished pages are valid, since recovery may need them.
std::string TreePageTrouble(uint32_t number, std::span<const std::byte> page, bool recovering);

// Whether Berkeley DB would find its checksum right, or not look at it.
bool IsSummedRight(std::span<const std::byte> page);
// Its checksum becomes a wrong one.
void SpoilTreePage(std::span<std::byte> page);

// The pages of one file that have been read. One thread at a time.
class TreePages {
 public:
  // For a page in which TreePageTrouble has found no error: the reason why it contradicts other
  // pages; empty if it agrees. Only pages that have not been written since Settled are compared:
  // others need not be in the file yet.
  //
  // Why page 0 cannot be the first page of a file with `pages_in_file` pages. Call it before
  // NoteRead.
  std::string MetaTrouble(std::span<const std::byte> page, uint64_t pages_in_file);
  std::string NoteRead(uint32_t number, std::span<const std::byte> page);
  void NoteWritten(uint32_t number);

 private:
  // The first bytes of a key: all of most.
  static constexpr size_t kKeyBytes = 24;
  struct Key {
    uint8_t bytes[kKeyBytes];
    uint32_t length;
  };
  // What is known of a page from itself and from those that refer to it. Small: a page of a large
  // tree refers to some thousand others.
  struct Page {
    uint32_t referrer = 0;  // 0: none; page n is n + 1
    uint8_t role = 0;       // a tree page's level, or one of the roles below; 0: not known
    bool changed = false;   // written since; nothing else is known
    bool seen = false;      // read
  };
  static constexpr uint32_t kChunkPages = 64;
  using Chunk = std::array<Page, kChunkPages>;
  // A leaf that was read, or that a neighbour has named.
  struct Leaf {
    uint32_t previous = 0, next = 0;
    uint32_t before = 0, behind = 0;  // leaves that say so of themselves; 0: none has been read
    uint32_t keys = 0;
    Key first{}, last{};
  };
  static constexpr uint8_t kFree = 0xf0, kOverflow = 0xf1, kMeta = 0xf2;

  std::string Refer(uint32_t from, uint32_t to, uint8_t role);
  std::string ReferToItems(uint32_t number, std::span<const std::byte> page, uint8_t role);
  std::string NoteLeaf(uint32_t number, std::span<const std::byte> page);
  // Why leaf `before` cannot go before leaf `behind`; empty if it can, or if `other`, the one of
  // them that was not read just now, is not known.
  std::string LinkTrouble(uint32_t before, uint32_t behind, uint32_t other);

  // What is known of the page. The reference stays valid.
  Page& Known(uint32_t number);

  std::unordered_map<uint32_t, std::unique_ptr<Chunk>> chunks_;
  uint32_t last_chunk_ = 0;  // of pages_
  Chunk* pages_ = nullptr;   // the chunk that was used last
  std::unordered_map<uint32_t, Leaf> leaves_;
};

}  // namespace tenure::store
