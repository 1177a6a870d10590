#include "lab/esm/btree.h"

#include "lab/support/fail.h"

namespace tenure::lab::esm {

void BTree::Create() {
  const Pinned root(pool_, pool_.FixNew(root_));
  NodeOf(root.bytes()) = {0, 1, 0};
}

uint32_t BTree::LowerBound(std::byte* page, const IndexKey& key) const {
  uint32_t low = 0, high = NodeOf(page).count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (std::memcmp(KeyAt(page, middle), key.data(), key_bytes_) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The keys of an inner node are the least of its children; the first stands for all that are less.
uint32_t BTree::ChildOf(std::byte* page, const IndexKey& key) const {
  const uint32_t at = LowerBound(page, key);
  const bool same =
      at < NodeOf(page).count && std::memcmp(KeyAt(page, at), key.data(), key_bytes_) == 0;
  return same || at == 0 ? at : at - 1;
}

uint64_t BTree::LeafOf(const IndexKey& key) {
  uint64_t page = root_;
  while (true) {
    std::byte* const node = pool_.Bytes(pool_.Fix(page, PageUse::kIndex));
    if (NodeOf(node).leaf != 0) return page;
    page = ValueAt(node, ChildOf(node, key)).first;
  }
}

void BTree::SplitChild(uint64_t parent_page, uint32_t at) {
  const Pinned parent(pool_, pool_.Fix(parent_page, PageUse::kIndex));
  const uint64_t left_page = ValueAt(parent.bytes(), at).first;
  const uint64_t right_page = pool_.Allocate(1);
  const Pinned left(pool_, pool_.Fix(left_page, PageUse::kIndex));
  const Pinned right(pool_, pool_.FixNew(right_page));
  pool_.ChangedWhole(parent_page);
  pool_.ChangedWhole(left_page);
  Node& from = NodeOf(left.bytes());
  const uint32_t half = from.count / 2;
  NodeOf(right.bytes()) = {from.count - half, from.leaf, from.next};
  std::memcpy(KeyAt(right.bytes(), 0), KeyAt(left.bytes(), half),
              (from.count - half) * item_bytes());
  from.count = half;
  if (from.leaf != 0) from.next = right_page;
  Node& above = NodeOf(parent.bytes());
  std::memmove(KeyAt(parent.bytes(), at + 2), KeyAt(parent.bytes(), at + 1),
               (above.count - at - 1) * item_bytes());
  ++above.count;
  SetAt(parent.bytes(), at + 1, KeyAt(right.bytes(), 0), {right_page, 0});
}

void BTree::Insert(const IndexKey& key, IndexValue value) {
  ++changes_;
  // The root keeps its page: when it is full, its items go to a child.
  {
    const Pinned root(pool_, pool_.Fix(root_, PageUse::kIndex));
    if (NodeOf(root.bytes()).count == capacity()) {
      const uint64_t child_page = pool_.Allocate(1);
      const Pinned child(pool_, pool_.FixNew(child_page));
      pool_.ChangedWhole(root_);
      std::memcpy(child.bytes(), root.bytes(), kPageBytes);
      NodeOf(root.bytes()) = {1, 0, 0};
      SetAt(root.bytes(), 0, KeyAt(child.bytes(), 0), {child_page, 0});
      SplitChild(root_, 0);
    }
  }
  uint64_t page = root_;
  while (true) {
    const Pinned node(pool_, pool_.Fix(page, PageUse::kIndex));
    if (NodeOf(node.bytes()).leaf != 0) {
      const uint32_t at = LowerBound(node.bytes(), key);
      Node& leaf = NodeOf(node.bytes());
      if (at < leaf.count && std::memcmp(KeyAt(node.bytes(), at), key.data(), key_bytes_) == 0) {
        Fail("an index has the key already");
      }
      pool_.ChangedWhole(page);
      std::memmove(KeyAt(node.bytes(), at + 1), KeyAt(node.bytes(), at),
                   (leaf.count - at) * item_bytes());
      ++leaf.count;
      SetAt(node.bytes(), at, key.data(), value);
      return;
    }
    uint32_t at = ChildOf(node.bytes(), key);
    const uint64_t child = ValueAt(node.bytes(), at).first;
    bool full;
    {
      const Pinned below(pool_, pool_.Fix(child, PageUse::kIndex));
      full = NodeOf(below.bytes()).count == capacity();
    }
    if (full) {
      SplitChild(page, at);
      at = ChildOf(node.bytes(), key);
    }
    page = ValueAt(node.bytes(), at).first;
  }
}

void BTree::Erase(const IndexKey& key) {
  ++changes_;
  const uint64_t page = LeafOf(key);
  const Pinned node(pool_, pool_.Fix(page, PageUse::kIndex));
  const uint32_t at = LowerBound(node.bytes(), key);
  Node& leaf = NodeOf(node.bytes());
  if (at == leaf.count || std::memcmp(KeyAt(node.bytes(), at), key.data(), key_bytes_) != 0) {
    Fail("an index does not have the key");
  }
  pool_.ChangedWhole(page);
  std::memmove(KeyAt(node.bytes(), at), KeyAt(node.bytes(), at + 1),
               (leaf.count - at - 1) * item_bytes());
  --leaf.count;
}

std::optional<IndexValue> BTree::Find(const IndexKey& key) {
  const uint64_t page = LeafOf(key);
  std::byte* const node = pool_.Bytes(pool_.Fix(page, PageUse::kIndex));
  const uint32_t at = LowerBound(node, key);
  if (at == NodeOf(node).count || std::memcmp(KeyAt(node, at), key.data(), key_bytes_) != 0) {
    return {};
  }
  return ValueAt(node, at);
}

}  // namespace tenure::lab::esm
