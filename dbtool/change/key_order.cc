#include "dbtool/change/key_order.h"

#include <algorithm>

#include "dbtool/values/views.h"

namespace tenure::dbtool {

namespace {

class KeyFinder {
 public:
  explicit KeyFinder(const StoredTypes& types) : types_(types) {}

  std::vector<KeyField> Run() {
    const Views views = Views::OfLibrary();
    for (const StoredType& type : types_.all()) {
      const View* const view = type.procedure.empty() ? views.For(type) : nullptr;
      if (view != nullptr) Look(type, *view);
    }
    return std::move(found_);
  }

 private:
  void Look(const StoredType& container, const View& view) {
    switch (view.form) {
      case ViewForm::kSlots: Add(container, Referents(container, view.Field("slots")), view); break;
      case ViewForm::kTree: Add(container, Referents(container, view.Field("root")), view); break;
      case ViewForm::kBPlusTree:
        for (const StoredType* node : Referents(container, view.Field("root"))) {
          for (const char* role : {"items", "branches"}) {
            Add(container, Referents(*node, view.Field(role)), view);
          }
        }
        break;
      case ViewForm::kArray:
        // The order of a priority queue is that of a field of its elements.
        for (const StoredType* array : Referents(container, view.Field("elements"))) {
          for (const StoredType* element : Referents(*array, "")) {
            if (FieldNamed(*element, "priority") != nullptr) {
              found_.push_back({&container, element, "priority"});
            }
          }
        }
        break;
      default: break;
    }
  }

  void Add(const StoredType& container, const std::vector<const StoredType*>& holders,
           const View& view) {
    for (const StoredType* holder : holders) {
      found_.push_back({&container, holder, view.Field("key")});
    }
  }

  std::vector<const StoredType*> Referents(const StoredType& type, const std::string& name) const {
    return TypesReferredTo(types_, type, name);
  }

  const StoredTypes& types_;
  std::vector<KeyField> found_;
};

}  // namespace

std::vector<const StoredType*> TypesReferredTo(const StoredTypes& types, const StoredType& type,
                                               const std::string& field) {
  std::vector<const StoredType*> referents;
  const StoredField* const found = FieldNamed(type, field);
  if (found == nullptr) return referents;
  for (const StoredType& other : types.all()) {
    const bool fits =
        other.procedure.empty() &&
        std::ranges::any_of(found->refers, [&](const store::TypeName& declared) {
          return declared.name != "REFANY" && declared.name != "ROOT" && other.IsA(declared);
        });
    if (fits) referents.push_back(&other);
  }
  return referents;
}

std::vector<KeyField> KeyFields(const StoredTypes& types) { return KeyFinder(types).Run(); }

}  // namespace tenure::dbtool
