#include "lab/mneme/call_interface.h"

#include <cstring>

namespace tenure::lab::mneme {

struct HandleAccess {
  static constexpr uint64_t kSeal = 0x68616e646c65ull;
  static bool Valid(const Handle& handle) {
    return handle.seal_ == kSeal && handle.object_ != nullptr;
  }
  static void Set(Handle* handle, ObjectId id, Object* object) {
    handle->seal_ = kSeal;
    handle->id_ = id;
    handle->object_ = object;
  }
  static Object* ObjectOf(const Handle& handle) { return handle.object_; }
  static ObjectId IdOf(const Handle& handle) { return handle.id_; }
};

namespace {

bool Holds(uint32_t size, uint32_t first, uint32_t count) {
  return first <= size && count <= size - first;
}

}  // namespace

bool OpenHandle(ObjectId id, Handle* handle) {
  if (id == ObjectId()) return false;
  HandleAccess::Set(handle, id, MnemeFile::Locate(id));
  return true;
}

bool CreateByHandle(MnemeFile& file, uint32_t slots, uint32_t bytes, Handle* handle, ObjectId* id) {
  if (slots > kSlotsMax || bytes > kBytesMax) return false;
  Object* const object = file.Create(slots, bytes, 0, id);
  HandleAccess::Set(handle, *id, object);
  return true;
}

bool GetSizes(const Handle& handle, uint32_t* slots, uint32_t* bytes) {
  if (!HandleAccess::Valid(handle)) return false;
  *slots = HandleAccess::ObjectOf(handle)->slot_count();
  *bytes = HandleAccess::ObjectOf(handle)->byte_count();
  return true;
}

bool GetSlots(const Handle& handle, uint32_t first, uint32_t count, Slot* to) {
  if (!HandleAccess::Valid(handle)) return false;
  const Object* const object = HandleAccess::ObjectOf(handle);
  if (!Holds(object->slot_count(), first, count)) return false;
  std::memcpy(to, object->slots() + first, count * sizeof(Slot));
  return true;
}

bool PutSlots(MnemeFile& file, const Handle& handle, uint32_t first, uint32_t count,
              const Slot* from) {
  if (!HandleAccess::Valid(handle)) return false;
  Object* const object = HandleAccess::ObjectOf(handle);
  if (!Holds(object->slot_count(), first, count)) return false;
  std::memcpy(object->slots() + first, from, count * sizeof(Slot));
  file.NoteChanged(HandleAccess::IdOf(handle));
  return true;
}

bool GetBytes(const Handle& handle, uint32_t first, uint32_t count, uint8_t* to) {
  if (!HandleAccess::Valid(handle)) return false;
  const Object* const object = HandleAccess::ObjectOf(handle);
  if (!Holds(object->byte_count(), first, count)) return false;
  std::memcpy(to, object->bytes() + first, count);
  return true;
}

bool PutBytes(MnemeFile& file, const Handle& handle, uint32_t first, uint32_t count,
              const uint8_t* from) {
  if (!HandleAccess::Valid(handle)) return false;
  Object* const object = HandleAccess::ObjectOf(handle);
  if (!Holds(object->byte_count(), first, count)) return false;
  std::memcpy(object->bytes() + first, from, count);
  file.NoteChanged(HandleAccess::IdOf(handle));
  return true;
}

}  // namespace tenure::lab::mneme
