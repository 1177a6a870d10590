// References between databases (design.md section 5, "Between databases").
//
// Stored, such a reference is the number of an entry in the import table of its database: the other
// one's uuid, a hint where its store is, and a number in the other's export table, which leads to
// the object and is never reused. In memory it is an address like any other. A database that is
// referred to and not open is opened, by the hint, when a page with a reference to it is decoded.
// What cannot be had (no such store, another uuid, no such export) gets an address of its own, in a
// range without access, where every touch is answered with the reason; encoded, it is the same
// entry again.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stabilize/state/database.h"

namespace tenure::stabilize {

class Session;

// Addresses of objects that cannot be had.
class MissingTargets {
 public:
  struct Target {
    Database* from = nullptr;
    uint64_t number = 0;  // of the entry in its import table
    Status why;
  };

  MissingTargets() = default;
  ~MissingTargets();
  MissingTargets(const MissingTargets&) = delete;
  MissingTargets& operator=(const MissingTargets&) = delete;

  bool Contains(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) < bytes_;
  }
  // The address that stands for the entry; the same at every call.
  Result<abi::Ref> AddressFor(Database& from, uint64_t number, Status why);
  // Null behind those that were handed out.
  const Target* At(const void* address) const;

 private:
  // An object's field is found to be its own up to this offset.
  static constexpr size_t kStride = abi::kPageBytes;

  char* base_ = nullptr;
  size_t bytes_ = 0;
  std::vector<Target> targets_;
  std::map<std::pair<const Database*, uint64_t>, size_t> index_;
};

// The session's answers.
class SessionReferences final : public CrossReferences {
 public:
  explicit SessionReferences(Session& session) : session_(session) {}

  Result<abi::Ref> ToMemory(Database& from, uint64_t number, bool* outward) override;
  uint64_t ImportOf(Database& from, abi::Ref object) override;

 private:
  // The open database that the entry names, opened if need be.
  Result<Database*> Find(Database& from, const ImportEntry& entry);

  Session& session_;
};

}  // namespace tenure::stabilize
