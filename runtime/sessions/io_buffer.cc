#include "runtime/sessions/io_buffer.h"

#include <cstdint>

namespace tenure::runtime {
namespace {

// The page size of the system, not of the heap.
constexpr uintptr_t kSystemPageBytes = 4096;

// Calls touch(address) once for each system page of the buffer.
template <typename Touch>
void ForEachSystemPage(const void* buffer, size_t bytes, Touch&& touch) {
  if (bytes == 0) return;
  uintptr_t at = reinterpret_cast<uintptr_t>(buffer);
  const uintptr_t end = at + bytes;
  while (at < end) {
    touch(at);
    at = (at | (kSystemPageBytes - 1)) + 1;
  }
}

}  // namespace

void TouchForReading(const void* buffer, size_t bytes) {
  ForEachSystemPage(buffer, bytes, [](uintptr_t address) {
    static_cast<void>(*reinterpret_cast<const volatile char*>(address));
  });
}

void TouchForWriting(void* buffer, size_t bytes) {
  ForEachSystemPage(buffer, bytes, [](uintptr_t address) {
    // An atomic operation, so that another thread's store there is not undone. The call may
    // transfer fewer bytes than the buffer has.
    asm volatile("lock orb $0, %0" : "+m"(*reinterpret_cast<char*>(address)));
  });
}

}  // namespace tenure::runtime
