// The figures of one commit and the times of its parts, for programs and for @M3commitreport.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "abi/type_descriptor.h"

namespace tenure::stabilize {

// How new objects were reached: by a slot of an object of a type, by a set root (no type), ...
struct CapturedBy {
  const abi::TypeDescriptor* holder = nullptr;  // null: the database's root
  size_t offset : 63 = 0;                       // of the slot in the holder's fixed part
  size_t element : 1 = 0;                       // an element of an open array; the offset is in it

  friend bool operator<(const CapturedBy& a, const CapturedBy& b) { return a.Key() < b.Key(); }

 private:
  std::tuple<const abi::TypeDescriptor*, size_t, bool> Key() const {
    return {holder, offset, element != 0};
  }
};

struct CommitReport {
  struct Count {
    uint64_t objects = 0;
    uint64_t bytes = 0;

    void Add(size_t object_bytes) {
      ++objects;
      bytes += object_bytes;
    }
  };
  enum Phase : size_t { kRoots, kName, kCompare, kEncode, kSend, kAccept, kPhases };

  uint64_t number = 0;  // of the commit in this process; 0: none yet
  Count persisted;      // newly
  // With details only:
  std::map<const abi::TypeDescriptor*, Count> by_type;
  std::map<CapturedBy, Count> by_reference;
  // Slots of stored objects that were not NIL and are stored as NIL: they refer to objects of
  // TRANSIENT types, to untraced memory, to procedures that have no name; and weak references.
  std::map<CapturedBy, uint64_t> not_kept;

  uint64_t moved_home = 0;  // since the commit before
  uint64_t displaced = 0;   // now
  uint64_t governed = 0;    // pages, now
  uint64_t pages_written = 0;
  uint64_t bytes_written = 0;
  uint64_t log_bytes = 0;
  // Sent to the page servers (of each page that is written: the page, regions of it, or both).
  uint64_t pages_shipped = 0;
  uint64_t regions_shipped = 0;
  // Syncs since the commit before, of the stores that this one wrote to. The sync of a commit for
  // which no thread has waited yet counts for a later one.
  uint64_t syncs = 0;
  uint64_t largest_group = 0;  // the most commits that one sync has made durable so far
  // Since the commit before.
  uint64_t write_faults = 0;
  uint64_t twins_made = 0;
  uint64_t twins_compared_early = 0;
  uint64_t barrier_calls = 0;
  uint64_t blocks_marked = 0;
  uint64_t blocks_copied = 0;
  uint64_t missed_barriers = 0;
  double ms[kPhases] = {};

  // Adds the time since the last call, or since the making of the report, to a phase.
  void EndPhase(Phase phase) {
    const auto now = std::chrono::steady_clock::now();
    ms[phase] += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// In lines, each ended.
std::string TextOf(const CommitReport& report);

}  // namespace tenure::stabilize
