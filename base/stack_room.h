// How much stack is left, for walks whose depth a user chooses.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace tenure {

// Bytes of the calling thread's stack that are not in use yet.
inline size_t StackRoom() {
  static thread_local const uintptr_t end = [] {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      static_cast<void>(pthread_attr_getstack(&attributes, &lowest, &bytes));
      static_cast<void>(pthread_attr_destroy(&attributes));
    }
    return reinterpret_cast<uintptr_t>(lowest);
  }();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here > end ? here - end : 0;
}

}  // namespace tenure
