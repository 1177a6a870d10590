// QuickStore's counters, and the times of the parts of its faults.
#pragma once

#include <cstdint>

#include "lab/esm/regions.h"

namespace tenure::lab::quickstore {

struct Counters {
  uint64_t read_faults = 0;    // traps that made a page accessible which was read from the server
  uint64_t access_faults = 0;  // traps that made a page accessible which was in the pool
  uint64_t write_faults = 0;   // traps that opened a page for writing
  uint64_t map_entries = 0;    // of mapping objects that were looked at
  uint64_t bitmaps_read = 0;
  uint64_t relocated = 0;  // pages that got another frame than before
  uint64_t pages_patched = 0;
  uint64_t pointers_patched = 0;
  uint64_t mappings_checked = 0;  // of changed pages, by commits
  uint64_t mappings_written = 0;
  uint64_t commit_reads = 0;  // pages that commits brought into the pool, without a trap
  esm::LogCounters log;
  // ns within faults for reading, of the first two kinds
  uint64_t fault_ns = 0, data_io_ns = 0, map_io_ns = 0, swizzle_ns = 0, mmap_ns = 0;
  // ns of commits
  uint64_t copy_ns = 0;  // within faults for writing: copies and locks
  uint64_t diff_ns = 0, map_update_ns = 0, commit_ns = 0;
};

}  // namespace tenure::lab::quickstore
