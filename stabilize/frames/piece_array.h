// An array that grows by pieces of equal length: its elements do not move, and little memory is
// taken in advance.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "stabilize/frames/block_memory.h"

namespace tenure::stabilize {

template <typename T>
class PieceArray {
 public:
  size_t size() const { return size_; }
  T& operator[](size_t at) { return pieces_[at / kEach][at % kEach]; }
  const T& operator[](size_t at) const { return pieces_[at / kEach][at % kEach]; }
  T& back() { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ == pieces_.size() * kEach) pieces_.emplace_back(kEach);
    (*this)[size_++] = value;
  }
  // Leaves the first ones.
  void Truncate(size_t size) {
    size_ = size;
    pieces_.resize((size + kEach - 1) / kEach);
  }

 private:
  static constexpr size_t kPieceBytes = 16 << 10;
  static constexpr size_t kEach = kPieceBytes / std::bit_ceil(sizeof(T));

  std::vector<BlockVector<T>> pieces_;  // kEach in each of them
  size_t size_ = 0;
};

}  // namespace tenure::stabilize
