// Addresses that stand for objects of other databases that are not available: each one lies in a
// range without access, so a touch traps and is answered with the reason.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/result.h"
#include "stabilize/frames/store_names.h"

namespace tenure::stabilize {

class Database;

// With the session's lock.
class MissingTargets {
 public:
  struct Target {
    Database* from = nullptr;
    uint64_t number = 0;  // of the entry in the import table of `from`
    Status why;
  };

  MissingTargets() = default;
  ~MissingTargets();
  MissingTargets(const MissingTargets&) = delete;
  MissingTargets& operator=(const MissingTargets&) = delete;

  bool Contains(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) < bytes_;
  }
  // The address that stands for the entry; every call gives the same one. kNoMemory.
  Result<abi::Ref> AddressFor(Database& from, uint64_t number, Status why);
  // The target of an address in the range; null for an address that AddressFor has not given yet.
  const Target* At(const void* address) const;

 private:
  // Fields of an object with an offset below this are recognised as fields of that object.
  static constexpr size_t kStride = abi::kPageBytes;

  char* base_ = nullptr;
  size_t bytes_ = 0;
  std::vector<Target> targets_;
  std::map<std::pair<const Database*, uint64_t>, size_t> index_;
};

}  // namespace tenure::stabilize
