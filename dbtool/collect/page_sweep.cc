#include "dbtool/collect/page_sweep.h"

#include <cstring>
#include <optional>
#include <span>

#include "abi/object_header.h"
#include "dbtool/stored/object_reader.h"
#include "store/format/page_codec.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;

namespace {

void PutZeros(std::span<std::byte> payload, const StoredType& type, uint64_t bytes, bool* any) {
  ForEachSlot(type, bytes, [&](uint64_t slot, StoredSlot kind) {
    if (kind != StoredSlot::kReference) return;
    uint64_t word;
    std::memcpy(&word, payload.data() + slot, sizeof word);
    *any |= word != 0;
    std::memset(payload.data() + slot, 0, sizeof word);
  });
}

}  // namespace

Result<PageSweep> SweepContents(
    std::byte* contents, SweepStep step,
    const std::function<Result<const StoredType*>(uint64_t)>& type_of,
    const std::function<bool(size_t payload, uint64_t bytes)>& is_live) {
  PageSweep sweep;
  size_t free_from = kPageBytes;  // where the free place before this one begins
  for (size_t at = 0; at < kPageBytes;) {
    uint64_t header;
    std::memcpy(&header, contents + at, sizeof header);
    size_t bytes = 0;
    bool live = false;
    if (const abi::ObjectHeader word{header}; word.is_filler()) {
      bytes = word.filler_bytes();
    } else {
      TN_ASSIGN_OR_RETURN(const StoredType* const type, type_of(header >> store::kStoredTypeShift));
      const std::span<std::byte> payload(contents + at + kHeaderBytes,
                                         kPageBytes - at - kHeaderBytes);
      const std::optional<uint64_t> length = PayloadBytes(*type, payload);
      if (!length || *length > payload.size()) {
        return Status(StatusCode::kCorrupt, "an impossible length");
      }
      bytes = kHeaderBytes + *length;
      live = is_live(at + kHeaderBytes, bytes);
      (live ? sweep.some_live : sweep.some_dead) = true;
      if (!live && step == SweepStep::kDisconnect) {
        PutZeros(payload, *type, *length, &sweep.references);
      }
    }
    if (live) {
      free_from = kPageBytes;
    } else if (step == SweepStep::kFree) {
      if (free_from == kPageBytes) free_from = at;
      const size_t end = at + bytes;
      std::memset(contents + free_from, 0, end - free_from);
      store::StoreFiller(contents + free_from, end - free_from);
    }
    at += bytes;
  }
  return sweep;
}

}  // namespace tenure::dbtool
