#include "stabilize/frames/frame_mapping.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <random>

#include "base/address.h"
#include "base/address_limit.h"
#include "gc/card_table.h"
#include "stabilize/frames/store_names.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

constexpr size_t kGrowStep = size_t{64} << 20;
constexpr size_t kLeastReserve = size_t{64} << 20;
// Random bases come from a part of the address space that neither the kernel's own choices nor the
// card table use.
constexpr uintptr_t kRandomFirst = 0x300000000000;
constexpr uintptr_t kRandomLast = 0x500000000000;

// Shares of the address space, which has 128 TB: when the mappings of a process have taken the
// first share, a database gets the modest range; the heap and the rest of the program need what the
// second share leaves.
constexpr size_t kGenerousBytes = size_t{32} << 40;
constexpr size_t kMostBytes = size_t{96} << 40;
constexpr size_t kModestReserve = size_t{64} << 30;

// The bytes of all mappings, aliases included.
std::atomic<size_t> taken_bytes{0};

}  // namespace

Status FrameMapping::Map(const MappingOptions& options, int protection) {
  // A memfd larger than the limit on file sizes would end the process instead of failing.
  signal(SIGXFSZ, SIG_IGN);
  size_t wanted = std::max(options.reserve_bytes, options.needed_bytes);
  if (taken_bytes + 2 * wanted > kGenerousBytes) {
    wanted = std::max(std::min(options.reserve_bytes, kModestReserve), options.needed_bytes);
  }
  if (taken_bytes + 2 * wanted > kMostBytes) {
    return Status(
        StatusCode::kNoMemory,
        "too many databases are open in this process: no address range is left for another");
  }
  memfd_ = memfd_create("tenure-frames", MFD_CLOEXEC);
  if (memfd_ < 0) return SystemFailure(errno, "cannot make memory for a database's pages");
  // Two mappings are made.
  reserved_bytes_ = WithinAddressLimit(AlignUp(wanted, abi::kPageBytes), 16, abi::kPageBytes);
  // Frames are shared memory, but their cards, a 512th, are private.
  reserved_bytes_ = WithinDataLimit(reserved_bytes_, 16, 256, abi::kPageBytes);
  const int flags = MAP_SHARED | MAP_NORESERVE;
  for (; reserved_bytes_ >= kLeastReserve; reserved_bytes_ /= 2) {
    reserved_bytes_ = AlignDown(reserved_bytes_, abi::kPageBytes);
    void* hint = nullptr;
    if (options.random_base) {
      std::random_device source;
      std::uniform_int_distribution<uintptr_t> place(kRandomFirst / abi::kPageBytes,
                                                     kRandomLast / abi::kPageBytes);
      hint = reinterpret_cast<void*>(place(source) * abi::kPageBytes);
    }
    // Frames must be aligned to their own size, which mmap does not promise: take one page more and
    // cut.
    void* range = mmap(hint, reserved_bytes_ + abi::kPageBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    char* begin = static_cast<char*>(range);
    char* aligned =
        reinterpret_cast<char*>(AlignUp(reinterpret_cast<uintptr_t>(begin), abi::kPageBytes));
    if (aligned > begin) munmap(begin, static_cast<size_t>(aligned - begin));
    const size_t behind = abi::kPageBytes - static_cast<size_t>(aligned - begin);
    if (behind > 0) munmap(aligned + reserved_bytes_, behind);
    void* program = mmap(aligned, reserved_bytes_, protection, flags | MAP_FIXED, memfd_, 0);
    void* alias = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE, flags, memfd_, 0);
    if (program == MAP_FAILED || alias == MAP_FAILED) {
      munmap(aligned, reserved_bytes_);
      if (alias != MAP_FAILED) munmap(alias, reserved_bytes_);
      continue;
    }
    base_ = static_cast<char*>(program);
    alias_ = static_cast<char*>(alias);
    taken_bytes += 2 * reserved_bytes_;
    break;
  }
  if (base_ == nullptr)
    return Failure(StatusCode::kNoMemory, "no address range is free for a database");
  // The program marks the cards of frames that it stores references to.
  TN_RETURN_IF_ERROR(gc::CardTable::Cover(base_, reserved_bytes_));
  for (char* mapping : {base_, alias_}) {
    madvise(mapping, reserved_bytes_, MADV_DONTFORK);
    madvise(mapping, reserved_bytes_, MADV_DONTDUMP);
    madvise(mapping, reserved_bytes_, MADV_NOHUGEPAGE);
  }
  return Status::Ok();
}

FrameMapping::~FrameMapping() { FrameMapping::Retire(reserved_bytes_); }

void FrameMapping::Retire(size_t used_bytes) {
  if (base_ != nullptr) {
    const size_t before = (alias_ != nullptr ? 2 : 1) * reserved_bytes_;
    used_bytes = std::min<size_t>(AlignUp(used_bytes, abi::kPageBytes), reserved_bytes_);
    if (used_bytes > 0) {
      static_cast<void>(mmap(base_, used_bytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
    }
    if (used_bytes < reserved_bytes_) munmap(base_ + used_bytes, reserved_bytes_ - used_bytes);
    if (alias_ != nullptr) munmap(alias_, reserved_bytes_);
    alias_ = nullptr;
    reserved_bytes_ = used_bytes;
    taken_bytes -= before - used_bytes;
  }
  if (memfd_ >= 0) close(memfd_);
  memfd_ = -1;
}

Status FrameMapping::Publish(char* frame, size_t pages, const std::byte* contents) {
  std::memcpy(Alias(frame), contents, pages * abi::kPageBytes);
  return SetAccess(frame, pages, Access::kNone, Access::kRead);
}

Status FrameMapping::Discard(char* frame) {
  TN_RETURN_IF_ERROR(SetAccess(frame, 1, Access::kRead, Access::kNone));
  if (fallocate(memfd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, frame - base_,
                abi::kPageBytes) != 0) {
    return SystemFailure(errno, "cannot give back memory of a database's pages");
  }
  return Status::Ok();
}

uint64_t FrameMapping::UsedBytes() const {
  // fstat would ask for the times as well. The system then notes the time of the next change more
  // exactly, for all files, and each sync of a log also writes the log's inode.
  constexpr uint64_t kUnit = 512;
  struct statx blocks;
  if (statx(memfd_, "", AT_EMPTY_PATH, STATX_BLOCKS, &blocks) == 0)
    return blocks.stx_blocks * kUnit;
  struct stat status;  // filters of old containers deny statx
  return fstat(memfd_, &status) == 0 ? static_cast<uint64_t>(status.st_blocks) * kUnit : 0;
}

Status FrameMapping::Grow(size_t bytes) {
  if (bytes <= backed_bytes_) return Status::Ok();
  if (bytes > reserved_bytes_) {
    return Failure(StatusCode::kNoMemory, "the database is larger than its address range of " +
                                              std::to_string(reserved_bytes_ >> 20) +
                                              " MB (raise the limit on address space)");
  }
  const size_t target = std::min<size_t>(AlignUp(bytes, kGrowStep), reserved_bytes_);
  if (ftruncate(memfd_, static_cast<off_t>(target)) != 0) {
    return SystemFailure(errno, "cannot get memory for a database's pages");
  }
  backed_bytes_ = target;
  return Status::Ok();
}

}  // namespace tenure::stabilize
