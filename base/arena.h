// Owns the nodes of a tree. Nodes are never freed one by one; they die with their arena.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenure {

// A bump allocator that also runs destructors, because nodes hold vectors. One thread.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    for (size_t i = finalizers_.size(); i-- > 0;) finalizers_[i].destroy(finalizers_[i].object);
  }

  // A new T that lives as long as the arena.
  template <typename T, typename... Args>
  T* New(Args&&... args) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    T* object = new (Allocate(sizeof(T))) T(std::forward<Args>(args)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      finalizers_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
    }
    return object;
  }

 private:
  static constexpr size_t kBlockBytes = 64 * 1024;

  struct Finalizer {
    void* object;
    void (*destroy)(void*);
  };

  void* Allocate(size_t bytes) {
    constexpr size_t kAlign = alignof(std::max_align_t);
    bytes = (bytes + kAlign - 1) & ~(kAlign - 1);
    if (static_cast<size_t>(limit_ - next_) < bytes) {
      const size_t block_bytes = bytes > kBlockBytes ? bytes : kBlockBytes;
      blocks_.push_back(std::make_unique<std::byte[]>(block_bytes));
      next_ = blocks_.back().get();
      limit_ = next_ + block_bytes;
    }
    void* result = next_;
    next_ += bytes;
    return result;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<Finalizer> finalizers_;
  std::byte* next_ = nullptr;
  std::byte* limit_ = nullptr;
};

}  // namespace tenure
