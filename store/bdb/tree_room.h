// How much room a database takes on the disk.

#pragma once

#include <cstdint>

#include "store/format/page_record.h"
#include "store/trees/tree_memory.h"

namespace tenure::store {

// The bytes of the tree of a database whose pages are written in order, once each; with those of
// the tree's inner pages.
constexpr uint64_t TreeRoom(uint64_t pages) {
  // Seven find room. When Berkeley DB makes a page behind the last one, the last record moves
  // there.
  constexpr uint64_t kRecordsOfPage = kTreePageBytes / (kPageRecordBytes + 64) - 1;
  constexpr uint64_t kLeavesOfInner = 1000;  // at least, since keys are short
  const uint64_t leaves = pages / kRecordsOfPage + 1;
  return (leaves + leaves / kLeavesOfInner + 2) * kTreePageBytes;
}

// The bytes that a store needs beside the trees of replacements while these are written, and to be
// closed: outcomes, types, a checkpoint.
inline constexpr uint64_t kReplacingRoom = 1 << 20;

}  // namespace tenure::store
