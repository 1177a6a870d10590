#include "lab/load_work_save/conversion.h"

#include <cstring>
#include <unordered_map>

#include "lab/load_work_save/tree.h"

namespace tenure::lab::load_work_save {

using mneme::AddressIn;
using mneme::MnemeFile;
using mneme::SlotOf;

namespace {

// A bit of the tag, beside state and identifier: Prepare has met the object.
constexpr Slot kMet = Slot{1} << 30;
static_assert(Tag::kStateShift + 2 <= 30);

bool Met(const Object* object) { return (object->slots()[0] & kMet) != 0; }

}  // namespace

std::string_view NameOf(Scheme scheme) {
  switch (scheme) {
    case Scheme::kInPlace: return "IP";
    case Scheme::kTable: return "T";
    case Scheme::kCopyPointer: return "C";
    case Scheme::kCopyCall: return "C-call";
  }
  return "";
}

void Conversion::FillCopy(Object* copy, ObjectId id) {
  if (scheme_ == Scheme::kCopyPointer) {
    std::memcpy(static_cast<void*>(copy), MnemeFile::Locate(id), copy->size());
    return;
  }
  mneme::Handle handle;
  CallAccess::Demand(mneme::OpenHandle(id, &handle));
  CallAccess::Demand(mneme::GetSlots(handle, 0, copy->slot_count(), copy->slots()));
  if (copy->byte_count() == 0) return;
  CallAccess::Demand(mneme::GetBytes(handle, 0, copy->byte_count(), copy->bytes()));
}

// Where the object is in this session. An object that is met for the first time is swizzled soon if
// `eager`; else when it is used.
Object* Conversion::AddressOf(ObjectId id, bool eager) {
  if (scheme_ == Scheme::kInPlace) {
    Object* const object = MnemeFile::Locate(id);
    if (eager && Tag::StateOf(object) == State::kUnswizzled) {
      Tag::Set(object, State::kUnmodified, id);
      pending_.push_back({object, id});
    }
    return object;
  }
  Object*& known = addresses_.At(id);
  if (known != nullptr) return known;
  if (scheme_ == Scheme::kTable) {
    known = MnemeFile::Locate(id);
    if (eager) Tag::Set(known, State::kUnmodified, id);
  } else {
    uint32_t slots = 0, bytes = 0;
    if (scheme_ == Scheme::kCopyPointer) {
      const Object* const original = MnemeFile::Locate(id);
      slots = original->slot_count();
      bytes = original->byte_count();
    } else {
      mneme::Handle handle;
      CallAccess::Demand(mneme::OpenHandle(id, &handle));
      CallAccess::Demand(mneme::GetSizes(handle, &slots, &bytes));
    }
    known = static_cast<Object*>(heap_.Allocate(Object::SizeOf(slots, bytes), 4));
    known->SetHeader(slots, bytes);
    Tag::Set(known, State::kUnswizzled, id);
  }
  if (eager) pending_.push_back({known, id});
  return known;
}

void Conversion::Swizzle(Object* object, bool eager) {
  Slot* const slots = object->slots();
  const uint32_t count = object->slot_count();
  uint64_t references = 0;
  for (uint32_t i = 1; i < count; ++i) {
    if (!mneme::IsReference(slots[i])) continue;
    slots[i] = SlotOf(AddressOf(ObjectId::FromSlot(slots[i]), eager));
    ++references;
  }
  counters_.references += references;
  ++counters_.objects;
}

Object* Conversion::LoadEagerly() {
  Object* const root = AddressOf(file_.root(), /*eager=*/true);
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    if (Copies(scheme_)) {
      FillCopy(next.object, next.id);
      Tag::Set(next.object, State::kUnmodified, next.id);
    }
    Swizzle(next.object, /*eager=*/true);
  }
  return root;
}

void Conversion::Convert(Object* object) {
  const ObjectId id = Tag::IdOf(object);
  if (Copies(scheme_)) FillCopy(object, id);
  Tag::Set(object, State::kUnmodified, id);
  Swizzle(object, /*eager=*/false);
}

ObjectId Conversion::Enqueue(Object* object) {
  const State state = Tag::StateOf(object);
  if (state == State::kUnswizzled || Met(object)) return Tag::IdOf(object);
  ObjectId id = Tag::IdOf(object);
  if (state == State::kNew) {
    if (scheme_ == Scheme::kCopyCall) {
      mneme::Handle handle;
      CallAccess::Demand(
          mneme::CreateByHandle(file_, object->slot_count(), object->byte_count(), &handle, &id));
    } else {
      (void)file_.Create(object->slot_count(), object->byte_count(), 0, &id);
    }
    Tag::Set(object, State::kNew, id);
  }
  object->slots()[0] |= kMet;
  to_prepare_.push_back(object);
  return id;
}

// Into the object of the store: the same slots with identifiers, the same bytes.
void Conversion::CopyBack(Object* from, ObjectId id) {
  const uint32_t count = from->slot_count();
  if (scheme_ != Scheme::kCopyCall) {
    Object* const to = MnemeFile::Locate(id);
    to->slots()[0] = Tag::Make(State::kUnswizzled, id);
    for (uint32_t i = 1; i < count; ++i) {
      const Slot slot = from->slots()[i];
      const bool reference = mneme::IsReference(slot);
      to->slots()[i] = reference ? Enqueue(AddressIn(slot)).slot() : slot;
      counters_.returned += reference;
    }
    std::memcpy(to->bytes(), from->bytes(), from->byte_count());
    file_.NoteChanged(id);
    return;
  }
  scratch_.resize(count);
  scratch_[0] = Tag::Make(State::kUnswizzled, id);
  for (uint32_t i = 1; i < count; ++i) {
    const Slot slot = from->slots()[i];
    const bool reference = mneme::IsReference(slot);
    scratch_[i] = reference ? Enqueue(AddressIn(slot)).slot() : slot;
    counters_.returned += reference;
  }
  mneme::Handle handle;
  CallAccess::Demand(mneme::OpenHandle(id, &handle));
  CallAccess::Demand(mneme::PutSlots(file_, handle, 0, count, scratch_.data()));
  if (from->byte_count() == 0) return;
  CallAccess::Demand(mneme::PutBytes(file_, handle, 0, from->byte_count(), from->bytes()));
}

void Conversion::PrepareOne(Object* object) {
  const State state = Tag::StateOf(object);
  const ObjectId id = Tag::IdOf(object);
  if (state == State::kNew) {
    ++counters_.prepared_new;
    return CopyBack(object, id);
  }
  ++(state == State::kModified ? counters_.prepared_modified : counters_.prepared_unmodified);
  if (Copies(scheme_) && state == State::kModified) return CopyBack(object, id);
  Slot* const slots = object->slots();
  const uint32_t count = object->slot_count();
  for (uint32_t i = 1; i < count; ++i) {
    if (!mneme::IsReference(slots[i])) continue;
    const ObjectId target = Enqueue(AddressIn(slots[i]));
    // A copy that has not changed stays as it is.
    if (Copies(scheme_)) continue;
    slots[i] = target.slot();
    ++counters_.returned;
  }
  if (Copies(scheme_)) return;
  if (state == State::kModified) file_.NoteChanged(id);
  // Others that are yet to be prepared still refer to the object by its address, and find the
  // identifier in its tag.
  Tag::Set(object, State::kUnswizzled, id);
}

void Conversion::Prepare(Object* root) {
  file_.set_root(Enqueue(root));
  while (!to_prepare_.empty()) {
    Object* const object = to_prepare_.back();
    to_prepare_.pop_back();
    PrepareOne(object);
  }
}

uint64_t Checksum(const MnemeFile& file) {
  uint64_t sum = 14695981039346656037ull;
  const auto add = [&](uint64_t value) { sum = (sum ^ value) * 1099511628211ull; };
  std::unordered_map<uint32_t, uint64_t> numbers;  // in the order in which objects are met
  std::vector<ObjectId> to_visit;
  const auto number_of = [&](ObjectId id) {
    const auto [at, made] = numbers.try_emplace(id.bits(), numbers.size() + 1);
    if (made) to_visit.push_back(id);
    return at->second;
  };
  if (file.root() == ObjectId()) return sum;
  add(number_of(file.root()));
  while (!to_visit.empty()) {
    const ObjectId id = to_visit.back();
    to_visit.pop_back();
    const Object* const object = MnemeFile::Locate(id);
    add(object->slot_count());
    add(object->byte_count());
    if (Tag::StateOf(object) != State::kUnswizzled || Tag::IdOf(object) != id) {
      Fail("a stored object is not marked as stored");
    }
    for (uint32_t i = 1; i < object->slot_count(); ++i) {
      const Slot slot = object->slots()[i];
      add(mneme::IsReference(slot) ? ~number_of(ObjectId::FromSlot(slot)) : slot);
    }
    for (uint32_t i = 0; i < object->byte_count(); ++i) add(object->bytes()[i]);
  }
  return sum;
}

}  // namespace tenure::lab::load_work_save
