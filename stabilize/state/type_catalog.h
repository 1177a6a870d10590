// The types of a store and the types of this program (design.md section 5, "Types").
//
// The store's type table maps a small integer to a description: fingerprint, names, brand and
// layout. An entry stands for the type of the program that has its fingerprint, else its brand, or
// its name if it has no brand. If that differs in what a reader relies on (TypeDifference; methods
// may differ: code is not stored) objects of that entry cannot be read by this program.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/type_descriptor.h"
#include "base/result.h"
#include "stabilize/frames/store_names.h"
#include "store/format/slot_types.h"
#include "store/format/type_description.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

// The program's types, for look-up. Owns nothing.
using ProgramTypes = std::span<const abi::TypeDescriptor* const>;

// A flag beside abi::TypeFlags: the descriptor stands for a stored type that the program lacks.
// Only the length of its objects is known; they stay as they are stored, and no reference leads to
// them.
inline constexpr uint32_t kTypeUnknown = 1u << 31;

// With the session's lock.
class TypeCatalog {
 public:
  explicit TypeCatalog(ProgramTypes types);

  // Reads the store's table. Called once when the store is opened.
  Status Load(PageServer& server);

  // Loads the table again after the store was opened anew. Entries that no commit made durable may
  // be gone, and their indexes may be those of other entries.
  Status Reload(PageServer& server);

  // Reads the table again when it does not reach to `index` here (0: always). kCorrupt: there is no
  // such entry.
  Status Refresh(PageServer& server, uint32_t index);

  // The program's type for a stored index. kTypeMismatch, with both layouts in words, when the
  // program has no such type; kCorrupt when the store has no such entry.
  Result<const abi::TypeDescriptor*> TypeOf(uint32_t index);
  // In the place of the type of an entry for which TypeOf answers kTypeMismatch: a descriptor of
  // the object's length, valid as long as the catalog. Null: MakeUnknown has not made it, the entry
  // does not tell the length, or the process has no more descriptors.
  const abi::TypeDescriptor* Unknown(uint32_t index) const {
    return index == 0 || index > entries_.size() ? nullptr : entries_[index - 1].unknown;
  }
  const abi::TypeDescriptor* MakeUnknown(uint32_t index);
  // The index for a type of the program, made in the store when there is none.
  Result<uint32_t> IndexOf(PageServer& server, const abi::TypeDescriptor& type);
  // The same when it is known that there is one.
  uint32_t KnownIndexOf(const abi::TypeDescriptor& type) const {
    auto& [cached, index] = recent_[reinterpret_cast<uintptr_t>(&type) / 32 % recent_.size()];
    if (cached != &type) {
      index = index_of_.at(&type);
      cached = &type;
    }
    return index;
  }
  // For a type of the program. Valid as long as the catalog.
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type);
  // The name and signature in a procedure's entry ("Module.Proc SIGNATURE"); empty if the entry is
  // not a procedure's.
  std::string ProcedureName(PageServer& server, uint32_t index);

 private:
  struct FreeUnknown {
    void operator()(abi::TypeDescriptor* type) const;
  };
  struct Entry {
    std::string description;
    const abi::TypeDescriptor* type = nullptr;     // null: no match, or not looked for yet
    bool matched = false;                          // whether it was tried
    const abi::TypeDescriptor* unknown = nullptr;  // in unknown_
  };
  Status Match(Entry& entry);

  ProgramTypes types_;
  TypeKeys keys_;               // in the order of types_
  std::vector<Entry> entries_;  // by index - 1
  std::unordered_map<const abi::TypeDescriptor*, uint32_t> index_of_;
  std::unordered_map<const abi::TypeDescriptor*, std::unique_ptr<const SlotTypes>> slot_types_;
  // Pages in memory refer to them, also after a Reload.
  std::vector<std::unique_ptr<abi::TypeDescriptor, FreeUnknown>> unknown_;
  // The last results of index_of_: encoding asks for every object.
  mutable std::array<std::pair<const abi::TypeDescriptor*, uint32_t>, 64> recent_{};
};

}  // namespace tenure::stabilize
