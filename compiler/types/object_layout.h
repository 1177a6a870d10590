// All of an object type at once, with what it inherits, and a memory for layouts. Each takes time
// linear in the depth of the type and in what it has, so that types may be extended as often as the
// programmer likes.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/types/layout.h"

namespace tenure::compiler {

// While there is one, where fields are is computed once for each type. All types that are asked for
// must be complete, with revelations resolved, stay as they are, and outlive it. One thread.
class KeptLayouts {
 public:
  KeptLayouts();
  ~KeptLayouts();
  KeptLayouts(const KeptLayouts&) = delete;
  KeptLayouts& operator=(const KeptLayouts&) = delete;
};

// The type and its supertypes with revelations seen through, the one without a supertype first.
std::vector<const ObjectType*> AncestryOf(const ObjectType* object);

// Whether objects of the type are never saved: it, or a supertype, is marked <*TRANSIENT*>, or
// stands for something that ends with the process.
bool IsNeverSaved(const ObjectType* object);
// Whether it is so without a mark (language.md 27.4).
bool IsTransientByNature(const ObjectType* object);

struct PlacedField {
  const ObjectType* owner = nullptr;
  size_t index = 0;  // among the owner's fields
  FieldPlace place;
};
// Every field, in the order of their places.
std::vector<PlacedField> FieldsOf(const ObjectType* object);

// By method slot, with overrides applied; null: NIL.
std::vector<Procedure*> MethodSuiteOf(const ObjectType* object);

}  // namespace tenure::compiler
