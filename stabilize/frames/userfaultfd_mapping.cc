// Tier A: userfaultfd without privilege, its faults delivered as SIGBUS to the thread that met
// them. One ioctl publishes a page write-protected, so that no racing write goes unseen;
// protections make no mappings.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_set>

#include "base/check.h"
#include "base/drop_pages.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

// Linux 6.4; the headers of older systems lack it.
#ifndef UFFDIO_CONTINUE_MODE_WP
#define UFFDIO_CONTINUE_MODE_WP (uint64_t{1} << 1)
#endif

constexpr uint64_t kFeatures = UFFD_FEATURE_SIGBUS | UFFD_FEATURE_PAGEFAULT_FLAG_WP |
                               UFFD_FEATURE_MISSING_SHMEM | UFFD_FEATURE_MINOR_SHMEM |
                               UFFD_FEATURE_WP_HUGETLBFS_SHMEM;

Result<int> OpenUserfaultfd() {
  const int fd =
      static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
  if (fd < 0) return SystemFailure(errno, "userfaultfd is not available");
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kFeatures;
  if (ioctl(fd, UFFDIO_API, &api) != 0) {
    const Status failure =
        SystemFailure(errno, "userfaultfd lacks write-protection of shared memory");
    close(fd);
    return failure;
  }
  return fd;
}

Status Register(int fd, void* begin, size_t bytes, uint64_t mode) {
  uffdio_register request{};
  request.range = {reinterpret_cast<uint64_t>(begin), bytes};
  request.mode = mode;
  if (ioctl(fd, UFFDIO_REGISTER, &request) != 0)
    return SystemFailure(errno, "userfaultfd cannot watch memory");
  return Status::Ok();
}

Status WriteProtect(int fd, void* begin, size_t bytes, bool protect) {
  uffdio_writeprotect request{};
  request.range = {reinterpret_cast<uint64_t>(begin), bytes};
  request.mode = protect ? UFFDIO_WRITEPROTECT_MODE_WP : 0;
  while (ioctl(fd, UFFDIO_WRITEPROTECT, &request) != 0) {
    if (errno != EAGAIN) return SystemFailure(errno, "userfaultfd cannot write-protect memory");
  }
  return Status::Ok();
}

// Maps the alias's memory. Small pages of the range that are mapped already only change their
// protection.
Status Continue(int fd, char* begin, char* alias, size_t bytes, bool protect) {
  char* const end = begin + bytes;
  while (begin < end) {
    uffdio_continue request{};
    request.range = {reinterpret_cast<uint64_t>(begin), static_cast<uint64_t>(end - begin)};
    request.mode = protect ? UFFDIO_CONTINUE_MODE_WP : 0;
    if (ioctl(fd, UFFDIO_CONTINUE, &request) == 0) return Status::Ok();
    if (request.mapped > 0) {
      begin += request.mapped;
      alias += request.mapped;
    } else if (errno == EFAULT) {
      // Nothing was ever written to this small page: it is zero once it is touched.
      *static_cast<volatile char*>(alias) = 0;
    } else if (errno == EEXIST) {
      TN_RETURN_IF_ERROR(WriteProtect(fd, begin, 4096, protect));
      begin += 4096;
      alias += 4096;
    } else if (errno != EAGAIN) {
      return SystemFailure(errno, "userfaultfd cannot publish a page");
    }
  }
  return Status::Ok();
}

class UserfaultfdMapping : public FrameMapping {
 public:
  ~UserfaultfdMapping() override {
    if (fd_ >= 0) close(fd_);
  }
  Status Initialize(const MappingOptions& options) {
    TN_ASSIGN_OR_RETURN(fd_, OpenUserfaultfd());
    TN_RETURN_IF_ERROR(Map(options, PROT_READ | PROT_WRITE));
    return Register(
        fd_, base_, reserved_bytes_,
        UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_MINOR | UFFDIO_REGISTER_MODE_WP);
  }
  Status SetAccess(char* frame, size_t pages, Access from, Access to) override {
    const size_t bytes = pages * abi::kPageBytes;
    if (from == to) return Status::Ok();
    if (to == Access::kNone) {
      if (DropPages(frame, bytes) != 0)
        return SystemFailure(errno, "cannot close a database's pages");
      return Status::Ok();
    }
    if (from == Access::kNone)
      return Continue(fd_, frame, Alias(frame), bytes, to == Access::kRead);
    TN_RETURN_IF_ERROR(WriteProtect(fd_, frame, bytes, to == Access::kRead));
    // The kernel does not make the small pages writable, but only lets the first write to each do
    // so, by a fault that it answers itself: of many that costs more than asking for all at once.
    if (to == Access::kWrite && pages >= kPopulated) Populate(frame, bytes);
    return Status::Ok();
  }
  Status Publish(char* frame, size_t pages, const std::byte* contents) override {
    const size_t bytes = pages * abi::kPageBytes;
    uffdio_copy request{};
    request.dst = reinterpret_cast<uint64_t>(frame);
    request.src = reinterpret_cast<uint64_t>(contents);
    request.len = bytes;
    request.mode = UFFDIO_COPY_MODE_WP;
    if (ioctl(fd_, UFFDIO_COPY, &request) == 0) return Status::Ok();
    // Fails where there is memory already; no more than that is known here.
    return FrameMapping::Publish(frame, pages, contents);
  }
  void Retire(size_t used_bytes) override {
    FrameMapping::Retire(used_bytes);
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  FaultTier tier() const override { return FaultTier::kUserfaultfd; }

 private:
  static constexpr size_t kPopulated = 8;

  int fd_ = -1;
};

// Registers heap pages as they become governed; a page stays registered, which costs nothing while
// it is not protected. Memory of files cannot be registered: mprotect protects it.
class UserfaultfdProtection : public HeapProtection {
 public:
  explicit UserfaultfdProtection(int fd) : fd_(fd) {}
  ~UserfaultfdProtection() override { close(fd_); }
  Status SetWritable(void* page, size_t pages, bool writable) override {
    // The descriptor is about the parent's memory; that of the child is not protected.
    if (getpid() != process_) return Status::Ok();
    uintptr_t begin = reinterpret_cast<uintptr_t>(page);
    const uintptr_t end = begin + pages * abi::kPageBytes;
    // Each run is of chunks that are protected in the same way.
    while (begin < end) {
      TN_ASSIGN_OR_RETURN(const bool of_file, IsOfFile(begin, end));
      uintptr_t run_end = std::min(end, (begin / kChunk + 1) * kChunk);
      while (run_end < end) {
        TN_ASSIGN_OR_RETURN(const bool next, IsOfFile(run_end, end));
        if (next != of_file) break;
        run_end = std::min(end, run_end + kChunk);
      }
      auto* const at = reinterpret_cast<void*>(begin);
      TN_RETURN_IF_ERROR(
          of_file ? files_->SetWritable(at, (run_end - begin) / abi::kPageBytes, writable)
                  : WriteProtect(fd_, at, run_end - begin, !writable));
      begin = run_end;
    }
    return Status::Ok();
  }
  bool IsShort() const override { return !of_files_.empty() && files_->IsShort(); }

 private:
  // Whether the memory from `begin` to the end of its chunk, or to `end`, is of a file. Otherwise
  // it is registered.
  Result<bool> IsOfFile(uintptr_t begin, uintptr_t end) {
    const uintptr_t chunk = begin / kChunk * kChunk;
    if (registered_.contains(chunk)) return false;
    if (of_files_.contains(chunk)) return true;
    if (Register(fd_, reinterpret_cast<void*>(chunk), kChunk, UFFDIO_REGISTER_MODE_WP).ok()) {
      registered_.insert(chunk);
      return false;
    }
    // The chunk reaches beyond the heap's mapping: only the pages then, every time.
    const Status status = Register(fd_, reinterpret_cast<void*>(begin),
                                   std::min(end, chunk + kChunk) - begin, UFFDIO_REGISTER_MODE_WP);
    if (status.ok()) return false;
    if (status.code() == StatusCode::kNoMemory) return status;
    of_files_.insert(chunk);
    return true;
  }

  // Registering neighbours together keeps the kernel's mappings few.
  static constexpr uintptr_t kChunk = size_t{4} << 20;

  int fd_;
  const pid_t process_ = getpid();
  std::unordered_set<uintptr_t> registered_;
  std::unordered_set<uintptr_t> of_files_;
  const std::unique_ptr<HeapProtection> files_ = NewMprotectProtection();
};

Status Probe() {
  MappingOptions options;
  options.reserve_bytes = size_t{64} << 20;
  auto mapping = std::make_unique<UserfaultfdMapping>();
  TN_RETURN_IF_ERROR(mapping->Initialize(options));
  TN_RETURN_IF_ERROR(mapping->Grow(4 * abi::kPageBytes));
  char* frame = mapping->base() + abi::kPageBytes;
  std::memset(mapping->Alias(frame), 7, abi::kPageBytes);
  TN_RETURN_IF_ERROR(mapping->SetAccess(frame, 1, Access::kNone, Access::kRead));
  if (*static_cast<volatile char*>(frame) != 7)
    return Status(StatusCode::kNotSupported, "userfaultfd shows other memory");
  TN_RETURN_IF_ERROR(mapping->SetAccess(frame, 1, Access::kRead, Access::kWrite));
  *static_cast<volatile char*>(frame) = 8;
  if (*mapping->Alias(frame) != 8)
    return Status(StatusCode::kNotSupported, "userfaultfd loses writes");
  return Status::Ok();
}

}  // namespace

Status ProbeUserfaultfd() {
  static const Status result = Probe();
  return result;
}

Result<std::unique_ptr<FrameMapping>> NewUserfaultfdMapping(const MappingOptions& options) {
  TN_RETURN_IF_ERROR(ProbeUserfaultfd());
  auto mapping = std::make_unique<UserfaultfdMapping>();
  TN_RETURN_IF_ERROR(mapping->Initialize(options));
  return std::unique_ptr<FrameMapping>(std::move(mapping));
}

std::unique_ptr<HeapProtection> NewUserfaultfdProtection() {
  Result<int> fd = OpenUserfaultfd();
  // Callers have probed before. Without a descriptor mprotect serves as well.
  if (!fd.ok()) return NewMprotectProtection();
  return std::make_unique<UserfaultfdProtection>(*fd);
}

}  // namespace tenure::stabilize
