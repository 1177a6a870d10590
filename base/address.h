// A machine address as a type of its own, and the arithmetic of bytes and alignment.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "base/check.h"

namespace tenure {

constexpr bool IsPowerOfTwo(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// alignment: a power of two. AlignUp must not overflow.
constexpr uint64_t AlignDown(uint64_t value, uint64_t alignment) {
  TN_DCHECK(IsPowerOfTwo(alignment));
  return value & ~(alignment - 1);
}
constexpr uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return AlignDown(value + alignment - 1, alignment);
}
constexpr bool IsAligned(uint64_t value, uint64_t alignment) {
  return AlignDown(value, alignment) == value;
}

// An address in this process's memory. Arithmetic counts bytes. It owns nothing, and an Address of
// memory that is gone is as dangerous as a pointer to it.
class Address {
 public:
  constexpr Address() = default;  // NIL
  constexpr explicit Address(uintptr_t bits) : bits_(bits) {}
  explicit Address(const void* pointer) : bits_(reinterpret_cast<uintptr_t>(pointer)) {}

  constexpr uintptr_t bits() const { return bits_; }
  constexpr bool is_null() const { return bits_ == 0; }
  void* pointer() const { return reinterpret_cast<void*>(bits_); }

  // The T at this address; whether there is one is the caller's knowledge.
  template <typename T>
  T* As() const {
    return reinterpret_cast<T*>(bits_);
  }

  // Reads and writes a T bit by bit, whatever type the memory was declared with.
  template <typename T>
  T Load() const {
    T value;
    std::memcpy(&value, pointer(), sizeof(T));
    return value;
  }
  template <typename T>
  void Store(const T& value) const {
    std::memcpy(pointer(), &value, sizeof(T));
  }

  constexpr Address AlignedDown(size_t alignment) const {
    return Address(AlignDown(bits_, alignment));
  }
  constexpr Address AlignedUp(size_t alignment) const { return Address(AlignUp(bits_, alignment)); }
  constexpr bool IsAlignedTo(size_t alignment) const { return IsAligned(bits_, alignment); }

  constexpr Address& operator+=(ptrdiff_t bytes) {
    bits_ += static_cast<uintptr_t>(bytes);
    return *this;
  }
  constexpr Address& operator-=(ptrdiff_t bytes) {
    bits_ -= static_cast<uintptr_t>(bytes);
    return *this;
  }
  friend constexpr Address operator+(Address a, ptrdiff_t bytes) { return a += bytes; }
  friend constexpr Address operator-(Address a, ptrdiff_t bytes) { return a -= bytes; }
  friend constexpr ptrdiff_t operator-(Address a, Address b) {
    return static_cast<ptrdiff_t>(a.bits_ - b.bits_);
  }
  friend constexpr auto operator<=>(Address, Address) = default;

 private:
  uintptr_t bits_ = 0;
};

static_assert(sizeof(Address) == sizeof(void*));

}  // namespace tenure

template <>
struct std::hash<tenure::Address> {
  size_t operator()(tenure::Address address) const {
    // Multiplication spreads the low bits, which alignment leaves zero.
    return static_cast<size_t>((address.bits() >> 3) * 0x9E3779B97F4A7C15u);
  }
};
