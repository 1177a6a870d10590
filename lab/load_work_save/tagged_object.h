// The slot that every object of a load/work/save session has before its own (Moss 1990, 3.2.3): the
// object's identifier and its state.
#pragma once

#include <cstdint>

#include "lab/mneme/object.h"

namespace tenure::lab::load_work_save {

using mneme::Object;
using mneme::ObjectId;
using mneme::Slot;

// As Moss encodes them (1990, footnote 5).
enum class State : uint32_t {
  kNew = 0,         // made in this session, not in the store
  kUnswizzled = 1,  // as it is stored: its slots hold identifiers
  kModified = 2,    // swizzled, and changed since
  kUnmodified = 3,  // swizzled
};

// Slot 0 of each object. Always a number, never a reference.
class Tag {
 public:
  static constexpr uint32_t kStateShift = ObjectId::kBits;

  static Slot Make(State state, ObjectId id) {
    return static_cast<Slot>(state) << kStateShift | id.bits();
  }
  static State StateOf(const Object* object) {
    return static_cast<State>(object->slots()[0] >> kStateShift & 3);
  }
  static ObjectId IdOf(const Object* object) {
    return ObjectId::FromBits(object->slots()[0] & ((Slot{1} << kStateShift) - 1));
  }
  static void Set(Object* object, State state, ObjectId id) {
    object->slots()[0] = Make(state, id);
  }
  // The cost that each store to a swizzled object adds.
  static void NoteChanged(Object* object) {
    if (StateOf(object) == State::kUnmodified) Set(object, State::kModified, IdOf(object));
  }
};

}  // namespace tenure::lab::load_work_save
