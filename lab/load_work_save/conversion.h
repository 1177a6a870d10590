// How a session gets objects from the store into the form that it works on, and back (Moss
// 1990, 3.2).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lab/load_work_save/tagged_object.h"
#include "lab/mneme/call_interface.h"
#include "lab/support/low_memory.h"

namespace tenure::lab::load_work_save {

enum class Scheme : uint8_t {
  kInPlace,      // IP: slots are overwritten in the store's buffers; the store finds objects
  kTable,        // T: the same, but a table of the session's own finds objects
  kCopyPointer,  // C: copies in the program's heap, by the pointer interface
  kCopyCall,     // the same by the call interface
};
inline constexpr Scheme kSchemes[] = {Scheme::kInPlace, Scheme::kTable, Scheme::kCopyPointer,
                                      Scheme::kCopyCall};
std::string_view NameOf(Scheme scheme);
inline bool Copies(Scheme scheme) {
  return scheme == Scheme::kCopyPointer || scheme == Scheme::kCopyCall;
}

struct ConversionCounters {
  uint64_t objects = 0;     // swizzled
  uint64_t references = 0;  // that were converted to addresses
  uint64_t returned = 0;    // references that were converted back
  uint64_t prepared_new = 0, prepared_modified = 0, prepared_unmodified = 0;  // objects
};

// The address of each object in this session, by identifier.
class AddressTable {
 public:
  Object*& At(ObjectId id) {
    std::unique_ptr<Object*[]>& list = lists_[id.logical()];
    if (list == nullptr) list = std::make_unique<Object*[]>(1 << ObjectId::kObjectBits);
    return list[id.object()];
  }

 private:
  std::array<std::unique_ptr<Object*[]>, 1 << ObjectId::kLogicalBits> lists_;
};

// One session's. Objects of the file are its only ones, and reachable from its root.
class Conversion {
 public:
  // Copies and new objects lie in `heap`.
  Conversion(mneme::MnemeFile& file, Scheme scheme, LowArena& heap)
      : file_(file), scheme_(scheme), heap_(heap) {}

  // All objects that the root reaches, swizzled. Returns the root.
  Object* LoadEagerly();
  // The root, not swizzled yet. The user of an object in state kUnswizzled calls Convert.
  Object* LoadLazily() { return AddressOf(file_.root(), /*eager=*/false); }
  void Convert(Object* object);

  // Brings new and changed objects back into the store's buffers, as identifiers: the file's Save
  // writes them. Objects in the buffers are unswizzled. The session ends with this.
  void Prepare(Object* root);

  const ConversionCounters& counters() const { return counters_; }

 private:
  struct Pending {
    Object* object;
    ObjectId id;
  };
  Object* AddressOf(ObjectId id, bool eager);
  // Fills a copy from the object in the store.
  void FillCopy(Object* copy, ObjectId id);
  void Swizzle(Object* object, bool eager);
  // Has the object prepared, unless that is done or is not needed. Returns its identifier.
  ObjectId Enqueue(Object* object);
  void PrepareOne(Object* object);
  void CopyBack(Object* from, ObjectId id);

  mneme::MnemeFile& file_;
  const Scheme scheme_;
  LowArena& heap_;
  AddressTable addresses_;
  std::vector<Pending> pending_;
  std::vector<Object*> to_prepare_;
  std::vector<Slot> scratch_;
  ConversionCounters counters_;
};

// A sum over all objects that the root reaches: their slots, their bytes, and how they are
// connected. Equal graphs have the same sum, whatever their identifiers are.
uint64_t Checksum(const mneme::MnemeFile& file);

}  // namespace tenure::lab::load_work_save
