// Mneme's call interface (Moss 1990, 3.1): a handle for an object, and routines that check the
// handle and all arguments and copy the data in and out. A program never sees an object itself.
#pragma once

#include <cstdint>

#include "lab/mneme/mneme_file.h"

namespace tenure::lab::mneme {

// A handle of one object, until it is used for another. Only the routines set it.
class Handle {
 private:
  friend struct HandleAccess;
  uint64_t seal_ = 0;
  ObjectId id_;
  Object* object_ = nullptr;
};

// For this function and all below, false means, without an effect: the handle names no object, or
// the object does not have all the items.
bool OpenHandle(ObjectId id, Handle* handle);
bool CreateByHandle(MnemeFile& file, uint32_t slots, uint32_t bytes, Handle* handle, ObjectId* id);
bool GetSizes(const Handle& handle, uint32_t* slots, uint32_t* bytes);
bool GetSlots(const Handle& handle, uint32_t first, uint32_t count, Slot* to);
bool PutSlots(MnemeFile& file, const Handle& handle, uint32_t first, uint32_t count,
              const Slot* from);
bool GetBytes(const Handle& handle, uint32_t first, uint32_t count, uint8_t* to);
bool PutBytes(MnemeFile& file, const Handle& handle, uint32_t first, uint32_t count,
              const uint8_t* from);

}  // namespace tenure::lab::mneme
