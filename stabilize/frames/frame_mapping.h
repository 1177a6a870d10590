// The address range of one database: where its frames are, and the two ways to protect them.
//
// A memfd is mapped twice. The program sees the first mapping, whose pages are protected until they
// are decoded; the run time fills and reads them through the second, the *alias*, which is always
// accessible, so that no other thread ever sees a page half done. Tier A uses userfaultfd (missing,
// minor and write-protect faults, delivered as SIGBUS to the thread that faults), tier B mprotect
// (SIGSEGV). Frames are neither inherited by a forked child nor dumped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "abi/heap_constants.h"
#include "base/result.h"

namespace tenure::stabilize {

enum class FaultTier : uint8_t {
  kChoose,       // A where the kernel has it, else B
  kUserfaultfd,  // A; kNotSupported without it
  kMprotect,     // B
};

// The accesses to a frame that do not trap.
enum class Access : uint8_t { kNone, kRead, kWrite };

struct MappingOptions {
  FaultTier tier = FaultTier::kChoose;
  // Addresses to reserve; less is taken under a limit on address space (RLIMIT_AS), and when the
  // process has many mappings.
  size_t reserve_bytes = size_t{1} << 40;
  // Reserves at least this many bytes: for the pages that exist, and for their growth.
  size_t needed_bytes = 0;
  // Put the range somewhere else each time (@M3dbbase=random): nothing stored may depend on it.
  bool random_base = false;
};

// One thread at a time changes a mapping; access of distinct frames may change concurrently.
class FrameMapping {
 public:
  virtual ~FrameMapping();
  FrameMapping(const FrameMapping&) = delete;
  FrameMapping& operator=(const FrameMapping&) = delete;

  // Address of page 0, which is never used; page n is at base + n * kPageBytes.
  char* base() const { return base_; }
  size_t reserved_bytes() const { return reserved_bytes_; }
  bool Contains(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) <
           reserved_bytes_;
  }
  // The same byte in the always accessible mapping.
  char* Alias(const void* frame_address) const {
    return alias_ + (static_cast<const char*>(frame_address) - base_);
  }

  // Makes memory for the first `bytes` (rounded up generously). kNoSpace when the range or memory
  // is used up.
  Status Grow(size_t bytes);

  // Changes the access to `pages` frames from `frame` on. The transitions none -> read or write
  // (contents must be in place through the alias), read -> write, write -> read, and anything ->
  // none.
  //
  // A frame may lose its access at any time: the system swaps its memory out, or tier B has no
  // mapping left for its protection. Its contents stay. The next touch traps, and none -> read or
  // write gives the access back.
  virtual Status SetAccess(char* frame, size_t pages, Access from, Access to) = 0;

  // The frames have no access; from now on they have these contents and may be read. The same as
  // filling them through the alias and SetAccess, faster where the system can do both at once.
  virtual Status Publish(char* frame, size_t pages, const std::byte* contents);

  // Closes one frame and gives its memory back.
  Status Discard(char* frame);
  // Memory that frames take now.
  uint64_t UsedBytes() const;

  virtual FaultTier tier() const = 0;

  // The database is closed: gives back memory, the alias, and the addresses behind the first
  // `used_bytes`, where no reference ever leads. The others stay reserved, without access, so that
  // a reference that somebody kept never finds other data.
  virtual void Retire(size_t used_bytes);

 protected:
  FrameMapping() = default;
  // Reserves the range and maps the memfd twice; the program's mapping gets `protection`.
  Status Map(const MappingOptions& options, int protection);

  char* base_ = nullptr;
  char* alias_ = nullptr;
  size_t reserved_bytes_ = 0;

 private:
  int memfd_ = -1;
  size_t backed_bytes_ = 0;
};

// Write-protection of pages of the transient heap on which displaced objects lie (governed pages).
// Private anonymous memory: userfaultfd can write-protect it once it is registered; else mprotect.
class HeapProtection {
 public:
  virtual ~HeapProtection() = default;
  // Makes `pages` pages from `page` on writable or read-only. Idempotent. kNoMemory: the kernel
  // has no mapping left; then fewer pages must differ from their neighbours. In the child of a fork
  // pages may only be made writable.
  virtual Status SetWritable(void* page, size_t pages, bool writable) = 0;
  // Whether more pages differ from their neighbours than is good for the rest of the process.
  virtual bool IsShort() const { return false; }
};

}  // namespace tenure::stabilize
