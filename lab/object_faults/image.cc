#include "lab/object_faults/image.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>

#include "lab/support/fail.h"
#include "lab/support/measure.h"

namespace tenure::lab::object_faults {

using mneme::MnemeFile;
using mneme::Object;

namespace {

// A bit in a word of known_: the address is that of a block.
constexpr uint32_t kIsBlock = 1;

// The first of two classes is that of fault blocks, the second that of indirect blocks.
const Class* BlockClasses(Detection detection);

uint32_t AddressOf(const void* place) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place));
}

}  // namespace

std::string_view NameOf(Granule granule) {
  switch (granule) {
    case Granule::kObject: return "OBJ";
    case Granule::kLogical: return "LSEG";
    case Granule::kPhysical: return "PSEG";
  }
  return "";
}

// --- the traps ---

struct PageTraps {
  static Image* image;
  static struct sigaction before;

  static void Install(Image* of) {
    if (image != nullptr) Fail("there is an image with protected pages already");
    image = of;
    struct sigaction action = {};
    action.sa_sigaction = Handle;
    // A fault may lead to another trap only by a mistake, which must not be handled.
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSEGV, &action, &before) != 0) Fail("cannot handle SIGSEGV");
  }
  static void Remove() {
    image = nullptr;
    (void)sigaction(SIGSEGV, &before, nullptr);
  }

  // The load of a receiver's class has trapped: the receiver becomes the object, and the load is
  // done again (Hosking & Moss 1993, 4.1.2).
  static void Handle(int, siginfo_t* info, void* context) {
    auto* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    auto* const block = static_cast<Block*>(info->si_addr);
    const auto page = reinterpret_cast<uintptr_t>(block) / Image::kPageBytes;
    const bool ours = page < image->page_of_address_.size() && image->page_of_address_[page] != 0 &&
                      registers[REG_RDI] == reinterpret_cast<greg_t>(block);
    if (!ours) {
      (void)sigaction(SIGSEGV, &before, nullptr);  // done again, it ends the program
      return;
    }
    ++image->counters_.traps;
    image->Open(image->PageOf(block));
    const bool absent = block->of == AddressOf(BlockClasses(Detection::kPages));
    Resident* const object = absent ? image->FaultAt(block) : image->Follow(block);
    image->CloseOpenPages();
    registers[REG_RDI] = reinterpret_cast<greg_t>(object);
  }
};

Image* PageTraps::image = nullptr;
struct sigaction PageTraps::before;

// --- the image ---

Image::Image(MnemeFile& file, const Policy& policy)
    : file_(file), policy_(policy), known_(1 << ObjectId::kLogicalBits) {
  if (policy.detection == Detection::kPages) PageTraps::Install(this);
}

Image::~Image() {
  if (policy_.detection == Detection::kPages) PageTraps::Remove();
  for (const BlockPage& page : pages_) {
    (void)mprotect(page.first, kPageBytes, PROT_READ | PROT_WRITE);
  }
}

uint32_t& Image::Known(ObjectId id) {
  std::unique_ptr<uint32_t[]>& list = known_[id.logical()];
  if (list == nullptr) list = std::make_unique<uint32_t[]>(1 << ObjectId::kObjectBits);
  return list[id.object()];
}

Image::BlockPage& Image::PageOf(const Block* block) {
  return pages_[page_of_address_[reinterpret_cast<uintptr_t>(block) / kPageBytes] - 1];
}

void Image::Open(BlockPage& page) {
  if (page.open) return;
  page.open = true;
  ++counters_.protections;
  open_pages_.push_back(static_cast<uint32_t>(&page - pages_.data()));
  (void)mprotect(page.first, kPageBytes, PROT_READ | PROT_WRITE);
}

void Image::CloseOpenPages() {
  for (const uint32_t index : open_pages_) {
    pages_[index].open = false;
    ++counters_.protections;
    (void)mprotect(pages_[index].first, kPageBytes, PROT_NONE);
  }
  open_pages_.clear();
}

Block* Image::BlockFor(ObjectId id) {
  uint32_t& known = Known(id);
  if (known != 0) return reinterpret_cast<Block*>(uintptr_t{known & ~kIsBlock});
  if (pages_.empty() || pages_.back().used == kBlocksInPage) {
    BlockPage page;
    page.first = static_cast<Block*>(block_memory_.Allocate(kPageBytes, kPageBytes));
    const size_t number = reinterpret_cast<uintptr_t>(page.first) / kPageBytes;
    if (page_of_address_.size() <= number) page_of_address_.resize(number + 1);
    pages_.push_back(std::move(page));
    page_of_address_[number] = static_cast<uint32_t>(pages_.size());
    if (policy_.detection == Detection::kPages) {
      open_pages_.push_back(static_cast<uint32_t>(pages_.size() - 1));
    }
  }
  BlockPage& page = pages_.back();
  if (policy_.detection == Detection::kPages) Open(page);
  Block* const block = page.first + page.used++;
  *block = {AddressOf(BlockClasses(policy_.detection)), id.bits()};
  ++counters_.blocks;
  known = AddressOf(block) | kIsBlock;
  return block;
}

Resident* Image::Copy(ObjectId id) {
  const Object* const stored = MnemeFile::Locate(id);
  const uint32_t fields = stored->slot_count();
  const size_t bytes = (stored->byte_count() + 3) / 4 * 4;
  auto* const object = static_cast<Resident*>(
      objects_.Allocate(sizeof(Resident) + fields * sizeof(Slot) + bytes, 8));
  object->of = AddressOf(ClassesFor(policy_.detection) + stored->attributes());
  object->id = id.bits();
  std::memcpy(object->fields, stored->slots(), fields * sizeof(Slot) + bytes);
  uint32_t& known = Known(id);
  if ((known & kIsBlock) != 0) {
    auto* const block = reinterpret_cast<Block*>(uintptr_t{known & ~kIsBlock});
    if (policy_.detection == Detection::kPages) Open(PageOf(block));
    *block = {AddressOf(BlockClasses(policy_.detection) + 1), AddressOf(object)};
  }
  known = AddressOf(object);
  ++counters_.resident;
  fresh_.push_back({object, fields});
  return object;
}

void Image::Swizzle(Resident* object, uint32_t fields) {
  for (uint32_t i = 0; i < fields; ++i) {
    Slot& field = object->fields[i];
    if (!mneme::IsReference(field)) continue;
    const ObjectId id = ObjectId::FromSlot(field);
    const uint32_t known = Known(id);
    if (known != 0 && (known & kIsBlock) == 0) {
      field = known | mneme::kReferenceBit;
    } else if (policy_.detection == Detection::kTagged) {
      field = TaggedSlot(id);
    } else if (policy_.detection == Detection::kNone || all_resident_) {
      Fail("a reference leads to an object that is not resident");
    } else {
      Block* const block = BlockFor(id);
      field = AddressSlot(block);
      PageOf(block).remembered.push_back(&field);
    }
  }
}

// All objects of the granule are copied first, so that references within it become addresses.
Resident* Image::MakeResident(ObjectId id) {
  (void)MnemeFile::Locate(id);
  uint32_t first = id.logical(), count = 1;
  if (policy_.granule == Granule::kPhysical) file_.SegmentAround(id.logical(), &first, &count);
  fresh_.clear();
  if (policy_.granule == Granule::kObject) {
    (void)Copy(id);
  } else {
    for (uint32_t logical = first; logical < first + count; ++logical) {
      const uint32_t objects = file_.ObjectsIn(logical);
      for (uint32_t i = 0; i < objects; ++i) {
        const ObjectId near(id.file(), logical, i);
        const uint32_t known = Known(near);
        if (known == 0 || (known & kIsBlock) != 0) (void)Copy(near);
      }
    }
  }
  for (const Fresh& fresh : fresh_) Swizzle(fresh.object, fresh.fields);
  return reinterpret_cast<Resident*>(uintptr_t{Known(id)});
}

bool Image::IsIndirect(Slot field) const {
  const size_t number = (field & ~mneme::kReferenceBit) / kPageBytes;
  if (number >= page_of_address_.size() || page_of_address_[number] == 0) return false;
  // The page is open: only those are looked at whose blocks are.
  return reinterpret_cast<const Block*>(uintptr_t{field & ~mneme::kReferenceBit})->of ==
         AddressOf(BlockClasses(policy_.detection) + 1);
}

// Looks at all references of transient data, and at the references of objects that lead to blocks
// of this page.
void Image::BypassBlocks(BlockPage& page) {
  const auto bypass = [&](Slot& field) {
    ++counters_.scanned;
    const size_t number = (field & ~mneme::kReferenceBit) / kPageBytes;
    const bool to_block = number < page_of_address_.size() && page_of_address_[number] != 0;
    if (to_block && policy_.detection == Detection::kPages) {
      Open(pages_[page_of_address_[number] - 1]);
    }
    if (!IsIndirect(field)) return false;
    const auto* const block =
        reinterpret_cast<const Block*>(uintptr_t{field & ~mneme::kReferenceBit});
    field = block->target | mneme::kReferenceBit;
    ++counters_.bypassed;
    return true;
  };
  for (Slot& transient : transients_) (void)bypass(transient);
  std::erase_if(page.remembered, [&](Slot* field) { return bypass(*field); });
}

Resident* Image::FaultAt(Block* block) {
  const Stopwatch watch;
  const double reading = file_.counters().reading;
  ++counters_.faults;
  const size_t page = page_of_address_[reinterpret_cast<uintptr_t>(block) / kPageBytes] - 1;
  Resident* const object = MakeResident(ObjectId::FromBits(block->target));
  if (policy_.eliminate) BypassBlocks(pages_[page]);
  counters_.swizzling += watch.Read().elapsed - (file_.counters().reading - reading);
  return object;
}

// A fault of a granule larger than an object turns blocks of many pages into indirect blocks, and
// only the page of one of them is looked at then. So the first message to each of the others has
// its page looked at, too: without that, what hot programs pay would depend on where blocks lie.
Resident* Image::Follow(Block* block) {
  ++counters_.indirections;
  auto* const object = reinterpret_cast<Resident*>(uintptr_t{block->target});
  if (policy_.eliminate) BypassBlocks(PageOf(block));
  return object;
}

Resident* Image::Translate(Slot field) {
  ++counters_.translations;
  const ObjectId id = IdIn(field);
  const uint32_t known = Known(id);
  if (known != 0) return reinterpret_cast<Resident*>(uintptr_t{known});
  const Stopwatch watch;
  const double reading = file_.counters().reading;
  ++counters_.faults;
  Resident* const object = MakeResident(id);
  counters_.swizzling += watch.Read().elapsed - (file_.counters().reading - reading);
  return object;
}

void Image::LoadAll() {
  all_resident_ = true;
  fresh_.clear();
  for (uint32_t logical = 0; logical < file_.logical_segments(); ++logical) {
    (void)MnemeFile::Locate(ObjectId(file_.root().file(), logical, 0));
    const uint32_t objects = file_.ObjectsIn(logical);
    for (uint32_t i = 0; i < objects; ++i) (void)Copy(ObjectId(file_.root().file(), logical, i));
  }
  for (const Fresh& fresh : fresh_) Swizzle(fresh.object, fresh.fields);
}

Slot Image::Root() {
  if (transients_.empty()) {
    const ObjectId id = file_.root();
    const uint32_t known = Known(id);
    if (known != 0) {
      transients_.push_back(known | mneme::kReferenceBit);
    } else if (policy_.detection == Detection::kTagged) {
      transients_.push_back(TaggedSlot(id));
    } else {
      transients_.push_back(AddressSlot(BlockFor(id)));
      CloseOpenPages();
    }
  }
  return transients_[0];
}

// --- the classes ---

namespace {

// The procedure of OO1 that is called for each part.
__attribute__((noinline)) void NullProcedure(Image& image, uint32_t x, uint32_t y, Slot type) {
  image.seen += x + y;
  asm volatile("" : : "r"(type));
}

template <Detection kDetection>
struct Methods {
  static Slot NotUnderstood(Image&, Resident*, int64_t) {
    Fail("an object does not understand a message");
  }

  static Slot FindInLibrary(Image& image, Resident* self, int64_t key) {
    return image.Send<kDetection>(self->fields[LibrarySlots::kIndex], Message::kFind, key);
  }
  // The last entry whose key is at most `key`.
  static uint32_t EntryOf(const Resident* self, int64_t key) {
    uint32_t low = 0, high = self->fields[IndexSlots::kUsed];
    while (high - low > 1) {
      const uint32_t middle = (low + high) / 2;
      (int64_t{self->fields[IndexSlots::kKeys + middle]} <= key ? low : high) = middle;
    }
    return low;
  }
  static Slot FindInNode(Image& image, Resident* self, int64_t key) {
    return image.Send<kDetection>(self->fields[IndexSlots::kChildren + EntryOf(self, key)],
                                  Message::kFind, key);
  }
  static Slot FindInLeaf(Image&, Resident* self, int64_t key) {
    return self->fields[IndexSlots::kChildren + EntryOf(self, key)];
  }
  static Slot UsePart(Image& image, Resident* self, int64_t) {
    NullProcedure(image, self->fields[PartSlots::kX], self->fields[PartSlots::kY],
                  self->fields[PartSlots::kType]);
    return 0;
  }
  static Slot VisitPart(Image& image, Resident* self, int64_t hops) {
    (void)UsePart(image, self, 0);
    if (hops == 0) return 0;
    for (uint32_t i = 0; i < kConnections; ++i) {
      (void)image.Send<kDetection>(self->fields[PartSlots::kTo + i], Message::kVisit, hops - 1);
    }
    return 0;
  }

  // Fault blocks and indirect blocks understand every message: they pass it on.
  template <Message kMessage, bool kAbsent>
  static Slot PassOn(Image& image, Resident* self, int64_t argument) {
    auto* const block = reinterpret_cast<Block*>(self);
    Resident* const object = kAbsent ? image.FaultAt(block) : image.Follow(block);
    const auto* const its_class = reinterpret_cast<const Class*>(uintptr_t{object->of});
    return its_class->methods[static_cast<size_t>(kMessage)](image, object, argument);
  }

  static constexpr Class kNothing = {{NotUnderstood, NotUnderstood, NotUnderstood}};
  static constexpr Class kAll[kClasses] = {
      kNothing,
      {{FindInLibrary, NotUnderstood, NotUnderstood}},
      {{FindInNode, NotUnderstood, NotUnderstood}},
      {{FindInLeaf, NotUnderstood, NotUnderstood}},
      {{NotUnderstood, UsePart, VisitPart}},
      kNothing,
      kNothing,
  };
  static constexpr Class kBlocks[2] = {
      {{PassOn<Message::kFind, true>, PassOn<Message::kUse, true>, PassOn<Message::kVisit, true>}},
      {{PassOn<Message::kFind, false>, PassOn<Message::kUse, false>,
        PassOn<Message::kVisit, false>}},
  };
};

const Class* BlockClasses(Detection detection) {
  if (detection == Detection::kPages) return Methods<Detection::kPages>::kBlocks;
  return detection == Detection::kChecked ? kCheckedBlocks : Methods<Detection::kBlocks>::kBlocks;
}

}  // namespace

// No message gets to them.
const Class kCheckedBlocks[2] = {};

const Class* ClassesFor(Detection detection) {
  switch (detection) {
    case Detection::kNone: return Methods<Detection::kNone>::kAll;
    case Detection::kTagged: return Methods<Detection::kTagged>::kAll;
    case Detection::kBlocks: return Methods<Detection::kBlocks>::kAll;
    case Detection::kPages: return Methods<Detection::kPages>::kAll;
    case Detection::kChecked: return Methods<Detection::kChecked>::kAll;
  }
  return nullptr;
}

}  // namespace tenure::lab::object_faults
