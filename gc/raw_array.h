// A growing array whose memory comes from mmap, never from malloc: the collector uses it while
// stopped threads may hold malloc's lock.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace tenure::gc {

// T is trivial. Elements move when the array grows. Growing without memory ends the process: the
// collector cannot go back in the middle.
template <typename T>
class RawArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  RawArray() = default;
  ~RawArray() {
    if (data_ != nullptr) munmap(data_, capacity_ * sizeof(T));
  }
  RawArray(const RawArray&) = delete;
  RawArray& operator=(const RawArray&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void Push(const T& value) {
    if (size_ == capacity_) {
      const T copy = value;  // may lie inside the array
      Grow();
      data_[size_++] = copy;
      return;
    }
    data_[size_++] = value;
  }
  T Pop() { return data_[--size_]; }
  // The last element takes the place of element i.
  void RemoveUnordered(size_t i) {
    data_[i] = data_[size_ - 1];
    --size_;
  }
  void Truncate(size_t size) { size_ = size; }

  // Forgets the elements; keeps at most a little memory.
  void Clear() {
    size_ = 0;
    if (capacity_ * sizeof(T) > kKeptBytes) {
      munmap(data_, capacity_ * sizeof(T));
      data_ = nullptr;
      capacity_ = 0;
    }
  }

 private:
  static constexpr size_t kKeptBytes = 1 << 20;
  static constexpr size_t kFirstBytes = 4096;

  void Grow() {
    const size_t old_bytes = capacity_ * sizeof(T);
    const size_t bytes = old_bytes == 0 ? RoundUp(sizeof(T) * 16) : old_bytes * 2;
    void* memory = data_ == nullptr ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                    : mremap(data_, old_bytes, bytes, MREMAP_MAYMOVE);
    TN_CHECK(memory != MAP_FAILED && "memory for the collector's lists");
    data_ = static_cast<T*>(memory);
    // The mapping's length is not kept: it must follow from the capacity.
    capacity_ = bytes / sizeof(T);
    TN_CHECK(capacity_ * sizeof(T) == bytes);
  }
  // The least multiple of a page and of sizeof(T) with at least `bytes` bytes.
  static constexpr size_t RoundUp(size_t bytes) {
    size_t result = kFirstBytes;
    while (result % sizeof(T) != 0) result += kFirstBytes;
    const size_t step = result;
    while (result < bytes) result += step;
    return result;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace tenure::gc
