// One bit for each granule of something. Bits are searched a word at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/check.h"

namespace tenure {

// A bitmap over words that the caller owns. Not synchronized.
class BitmapView {
 public:
  static constexpr size_t kNone = ~size_t{0};

  static constexpr size_t WordsFor(size_t bits) { return (bits + 63) / 64; }

  // words: WordsFor(bits) of them, the bits past the end zero; they stay the caller's.
  BitmapView(uint64_t* words, size_t bits) : words_(words), bits_(bits) {}

  size_t size() const { return bits_; }

  bool Test(size_t bit) const {
    TN_DCHECK(bit < bits_);
    return (words_[bit / 64] >> (bit % 64)) & 1;
  }
  void Set(size_t bit) {
    TN_DCHECK(bit < bits_);
    words_[bit / 64] |= uint64_t{1} << (bit % 64);
  }
  void Clear(size_t bit) {
    TN_DCHECK(bit < bits_);
    words_[bit / 64] &= ~(uint64_t{1} << (bit % 64));
  }

  // Sets or clears all bits in [from, to).
  void SetRange(size_t from, size_t to) { ChangeRange(from, to, true); }
  void ClearRange(size_t from, size_t to) { ChangeRange(from, to, false); }

  size_t Count() const {
    size_t count = 0;
    for (size_t w = 0; w < WordsFor(bits_); ++w) count += std::popcount(words_[w]);
    return count;
  }

  // The first set bit at or after `from`, or kNone. from <= size().
  size_t FindNext(size_t from) const { return Find(from, 0); }
  // The first clear bit at or after `from`, or kNone.
  size_t FindNextClear(size_t from) const { return Find(from, ~uint64_t{0}); }

  // The last set bit at or before `from`, or kNone. from < size().
  size_t FindPrevious(size_t from) const {
    TN_DCHECK(from < bits_);
    size_t w = from / 64;
    uint64_t word = words_[w] & (~uint64_t{0} >> (63 - from % 64));
    while (word == 0) {
      if (w == 0) return kNone;
      word = words_[--w];
    }
    return w * 64 + 63 - std::countl_zero(word);
  }

 private:
  size_t Find(size_t from, uint64_t invert) const {
    TN_DCHECK(from <= bits_);
    if (from >= bits_) return kNone;
    size_t w = from / 64;
    uint64_t word = (words_[w] ^ invert) & (~uint64_t{0} << (from % 64));
    while (word == 0) {
      if (++w == WordsFor(bits_)) return kNone;
      word = words_[w] ^ invert;
    }
    const size_t bit = w * 64 + std::countr_zero(word);
    return bit < bits_ ? bit : kNone;
  }

  void ChangeRange(size_t from, size_t to, bool value) {
    TN_DCHECK(from <= to && to <= bits_);
    while (from < to) {
      const size_t low = from % 64;
      const size_t count = to - from < 64 - low ? to - from : 64 - low;
      const uint64_t mask = (~uint64_t{0} >> (64 - count)) << low;
      if (value) {
        words_[from / 64] |= mask;
      } else {
        words_[from / 64] &= ~mask;
      }
      from += count;
    }
  }

  uint64_t* words_;
  size_t bits_;
};

// A bitmap that owns its words, all clear at first.
class Bitmap : public BitmapView {
 public:
  explicit Bitmap(size_t bits) : Bitmap(std::make_unique<uint64_t[]>(WordsFor(bits)), bits) {}

 private:
  Bitmap(std::unique_ptr<uint64_t[]> words, size_t bits)
      : BitmapView(words.get(), bits), owned_(std::move(words)) {}

  std::unique_ptr<uint64_t[]> owned_;
};

}  // namespace tenure
