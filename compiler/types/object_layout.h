// The whole layout of an object type, with inherited members, and a cache of layouts. Each takes
// time linear in the depth of the type and in the number of its members, so long chains of subtypes
// are cheap.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/types/layout.h"

namespace tenure::compiler {

// While a KeptLayouts exists, the places of fields are computed once per type. All types that are
// asked for must be complete, with revelations resolved, must not change, and must outlive it. One
// thread.
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
// stands for a resource that ends with the process.
bool IsNeverSaved(const ObjectType* object);
// Whether it is never saved without a mark (language.md 27.4).
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
