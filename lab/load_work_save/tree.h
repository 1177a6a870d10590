// The binary trees of Moss' experiments, and the work on their nodes (Moss 1990, 6), written once
// for all ways to get at objects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/load_work_save/tagged_object.h"
#include "lab/mneme/call_interface.h"
#include "lab/support/fail.h"

namespace tenure::lab::load_work_save {

// A full binary tree. Inner nodes have two slots for their children; what else objects have varies.
struct Shape {
  int height = 0;                           // 0: the root is a leaf
  uint32_t node_slots = 0, node_bytes = 0;  // besides the children
  uint32_t leaf_slots = 0, leaf_bytes = 0;
  uint32_t leaf_references = 0;  // of the leaf's slots, those that refer to the leaf itself

  uint64_t objects() const { return (uint64_t{2} << height) - 1; }
  uint64_t leaves() const { return uint64_t{1} << height; }
  // With `more` slots before the others in each object. Headers and table entries count.
  uint64_t bytes(uint32_t more) const {
    const uint64_t nodes = objects() - leaves();
    return nodes * (4 + Object::SizeOf(more + 2 + node_slots, node_bytes)) +
           leaves() * (4 + Object::SizeOf(more + leaf_slots, leaf_bytes));
  }
  uint64_t slots(uint32_t more) const {
    const uint64_t nodes = objects() - leaves();
    return nodes * (more + 2 + node_slots) + leaves() * (more + leaf_slots);
  }
};

// How many items of an object a visit reads and updates. Past the object's end it begins anew.
struct Work {
  uint32_t read_slots = 0, read_bytes = 0, read_integers = 0;
  uint32_t update_slots = 0, update_bytes = 0, update_integers = 0;

  bool any() const {
    return (read_slots | read_bytes | read_integers | update_slots | update_bytes |
            update_integers) != 0;
  }
  bool updates() const { return (update_slots | update_bytes | update_integers) != 0; }
};

// How many items, from the first on, the initialization of an object sets.
struct Initialization {
  uint32_t slots = 0, bytes = 0, integers = 0;
};

// The result of reading, so that the compiler cannot leave reads out.
struct Sums {
  uint64_t empty_slots = 0, bytes = 0, integers = 0, visits = 0;
};

inline Sums sums;
inline uint32_t initial_counter = 0;

// The calculations of Moss' table in 6.2, on items that lie in memory, beginning anew past `size`.
class Items {
 public:
  static void ReadSlots(const Slot* slots, uint32_t size, uint32_t count) {
    ForEach(size, count, [&](uint32_t i) { sums.empty_slots += slots[i] == 0; });
  }
  static void ReadBytes(const uint8_t* bytes, uint32_t size, uint32_t count) {
    ForEach(size, count, [&](uint32_t i) { sums.bytes += bytes[i]; });
  }
  static void ReadIntegers(const uint8_t* bytes, uint32_t size, uint32_t count) {
    const auto* const integers = reinterpret_cast<const uint32_t*>(bytes);
    ForEach(size / 4, count, [&](uint32_t i) { sums.integers += integers[i]; });
  }
  // Even and odd neighbours change places.
  static void UpdateSlots(Slot* slots, uint32_t size, uint32_t count) {
    ForEach(size / 2, count / 2, [&](uint32_t i) { std::swap(slots[2 * i], slots[2 * i + 1]); });
  }
  static void UpdateBytes(uint8_t* bytes, uint32_t size, uint32_t count) {
    ForEach(size, count, [&](uint32_t i) { bytes[i] = static_cast<uint8_t>(-bytes[i]); });
  }
  static void UpdateIntegers(uint8_t* bytes, uint32_t size, uint32_t count) {
    auto* const integers = reinterpret_cast<uint32_t*>(bytes);
    ForEach(size / 4, count, [&](uint32_t i) { integers[i] = -integers[i]; });
  }
  static void InitializeSlots(Slot* slots, uint32_t count) {
    static const std::vector<Slot> values = [] {
      std::vector<Slot> made(mneme::kSlotsMax + 1);
      for (uint32_t i = 0; i < made.size(); ++i) made[i] = i + 1;
      return made;
    }();
    const Slot* from = values.data() + count;
    for (uint32_t i = 0; i < count; ++i) slots[i] = *--from;
  }
  static void InitializeBytes(uint8_t* bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(initial_counter++);
  }
  static void InitializeIntegers(uint8_t* bytes, uint32_t count) {
    auto* const integers = reinterpret_cast<uint32_t*>(bytes);
    for (uint32_t i = 0; i < count; ++i) integers[i] = initial_counter++;
  }

 private:
  // One item at a time, as an application's loops do: a compiler that turned them into vector
  // instructions would measure these.
  template <class Visit>
  static void ForEach(uint32_t size, uint32_t count, const Visit& visit) {
    if (size == 0) return;
    for (uint32_t i = 0, at = 0; i < count; ++i) {
      visit(at);
      if (++at == size) at = 0;
      asm volatile("" ::: "memory");
    }
  }
};

// Through a pointer: heap objects, swizzled ones, the pointer interface.
template <uint32_t kFirst>
void WorkOn(Object* object, const Work& work) {
  Slot* const slots = object->slots() + kFirst;
  const uint32_t slot_count = object->slot_count() - kFirst;
  uint8_t* const bytes = object->bytes();
  const uint32_t byte_count = object->byte_count();
  if (work.read_slots != 0) Items::ReadSlots(slots, slot_count, work.read_slots);
  if (work.read_bytes != 0) Items::ReadBytes(bytes, byte_count, work.read_bytes);
  if (work.read_integers != 0) Items::ReadIntegers(bytes, byte_count, work.read_integers);
  if (work.update_slots != 0) Items::UpdateSlots(slots, slot_count, work.update_slots);
  if (work.update_bytes != 0) Items::UpdateBytes(bytes, byte_count, work.update_bytes);
  if (work.update_integers != 0) Items::UpdateIntegers(bytes, byte_count, work.update_integers);
}

// Visits a node and those below it. Access has
//   Ref            a reference in a local variable
//   Begin(Ref)     the object, to be worked on
//   Child(object, i)
//   DoWork(object, work)
template <class Access>
void Traverse(Access& access, typename Access::Ref node, int height, const Work& work) {
  const typename Access::Begun object = access.Begin(node);
  ++sums.visits;
  if (work.any()) access.DoWork(object, work);
  if (height == 0) return;
  Traverse(access, access.Child(object, 0), height - 1, work);
  Traverse(access, access.Child(object, 1), height - 1, work);
}

// A program that knows nothing of persistence: addresses in slots, no slot for a tag.
class PlainAccess {
 public:
  static constexpr uint32_t kFirst = 0;
  using Ref = Object*;
  using Begun = Object*;
  static Object* Begin(Object* object) { return object; }
  static Object* Child(const Object* object, uint32_t i) {
    return mneme::AddressIn(object->slots()[kFirst + i]);
  }
  static void DoWork(Object* object, const Work& work) { WorkOn<kFirst>(object, work); }
};

// Objects that have been swizzled or made in the program's heap.
class SwizzledAccess {
 public:
  static constexpr uint32_t kFirst = 1;
  using Ref = Object*;
  using Begun = Object*;
  static Object* Begin(Object* object) { return object; }
  static Object* Child(const Object* object, uint32_t i) {
    return mneme::AddressIn(object->slots()[kFirst + i]);
  }
  static void DoWork(Object* object, const Work& work) {
    WorkOn<kFirst>(object, work);
    if (work.updates()) Tag::NoteChanged(object);
  }
};

// The same with the check of lazy swizzling before each use. Convert(object) swizzles it.
template <class Convert>
class CheckedAccess {
 public:
  using Ref = Object*;
  using Begun = Object*;
  explicit CheckedAccess(Convert convert) : convert_(convert) {}
  Object* Begin(Object* object) {
    if (Tag::StateOf(object) == State::kUnswizzled) [[unlikely]]
      convert_(object);
    return object;
  }
  static Object* Child(const Object* object, uint32_t i) {
    return SwizzledAccess::Child(object, i);
  }
  static void DoWork(Object* object, const Work& work) { SwizzledAccess::DoWork(object, work); }

 private:
  Convert convert_;
};

// Access in the store, through Mneme's pointer interface.
class PointerAccess {
 public:
  static constexpr uint32_t kFirst = 1;
  struct Begun {
    Object* object;
    ObjectId id;
  };
  using Ref = ObjectId;
  explicit PointerAccess(mneme::MnemeFile& file) : file_(file) {}
  static Begun Begin(ObjectId id) { return {mneme::MnemeFile::Locate(id), id}; }
  static ObjectId Child(const Begun& begun, uint32_t i) {
    return ObjectId::FromSlot(begun.object->slots()[kFirst + i]);
  }
  void DoWork(const Begun& begun, const Work& work) {
    WorkOn<kFirst>(begun.object, work);
    if (work.updates()) file_.NoteChanged(begun.id);
  }

 private:
  mneme::MnemeFile& file_;
};

// Access in the store, through Mneme's call interface: items are copied out, and back.
class CallAccess {
 public:
  static constexpr uint32_t kFirst = 1;
  using Ref = ObjectId;
  using Begun = mneme::Handle;
  explicit CallAccess(mneme::MnemeFile& file) : file_(file) {}
  static Begun Begin(ObjectId id) {
    mneme::Handle handle;
    Demand(mneme::OpenHandle(id, &handle));
    return handle;
  }
  static ObjectId Child(const Begun& handle, uint32_t i) {
    Slot slot = 0;
    Demand(mneme::GetSlots(handle, kFirst + i, 1, &slot));
    return ObjectId::FromSlot(slot);
  }
  void DoWork(const Begun& handle, const Work& work) {
    uint32_t slot_count = 0, byte_count = 0;
    Demand(mneme::GetSizes(handle, &slot_count, &byte_count));
    slot_count -= kFirst;
    if ((work.read_slots | work.update_slots) != 0) {
      const uint32_t count = std::min(slot_count, std::max(work.read_slots, work.update_slots));
      Demand(mneme::GetSlots(handle, kFirst, count, slots_));
      if (work.read_slots != 0) Items::ReadSlots(slots_, count, work.read_slots);
      if (work.update_slots != 0) {
        Items::UpdateSlots(slots_, count, work.update_slots);
        Demand(mneme::PutSlots(file_, handle, kFirst, count, slots_));
      }
    }
    const uint32_t wanted = std::max(
        {work.read_bytes, work.update_bytes, 4 * work.read_integers, 4 * work.update_integers});
    if (wanted == 0) return;
    const uint32_t count = std::min(byte_count, wanted);
    Demand(mneme::GetBytes(handle, 0, count, bytes_));
    if (work.read_bytes != 0) Items::ReadBytes(bytes_, count, work.read_bytes);
    if (work.read_integers != 0) Items::ReadIntegers(bytes_, count, work.read_integers);
    if (work.update_bytes != 0) Items::UpdateBytes(bytes_, count, work.update_bytes);
    if (work.update_integers != 0) Items::UpdateIntegers(bytes_, count, work.update_integers);
    if (work.updates()) Demand(mneme::PutBytes(file_, handle, 0, count, bytes_));
  }
  static void Demand(bool done) {
    if (!done) Fail("Mneme's call interface refuses a call");
  }

 private:
  mneme::MnemeFile& file_;
  Slot slots_[mneme::kSlotsMax + 1];
  alignas(4) uint8_t bytes_[mneme::kBytesMax + 1];
};

// Builds a tree from its leaves. Maker has
//   Ref
//   Make(slots, bytes, initialization, children, own_references)   children: two, or null
template <class Maker>
typename Maker::Ref Build(Maker& maker, const Shape& shape, int height,
                          const Initialization& of_leaves) {
  if (height == 0) {
    return maker.Make(shape.leaf_slots, shape.leaf_bytes, of_leaves, nullptr,
                      shape.leaf_references);
  }
  const typename Maker::Ref children[2] = {Build(maker, shape, height - 1, of_leaves),
                                           Build(maker, shape, height - 1, of_leaves)};
  return maker.Make(shape.node_slots, shape.node_bytes, {}, children, 0);
}

// Sets the first items of an object whose own slots begin at `at`; `itself` is a reference to it.
inline void Initialize(Object* object, Slot* at, const Initialization& initialization,
                       uint32_t own_references, Slot itself) {
  if (initialization.slots != 0) Items::InitializeSlots(at, initialization.slots);
  for (uint32_t i = 0; i < own_references; ++i) at[i] = itself;
  if (initialization.bytes != 0) Items::InitializeBytes(object->bytes(), initialization.bytes);
  if (initialization.integers != 0) {
    Items::InitializeIntegers(object->bytes(), initialization.integers);
  }
}

// Objects in the program's heap, with a tag if kTagged.
template <bool kTagged>
class HeapMaker {
 public:
  using Ref = Object*;
  explicit HeapMaker(LowArena& heap) : heap_(heap) {}

  Object* Make(uint32_t slots, uint32_t bytes, const Initialization& initialization,
               const Ref* children, uint32_t own_references) {
    const uint32_t before = (kTagged ? 1 : 0) + (children != nullptr ? 2 : 0);
    auto* const object =
        static_cast<Object*>(heap_.Allocate(Object::SizeOf(before + slots, bytes), 4));
    object->SetHeader(before + slots, bytes);
    Slot* at = object->slots();
    if (kTagged) *at++ = Tag::Make(State::kNew, ObjectId());
    for (uint32_t i = 0; children != nullptr && i < 2; ++i) *at++ = mneme::SlotOf(children[i]);
    // Conversions look at every slot.
    if (kTagged) std::fill(at + initialization.slots, at + slots, Slot{0});
    Initialize(object, at, initialization, own_references, mneme::SlotOf(object));
    return object;
  }

 private:
  LowArena& heap_;
};

// Objects in the store, through the pointer interface.
class PointerMaker {
 public:
  using Ref = ObjectId;
  explicit PointerMaker(mneme::MnemeFile& file) : file_(file) {}

  ObjectId Make(uint32_t slots, uint32_t bytes, const Initialization& initialization,
                const Ref* children, uint32_t own_references) {
    const uint32_t before = 1 + (children != nullptr ? 2 : 0);
    ObjectId id;
    Object* const object = file_.Create(before + slots, bytes, 0, &id);
    Slot* at = object->slots();
    *at++ = Tag::Make(State::kUnswizzled, id);
    for (uint32_t i = 0; children != nullptr && i < 2; ++i) *at++ = children[i].slot();
    Initialize(object, at, initialization, own_references, id.slot());
    return id;
  }

 private:
  mneme::MnemeFile& file_;
};

// The same through the call interface.
class CallMaker {
 public:
  using Ref = ObjectId;
  explicit CallMaker(mneme::MnemeFile& file) : file_(file) {}

  ObjectId Make(uint32_t slots, uint32_t bytes, const Initialization& initialization,
                const Ref* children, uint32_t own_references) {
    const uint32_t before = 1 + (children != nullptr ? 2 : 0);
    ObjectId id;
    mneme::Handle handle;
    CallAccess::Demand(mneme::CreateByHandle(file_, before + slots, bytes, &handle, &id));
    Slot* at = slots_;
    *at++ = Tag::Make(State::kUnswizzled, id);
    for (uint32_t i = 0; children != nullptr && i < 2; ++i) *at++ = children[i].slot();
    if (initialization.slots != 0) Items::InitializeSlots(at, initialization.slots);
    for (uint32_t i = 0; i < own_references; ++i) at[i] = id.slot();
    CallAccess::Demand(mneme::PutSlots(
        file_, handle, 0, before + std::max(initialization.slots, own_references), slots_));
    if (initialization.bytes != 0) {
      Items::InitializeBytes(bytes_, initialization.bytes);
      CallAccess::Demand(mneme::PutBytes(file_, handle, 0, initialization.bytes, bytes_));
    }
    if (initialization.integers != 0) {
      Items::InitializeIntegers(bytes_, initialization.integers);
      CallAccess::Demand(mneme::PutBytes(file_, handle, 0, 4 * initialization.integers, bytes_));
    }
    return id;
  }

 private:
  mneme::MnemeFile& file_;
  Slot slots_[mneme::kSlotsMax + 1];
  alignas(4) uint8_t bytes_[mneme::kBytesMax + 1];
};

}  // namespace tenure::lab::load_work_save
