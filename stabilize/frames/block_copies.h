// The blocks of a page that the open transaction has stored to, with the policies sd and sl
// (docs/recovery.md, "Policies"), and the former contents of some of them.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "abi/heap_constants.h"

namespace tenure::stabilize {

// With the session's lock.
class BlockCopies {
 public:
  static constexpr size_t kSmallestBlock = 8;

  // `block_bytes`, a power of two, is the same for all blocks of the page.
  explicit BlockCopies(size_t block_bytes) : block_bytes_(block_bytes) {}

  bool Has(size_t block) const { return marked_.test(block); }
  void Mark(size_t block) { marked_.set(block); }
  // Marks the block, which had these bytes before.
  void MarkWith(size_t block, const std::byte* before) {
    marked_.set(block);
    copied_.push_back(static_cast<uint16_t>(block));
    bytes_.insert(bytes_.end(), before, before + block_bytes_);
  }
  size_t count() const { return marked_.count(); }
  size_t copied() const { return copied_.size(); }

  // Drops each copy that has a word for which loses(word) holds: all words of its block count as
  // changed from now on.
  template <typename Loses>
  void ForgetCopies(Loses&& loses) {
    for (size_t i = copied_.size(); i-- > 0;) {
      std::byte* const copy = bytes_.data() + i * block_bytes_;
      bool lost = false;
      for (size_t at = 0; at < block_bytes_ && !lost; at += 8) lost = loses(WordAt(copy + at));
      if (!lost) continue;
      // The last one takes the place.
      copied_[i] = copied_.back();
      std::memmove(copy, bytes_.data() + (copied_.size() - 1) * block_bytes_, block_bytes_);
      copied_.pop_back();
      bytes_.resize(bytes_.size() - block_bytes_);
    }
  }

  // Calls changed(word) for the words of marked blocks that differ from their former contents, as
  // far as these are known. `image` is the page.
  template <typename Changed>
  void ForEachChangedWord(const std::byte* image, Changed&& changed) const {
    std::bitset<kBlocks> whole = marked_;
    const size_t words = block_bytes_ / 8;
    for (size_t i = 0; i < copied_.size(); ++i) {
      const size_t block = copied_[i];
      whole.reset(block);
      const std::byte* const copy = bytes_.data() + i * block_bytes_;
      for (size_t word = 0; word < words; ++word) {
        if (WordAt(copy + 8 * word) != WordAt(image + block * block_bytes_ + 8 * word)) {
          changed(block * words + word);
        }
      }
    }
    for (size_t block = whole._Find_first(); block < kBlocks; block = whole._Find_next(block)) {
      for (size_t word = 0; word < words; ++word) changed(block * words + word);
    }
  }

 private:
  static constexpr size_t kBlocks = abi::kPageBytes / kSmallestBlock;

  static uint64_t WordAt(const std::byte* at) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  const size_t block_bytes_;
  std::bitset<kBlocks> marked_;
  std::vector<uint16_t> copied_;  // blocks, none twice
  std::vector<std::byte> bytes_;  // of these, block behind block
};

}  // namespace tenure::stabilize
