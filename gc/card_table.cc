#include "gc/card_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/address.h"
#include "base/mutex.h"

namespace tenure::gc {

namespace {

enum class State { kNone, kWhole, kPieces };
State state = State::kNone;
Mutex reserve_lock;

// A stack without a limit grows at most this much in pieces mode.
constexpr size_t kStackCover = size_t{256} << 20;

void* MapCards(uintptr_t begin, size_t bytes) {
  void* cards = mmap(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (cards != MAP_FAILED && cards != reinterpret_cast<void*>(begin)) {
    munmap(cards, bytes);  // A kernel before 4.17 takes the flag for a hint.
    errno = EEXIST;
    return MAP_FAILED;
  }
  if (cards != MAP_FAILED) {
    madvise(cards, bytes, MADV_DONTDUMP);
    madvise(cards, bytes, MADV_NOHUGEPAGE);
  }
  return cards;
}

// The bytes of [begin, end) in a table that has one for each 2^shift bytes of address.
Status CoverPieceOf(uintptr_t table, unsigned shift, uintptr_t begin, uintptr_t end) {
  constexpr size_t kOsPage = 4096;
  const uintptr_t first = AlignDown(table + (begin >> shift), kOsPage);
  const uintptr_t last = AlignUp(table + ((end - 1) >> shift) + 1, kOsPage);
  if (MapCards(first, last - first) != MAP_FAILED) return Status::Ok();
  for (uintptr_t at = first; at < last; at += kOsPage) {
    // kExists: there already, for a neighbour.
    if (MapCards(at, kOsPage) == MAP_FAILED && errno != EEXIST) {
      return Status(StatusCode::kNoMemory, "no addresses for cards", errno);
    }
  }
  return Status::Ok();
}

Status CoverPiece(uintptr_t begin, uintptr_t end) {
  TN_RETURN_IF_ERROR(CoverPieceOf(abi::kCardTableBase, abi::kCardShift, begin, end));
  TN_RETURN_IF_ERROR(CoverPieceOf(abi::kCardedTableBase, abi::kPageShift, begin, end));
  return CoverPieceOf(abi::kWatchedTableBase, abi::kPageShift, begin, end);
}

// Makes cards for the memory that the program can store to already: data segments, stacks, malloc's
// arenas. NIL and static objects have no cards, but their addresses may be stored, so they have
// bytes among the watched pages. Without /proc CoverByFault does all of this.
Status CoverExistingMappings() {
  Status status = CoverPieceOf(abi::kWatchedTableBase, abi::kPageShift, 0, abi::kPageBytes);
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == nullptr) return status;
  rlimit stack_limit;
  getrlimit(RLIMIT_STACK, &stack_limit);
  const size_t stack_bytes = std::min<size_t>(stack_limit.rlim_cur, kStackCover);
  char line[512];
  while (status.ok() && fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin, end;
    char access[8] = {};
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, access) != 3) continue;
    if (begin >= abi::kWatchedTableBase && begin < abi::kCardTableBase + abi::kCardTableBytes)
      continue;
    if (access[1] != 'w') {
      if (access[0] == 'r' && end <= uintptr_t{1} << abi::kUserAddressBits) {
        status = CoverPieceOf(abi::kWatchedTableBase, abi::kPageShift, begin, end);
      }
      continue;
    }
    if (strstr(line, "[stack]") != nullptr) begin = std::min(begin, end - stack_bytes);
    if (end <= uintptr_t{1} << abi::kUserAddressBits) status = CoverPiece(begin, end);
  }
  fclose(maps);
  return status;
}

}  // namespace

Status CardTable::Reserve() {
  MutexLock guard(reserve_lock);
  if (state != State::kNone) return Status::Ok();
  if (MapCards(abi::kWatchedTableBase, 2 * abi::kPageTableBytes + abi::kCardTableBytes) !=
      MAP_FAILED) {
    state = State::kWhole;
    return Status::Ok();
  }
  if (errno == EEXIST) {
    return Status(StatusCode::kNoMemory, "the card table's addresses are taken", errno);
  }
  TN_RETURN_IF_ERROR(CoverExistingMappings());
  state = State::kPieces;
  return Status::Ok();
}

bool CardTable::is_whole() { return state == State::kWhole; }

Status CardTable::Cover(const void* begin, size_t bytes) {
  TN_RETURN_IF_ERROR(Reserve());
  if (state == State::kWhole || bytes == 0) return Status::Ok();
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  return CoverPiece(first, first + bytes);
}

Result<bool> CardTable::CoverByFault(uintptr_t address) {
  constexpr size_t kOsPage = 4096;
  constexpr uintptr_t kEnd = abi::kCardTableBase + abi::kCardTableBytes;
  if (address < abi::kWatchedTableBase || address >= kEnd || state != State::kPieces) return false;
  // kExists: another thread was here at the same time.
  if (MapCards(AlignDown(address, kOsPage), kOsPage) == MAP_FAILED && errno != EEXIST) {
    return Status(StatusCode::kNoMemory, "no addresses for cards", errno);
  }
  return true;
}

void CardTable::MarkRange(const void* begin, size_t bytes) {
  if (bytes == 0) return;
  uint8_t* const first = CardedOf(begin);
  memset(first, 1,
         static_cast<size_t>(CardedOf(static_cast<const char*>(begin) + bytes - 1) - first) + 1);
  SetRange(begin, bytes, abi::kCardDirty);
}

void CardTable::SetRange(const void* begin, size_t bytes, uint8_t value) {
  if (bytes == 0) return;
  uint8_t* first = CardOf(begin);
  uint8_t* last = CardOf(static_cast<const char*>(begin) + bytes - 1);
  memset(first, value, static_cast<size_t>(last - first) + 1);
}

}  // namespace tenure::gc
