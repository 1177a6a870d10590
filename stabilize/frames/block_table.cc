#include "stabilize/frames/block_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/address.h"
#include "stabilize/frames/store_names.h"

namespace tenure::stabilize {

namespace {

enum class State : uint8_t { kNone, kWhole, kPieces };
std::atomic<State> state = State::kNone;

bool Map(uintptr_t begin, size_t bytes) {
  void* const table =
      mmap(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (table == MAP_FAILED) return false;
  if (table != reinterpret_cast<void*>(begin)) {
    munmap(table, bytes);  // A kernel before 4.17 takes the flag for a hint.
    errno = EEXIST;
    return false;
  }
  madvise(table, bytes, MADV_DONTDUMP);
  madvise(table, bytes, MADV_NOHUGEPAGE);
  return true;
}

}  // namespace

Status BlockTable::Reserve() {
  if (state != State::kNone) return Status::Ok();
  if (Map(abi::kBlockTableBase, abi::kBlockTableBytes)) {
    state = State::kWhole;
    return Status::Ok();
  }
  if (errno == EEXIST) {
    return Status(StatusCode::kNoMemory, "the addresses of the table for store barriers are taken",
                  errno);
  }
  state = State::kPieces;
  return Status::Ok();
}

Result<bool> BlockTable::CoverByFault(uintptr_t address) {
  constexpr size_t kOsPage = 4096;
  if (state != State::kPieces || address < abi::kBlockTableBase ||
      address >= abi::kBlockTableBase + abi::kBlockTableBytes) {
    return false;
  }
  // EEXIST: another thread was here at the same time.
  if (!Map(AlignDown(address, kOsPage), kOsPage) && errno != EEXIST) {
    return Status(StatusCode::kNoMemory, "no addresses for store barriers", errno);
  }
  return true;
}

void BlockTable::SetPage(const void* page, int8_t value) {
  std::memset(ByteOf(page), value, kBlocksPerPage);
}

bool BlockTable::AnyCalls(const void* address, size_t bytes) {
  if (bytes == 0) return false;
  const int8_t* const first = ByteOf(address);
  const int8_t* const last = ByteOf(static_cast<const char*>(address) + bytes - 1);
  return std::any_of(first, last + 1, [](int8_t byte) { return byte < 0; });
}

}  // namespace tenure::stabilize
