// Descriptors that a forked child closes.
#pragma once

#include <utility>

namespace tenure::store {

// Owns a descriptor. A forked child would keep its parent's connections open beyond the parent's
// death: it closes at once all descriptors that such objects own.
class NotedSocket {
 public:
  NotedSocket() = default;
  explicit NotedSocket(int descriptor);  // -1: none
  NotedSocket(NotedSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  NotedSocket& operator=(NotedSocket&& other) noexcept {
    Close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    return *this;
  }
  ~NotedSocket() { Close(); }

  int get() const { return descriptor_; }  // -1: none
  void Close();

 private:
  int descriptor_ = -1;
};

}  // namespace tenure::store
