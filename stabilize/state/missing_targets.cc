#include "stabilize/state/missing_targets.h"

#include <sys/mman.h>

#include "base/address_limit.h"

namespace tenure::stabilize {

MissingTargets::~MissingTargets() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

Result<abi::Ref> MissingTargets::AddressFor(Database& from, uint64_t number, Status why) {
  if (base_ == nullptr) {
    const size_t bytes = WithinAddressLimit(size_t{1} << 36, 64, kStride);
    void* range =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
      return Status(StatusCode::kNoMemory, "no addresses are left for missing objects");
    }
    base_ = static_cast<char*>(range);
    bytes_ = bytes;
  }
  const auto [it, fresh] = index_.insert({{&from, number}, targets_.size()});
  if (fresh) {
    if ((targets_.size() + 1) * kStride > bytes_) {
      index_.erase(it);
      return Status(StatusCode::kNoMemory, "no addresses are left for missing objects");
    }
    targets_.push_back({&from, number, why});
  }
  targets_[it->second].why = why;
  return base_ + it->second * kStride + abi::kHeaderBytes;
}

const MissingTargets::Target* MissingTargets::At(const void* address) const {
  const size_t index = static_cast<size_t>(static_cast<const char*>(address) - base_) / kStride;
  return index < targets_.size() ? &targets_[index] : nullptr;
}

}  // namespace tenure::stabilize
