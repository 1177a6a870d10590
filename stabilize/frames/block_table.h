// One byte per 256 bytes of address space, where code that is compiled with store barriers looks
// before or behind a store (abi/heap_constants.h, "block"). Only frames of databases have bytes
// that are not 0, so the heap and stacks cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "base/result.h"

namespace tenure::stabilize {

// The process has one table, at a fixed address. Bytes change with the session's lock; any thread
// reads them.
class BlockTable {
 public:
  static constexpr size_t kBlocksPerPage = abi::kPageBytes / abi::kBlockBytes;
  static_assert(kBlocksPerPage == 32, "a page's blocks are the bits of one word");

  // Reserves addresses for the whole table (512 GB, no memory). Under a limit on address space it
  // comes in pieces, as it is touched. kNoMemory: the table's addresses are taken.
  static Status Reserve();
  // For a handler of memory faults: whether `address` lies in the table, in a piece that is mapped
  // now. kNoMemory: no addresses for the piece. Safe in a handler.
  static Result<bool> CoverByFault(uintptr_t address);

  static int8_t* ByteOf(const void* address) {
    return reinterpret_cast<int8_t*>(abi::kBlockTableBase +
                                     (reinterpret_cast<uintptr_t>(address) >> abi::kBlockShift));
  }
  // Sets all bytes of a page.
  static void SetPage(const void* page, int8_t value);
  // Sets the bytes of a page if the page is a frame in use: a store to it may be on its way.
  static void SetUsedPage(const void* page, int8_t value) {
    if (*ByteOf(page) != abi::kBlockIdle) SetPage(page, value);
  }
  static bool AnyCalls(const void* address, size_t bytes);
};

}  // namespace tenure::stabilize
