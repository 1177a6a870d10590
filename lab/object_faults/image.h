// The objects of a Mneme file in a program's memory: copies, and stand-ins for absent ones (Hosking
// & Moss 1993, 3 and 4). A program only sends messages to objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lab/mneme/mneme_file.h"
#include "lab/object_faults/parts.h"
#include "lab/support/low_memory.h"

namespace tenure::lab::object_faults {

using mneme::ObjectId;
using mneme::Slot;

// How a program finds out that an object is not resident.
enum class Detection : uint8_t {
  kNone,     // not at all: all objects are resident
  kTagged,   // ID: edge marking; a field holds a tagged identifier, and keeps it
  kBlocks,   // FB: node marking; a field leads to a fault block, which answers every message by a
             // fault
  kPages,    // PF: the same, with the blocks in protected pages
  kChecked,  // FC: the same as kBlocks, but a check in line comes before each message
};

// How many objects are made resident by one fault.
enum class Granule : uint8_t { kObject, kLogical, kPhysical };

std::string_view NameOf(Granule granule);

// The messages that an object of the class answers.
enum class Message : uint8_t { kFind, kUse, kVisit };
inline constexpr uint32_t kMessages = 3;

class Image;
struct Resident;
using Method = Slot (*)(Image& image, Resident* self, int64_t argument);

struct Class {
  Method methods[kMessages];
};

// The classes of fault blocks and of indirect blocks, in this order.
extern const Class kCheckedBlocks[2];

// An object in memory. Its fields are the slots of the stored object; a reference among them is the
// address of a Resident or of a Block, or a tagged identifier.
struct Resident {
  uint32_t of;  // the address of its Class: the program lies below 4 GB
  uint32_t id;
  Slot fields[];
};

// Stands for an object. A message finds its class where that of an object would be. Once the object
// has become resident the block is an *indirect block*.
struct Block {
  uint32_t of;      // the class of fault blocks, or of indirect blocks
  uint32_t target;  // the object's identifier; of an indirect block its address
};

// A tagged identifier in a field. Addresses are even.
constexpr Slot TaggedSlot(ObjectId id) { return mneme::kReferenceBit | id.bits() << 1 | 1; }
constexpr bool IsTagged(Slot field) { return (field & 1) != 0; }
constexpr ObjectId IdIn(Slot field) {
  return ObjectId::FromBits((field & ~mneme::kReferenceBit) >> 1);
}
inline Resident* ResidentIn(Slot field) {
  return reinterpret_cast<Resident*>(uintptr_t{field & ~mneme::kReferenceBit});
}
template <class T>
Slot AddressSlot(const T* place) {
  return static_cast<Slot>(reinterpret_cast<uintptr_t>(place)) | mneme::kReferenceBit;
}

struct ImageCounters {
  uint64_t faults = 0;        // objects that were needed and not resident
  uint64_t resident = 0;      // objects that have become resident
  uint64_t translations = 0;  // of tagged identifiers
  uint64_t indirections = 0;  // messages that came to an indirect block
  uint64_t traps = 0;         // of protected pages
  uint64_t protections = 0;   // changes of a page's protection
  uint64_t blocks = 0;        // that were made
  uint64_t scanned = 0;       // fields that were looked at in order to bypass blocks
  uint64_t bypassed = 0;      // of these, those that led to an indirect block
  double swizzling = 0;       // elapsed microseconds in faults, without reading segments
};

class Image {
 public:
  struct Policy {
    Detection detection = Detection::kNone;
    Granule granule = Granule::kObject;
    bool eliminate = true;  // FB, PF: bypass indirect blocks at each fault; false is "FB-lazy"
  };

  // At most one image with protected pages exists at a time.
  Image(mneme::MnemeFile& file, const Policy& policy);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  // Makes every object resident. All references are addresses then.
  void LoadAll();
  // The file's root object. The reference is transient data, which faults look at.
  Slot Root();

  // The answer of the object to the message. In code of a policy's own: each detection finds out in
  // its own way that the receiver is not resident.
  template <Detection kDetection>
  Slot Send(Slot receiver, Message message, int64_t argument);

  const ImageCounters& counters() const { return counters_; }
  const mneme::FileCounters& file_counters() const { return file_.counters(); }
  // The values read from the fields of parts: the same in all policies.
  uint64_t seen = 0;

  // For classes.
  Resident* Translate(Slot field);
  Resident* FaultAt(Block* block);
  Resident* Follow(Block* block);

 private:
  friend struct PageTraps;
  // A page of blocks, and the fields that were made to lead to them.
  struct BlockPage {
    Block* first = nullptr;
    uint32_t used = 0;
    bool open = true;  // kPages: not protected
    std::vector<Slot*> remembered;
  };
  static constexpr uint32_t kPageBytes = 4096, kBlocksInPage = kPageBytes / sizeof(Block);

  // The representation of an object in memory: a Resident, or a Block whose lowest bit is set here.
  uint32_t& Known(ObjectId id);
  Resident* MakeResident(ObjectId id);
  Resident* Copy(ObjectId id);
  void Swizzle(Resident* object, uint32_t fields);
  Block* BlockFor(ObjectId id);
  BlockPage& PageOf(const Block* block);
  void Open(BlockPage& page);
  void CloseOpenPages();
  void BypassBlocks(BlockPage& page);
  bool IsIndirect(Slot field) const;

  mneme::MnemeFile& file_;
  const Policy policy_;
  LowArena objects_, block_memory_;
  std::vector<std::unique_ptr<uint32_t[]>> known_;  // by logical segment
  std::vector<BlockPage> pages_;
  std::vector<uint32_t> page_of_address_;  // by page number: index in pages_
  std::vector<uint32_t> open_pages_;
  struct Fresh {
    Resident* object;
    uint32_t fields;
  };
  std::vector<Fresh> fresh_;
  std::vector<Slot> transients_;
  bool all_resident_ = false;
  ImageCounters counters_;
};

// The class's number in the file -> the class, with methods for this detection.
template <Detection kDetection>
const Class* ClassesOf();
const Class* ClassesFor(Detection detection);

// Loads the receiver's class and calls the method: what every dispatch does. With kPages the load
// may trap; then the receiver is another object when it is done again.
template <Detection kDetection>
inline Slot Image::Send(Slot receiver, Message message, int64_t argument) {
  Resident* object = nullptr;
  if constexpr (kDetection == Detection::kTagged) {
    object = IsTagged(receiver) ? Translate(receiver) : ResidentIn(receiver);
  } else {
    object = ResidentIn(receiver);
  }
  uint32_t of = 0;
  if constexpr (kDetection == Detection::kPages) {
    // The handler knows the receiver's register.
    asm volatile("movl (%%rdi), %0" : "=a"(of), "+D"(object) : : "memory");
  } else {
    of = object->of;
  }
  if constexpr (kDetection == Detection::kChecked) {
    const auto blocks = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(kCheckedBlocks));
    if (of - blocks < sizeof kCheckedBlocks) [[unlikely]] {
      auto* const block = reinterpret_cast<Block*>(object);
      object = of == blocks ? FaultAt(block) : Follow(block);
      of = object->of;
    }
  }
  const auto* const its_class = reinterpret_cast<const Class*>(uintptr_t{of});
  return its_class->methods[static_cast<size_t>(message)](*this, object, argument);
}

}  // namespace tenure::lab::object_faults
