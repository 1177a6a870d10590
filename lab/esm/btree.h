// B+-trees of the storage manager under QuickStore and E: the client reads and changes their pages
// in its pool.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "lab/esm/buffer_pool.h"

namespace tenure::lab::esm {

// The value of a key in an index.
struct IndexValue {
  uint64_t first, second;
};

// Keys compare as bytes do. Longer keys than kMostBytes are cut.
class IndexKey {
 public:
  static constexpr size_t kMostBytes = 24;
  explicit IndexKey(std::string_view text) : bytes_{} {
    std::memcpy(bytes_.data(), text.data(), text.size() < kMostBytes ? text.size() : kMostBytes);
  }
  // Numbers that are not negative, in order.
  IndexKey(uint32_t first, uint32_t second) : bytes_{} {
    for (size_t i = 0; i < 4; ++i) {
      bytes_[i] = static_cast<char>(first >> (24 - 8 * i));
      bytes_[4 + i] = static_cast<char>(second >> (24 - 8 * i));
    }
  }
  const char* data() const { return bytes_.data(); }

 private:
  std::array<char, kMostBytes> bytes_;
};

class BTree {
 public:
  // The tree whose root is this page. `key_bytes` is 8 or IndexKey::kMostBytes.
  BTree(BufferPool& pool, uint64_t root, size_t key_bytes)
      : pool_(pool), root_(root), key_bytes_(key_bytes) {}
  // A new, empty one on a page that is allocated.
  void Create();
  void Insert(const IndexKey& key, IndexValue value);
  // The key must be there.
  void Erase(const IndexKey& key);
  std::optional<IndexValue> Find(const IndexKey& key);
  // Calls visit(value) for each key from this one on, in order. visit may use the pool.
  template <class Visit>
  void ForEachFrom(const IndexKey& key, const Visit& visit) {
    uint64_t leaf = LeafOf(key);
    uint32_t at = ~0u;
    while (leaf != 0) {
      const Pinned node(pool_, pool_.Fix(leaf, PageUse::kIndex));
      if (at == ~0u) at = LowerBound(node.bytes(), key);
      for (; at < NodeOf(node.bytes()).count; ++at) visit(ValueAt(node.bytes(), at));
      leaf = NodeOf(node.bytes()).next;
      at = 0;
    }
  }
  // The number of insertions and erasures; each is logged at once.
  uint64_t changes() const { return changes_; }

 private:
  struct Node {
    uint32_t count;
    uint32_t leaf;
    uint64_t next;  // leaves: the following leaf. 0: none
  };
  static Node& NodeOf(std::byte* page) { return *reinterpret_cast<Node*>(page); }
  size_t item_bytes() const { return key_bytes_ + sizeof(IndexValue); }
  uint32_t capacity() const {
    return static_cast<uint32_t>((kPageBytes - sizeof(Node)) / item_bytes());
  }
  char* KeyAt(std::byte* page, uint32_t i) const {
    return reinterpret_cast<char*>(page + sizeof(Node) + i * item_bytes());
  }
  IndexValue ValueAt(std::byte* page, uint32_t i) const {
    IndexValue value;
    std::memcpy(&value, KeyAt(page, i) + key_bytes_, sizeof value);
    return value;
  }
  void SetAt(std::byte* page, uint32_t i, const char* key, IndexValue value) {
    std::memcpy(KeyAt(page, i), key, key_bytes_);
    std::memcpy(KeyAt(page, i) + key_bytes_, &value, sizeof value);
  }
  // The first item that is not less than the key.
  uint32_t LowerBound(std::byte* page, const IndexKey& key) const;
  // The child of an inner node that has the key.
  uint32_t ChildOf(std::byte* page, const IndexKey& key) const;
  uint64_t LeafOf(const IndexKey& key);
  // Splits the child at `at` of the inner node, which has room.
  void SplitChild(uint64_t parent, uint32_t at);

  BufferPool& pool_;
  const uint64_t root_;
  const size_t key_bytes_;
  uint64_t changes_ = 0;
};

}  // namespace tenure::lab::esm
