// A reference as a database stores it. Nothing on disk is an address.
//
// 8 bytes: 0 is NIL; page * 8192 + offset names the object of this database whose first field is at
// that offset of that page (its header word is the 8 bytes before). Objects are 8-byte aligned, so
// the low three bits of an object reference are 0; other values mark the kinds below.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "abi/heap_constants.h"

namespace tenure::store {

// A page of a database. Pages are numbered from 1; 0 is not a page.
struct PageId {
  uint64_t number = 0;

  constexpr bool valid() const { return number != 0; }
  friend constexpr auto operator<=>(PageId, PageId) = default;
};

constexpr PageId operator+(PageId page, uint64_t pages) { return PageId{page.number + pages}; }

// Page numbers stay below this, so that page * kPageBytes + offset fits into 64 bits.
inline constexpr uint64_t kPageNumberLimit = ~uint64_t{0} / abi::kPageBytes;

// The meaning of the low three bits of a non-NIL reference.
enum class RefKind : uint64_t {
  kObject = 0,     // page and offset
  kImport = 1,     // value >> 3 is the number of an entry in this database's import table
  kProcedure = 2,  // value >> 3 is the number of a procedure entry in the store's type table
};

inline constexpr uint64_t kRefKindMask = 7;

struct PersistentRef {
  uint64_t bits = 0;

  static constexpr PersistentRef Nil() { return {}; }
  // `offset` is that of the first field: a multiple of 8, at least abi::kHeaderBytes.
  static constexpr PersistentRef Object(PageId page, size_t offset) {
    return {page.number * abi::kPageBytes + offset};
  }
  static constexpr PersistentRef Entry(RefKind kind, uint64_t number) {
    return {number << 3 | static_cast<uint64_t>(kind)};
  }

  constexpr bool nil() const { return bits == 0; }
  constexpr bool is_object() const { return bits != 0 && (bits & kRefKindMask) == 0; }
  constexpr RefKind kind() const { return static_cast<RefKind>(bits & kRefKindMask); }
  // Of an object reference.
  constexpr PageId page() const { return PageId{bits / abi::kPageBytes}; }
  constexpr size_t offset() const { return bits % abi::kPageBytes; }
  // The index in the table of imports or procedures.
  constexpr uint64_t entry() const { return bits >> 3; }

  // Whether an object reference has the shape of one: some page, room for a header before it.
  // Whether an object is there only the page can tell.
  constexpr bool well_formed_object() const {
    return is_object() && page().valid() && offset() >= abi::kHeaderBytes;
  }

  friend constexpr auto operator<=>(PersistentRef, PersistentRef) = default;
};

static_assert(sizeof(PersistentRef) == 8);

}  // namespace tenure::store

template <>
struct std::hash<tenure::store::PageId> {
  size_t operator()(tenure::store::PageId page) const noexcept {
    return static_cast<size_t>(page.number * 0x9E3779B97F4A7C15u);
  }
};
