// The static types of values, objects, and the elements of containers.
#include <algorithm>
#include <set>
#include <utility>

#include "dbtool/query/check.h"

namespace tenure::dbtool {

StaticType OfKind(StaticKind kind) {
  StaticType type;
  type.kind = kind;
  return type;
}

namespace {

// An enumeration with the elements of both: forms that one has had.
ValueTypePtr WithElementsOf(const ValueTypePtr& a, const ValueType& b) {
  if (a->names == b.names) return a;
  auto both = std::make_shared<ValueType>(*a);
  for (const std::string& name : b.names) {
    if (std::ranges::find(both->names, name) == both->names.end()) both->names.push_back(name);
  }
  both->text = "an enumeration";
  both->first = 0;
  both->last = static_cast<__int128>(both->names.size()) - 1;
  return both;
}

}  // namespace

StaticType Merged(const StaticType& a, const StaticType& b) {
  if (a.kind != b.kind) return {};
  StaticType merged = a;
  if (a.kind == StaticKind::kEnumeration) {
    merged.type = WithElementsOf(a.type, *b.type);
    return merged;
  }
  if (a.kind == StaticKind::kSet && a.type->index->kind == ValueKind::kEnumeration &&
      b.type->index->kind == ValueKind::kEnumeration) {
    auto set = std::make_shared<ValueType>(*a.type);
    set->index = WithElementsOf(a.type->index, *b.type->index);
    merged.type = std::move(set);
    return merged;
  }
  if (a.kind == StaticKind::kObject) {
    for (const StoredType* type : b.objects) {
      if (std::ranges::find(merged.objects, type) == merged.objects.end()) {
        merged.objects.push_back(type);
      }
    }
    return merged;
  }
  if ((a.type == nullptr) != (b.type == nullptr)) return {};
  if (a.type != nullptr && a.type->text != b.type->text &&
      (a.kind != StaticKind::kNumber && a.kind != StaticKind::kCharacter)) {
    return {};
  }
  return merged;
}

StaticType Checker::OfObjects(std::vector<const StoredType*> objects) const {
  StaticType type = OfKind(StaticKind::kObject);
  type.objects = std::move(objects);
  return type;
}

StaticType Checker::OfValue(const ValueTypePtr& type, const StoredField* field,
                            const ValueTypePtr& whole) const {
  StaticType result;
  result.type = type;
  result.field = field;
  result.whole = whole;
  switch (type->kind) {
    case ValueKind::kInteger:
    case ValueKind::kReal:
    case ValueKind::kLongReal: result.kind = StaticKind::kNumber; break;
    case ValueKind::kBoolean: result.kind = StaticKind::kBoolean; break;
    case ValueKind::kCharacter:
    case ValueKind::kWideCharacter: result.kind = StaticKind::kCharacter; break;
    case ValueKind::kEnumeration: result.kind = StaticKind::kEnumeration; break;
    case ValueKind::kSet: result.kind = StaticKind::kSet; break;
    case ValueKind::kArray: result.kind = StaticKind::kArray; break;
    case ValueKind::kRecord: result.kind = StaticKind::kRecord; break;
    case ValueKind::kProcedure: result.kind = StaticKind::kProcedure; break;
    case ValueKind::kUnknown: return {};
    case ValueKind::kReference: {
      if (type->text == "TEXT" || type->text == "Atom.T") return OfKind(StaticKind::kText);
      const store::TypeName* const referent =
          field == nullptr || whole == nullptr ? nullptr : ReferentOf(*field, *whole, type.get());
      // The type behind REFANY is known only when the value is read.
      if (referent == nullptr || referent->name == "REFANY" || referent->name == "ROOT") return {};
      std::vector<const StoredType*> objects;
      for (const StoredType& stored : values_.source().types().all()) {
        if (stored.procedure.empty() && stored.IsA(*referent)) objects.push_back(&stored);
      }
      return OfObjects(std::move(objects));
    }
  }
  return result;
}

std::vector<const StoredType*> Checker::TypesNamed(const Expr& expr) const {
  std::string name;
  if (expr.kind == ExprKind::kName) {
    name = expr.name;
  } else if (expr.kind == ExprKind::kLiteral && expr.literal.kind == DatumKind::kText) {
    name = expr.literal.text;
  } else if (expr.kind == ExprKind::kField && expr.parts[0]->kind == ExprKind::kName) {
    name = expr.parts[0]->name + "." + expr.name;
  } else {
    return {};
  }
  std::vector<const StoredType*> named;
  const auto add = [&](const auto& is_it) {
    for (const StoredType& type : values_.source().types().all()) {
      if (!type.procedure.empty()) continue;
      if (is_it(type.name) || std::ranges::any_of(type.supertypes, [&](const auto& above) {
            return is_it(above.name);
          })) {
        named.push_back(&type);
      }
    }
  };
  add([&](const std::string& full) { return full == name; });
  // Person for Main.Person, if there is only one.
  if (named.empty() && name.find('.') == std::string::npos) {
    std::set<std::string> full_names;
    for (const StoredType& type : values_.source().types().all()) {
      if (type.name.ends_with("." + name)) full_names.insert(type.name);
      for (const auto& above : type.supertypes) {
        if (above.name.ends_with("." + name)) full_names.insert(above.name);
      }
    }
    if (full_names.size() == 1) {
      add([&](const std::string& full) { return full == *full_names.begin(); });
    }
  }
  return named;
}

std::optional<StaticType> Checker::StaticOfDatum(const Datum& value) {
  switch (value.kind) {
    case DatumKind::kBoolean: return OfKind(StaticKind::kBoolean);
    case DatumKind::kInteger:
    case DatumKind::kReal: return OfKind(StaticKind::kNumber);
    case DatumKind::kText: return OfKind(StaticKind::kText);
    case DatumKind::kCharacter: return OfKind(StaticKind::kCharacter);
    case DatumKind::kEnumeration: {
      StaticType type = OfKind(StaticKind::kEnumeration);
      type.type = value.type;
      return type;
    }
    case DatumKind::kReference: {
      // The object itself says its type.
      const Result<ObjectPtr> object = values_.source().Load(value.reference);
      if (!object.ok()) return StaticType();
      if (values_.ShapeOf((*object)->type()).is_text) return OfKind(StaticKind::kText);
      return OfObjects({&(*object)->type()});
    }
    default: return StaticType();
  }
}

std::optional<StaticType> Checker::FieldOfObjects(const std::vector<const StoredType*>& objects,
                                                  const std::string& name, bool first) const {
  std::vector<const StoredType*> having;
  for (const StoredType* type : objects) {
    const bool has = type->procedure.empty() && !name.empty() &&
                     values_.ShapeOf(*type).Find(name, first) != nullptr;
    if (has) having.push_back(type);
  }
  // A field that only earlier forms of types have may have gone.
  const bool gone = std::ranges::all_of(
      having, [&](const StoredType* type) { return values_.living().IsEarlierForm(*type); });
  if (gone) having = values_.living().Of(std::move(having));
  std::optional<StaticType> result;
  for (const StoredType* type : having) {
    const ShapeField* const field = values_.ShapeOf(*type).Find(name, first);
    const StaticType found = OfValue(field->type, field->stored, field->type);
    result = result ? Merged(*result, found) : found;
  }
  return result;
}

std::optional<StaticType> Checker::EntriesOf(const StoredType& type, std::optional<StaticType>* key,
                                             int depth) {
  if (depth > 4 || values_.ShapeOf(type).is_text) return std::nullopt;
  const auto element_of_array = [&](const StoredType& array) -> std::optional<StaticType> {
    const ObjectShape& shape = values_.ShapeOf(array);
    if (array.open() && shape.element != nullptr) {
      if (array.open_dimensions > 1) return StaticType();
      return OfValue(shape.element, shape.stored_element, shape.element);
    }
    if (shape.fields.size() == 1 && shape.fields[0].name.empty() &&
        shape.fields[0].type->kind == ValueKind::kArray) {
      const ValueTypePtr& whole = shape.fields[0].type;
      return OfValue(whole->element, shape.fields[0].stored, whole);
    }
    return std::nullopt;
  };
  if (type.open()) return element_of_array(type);
  bool exact = false;
  const View* const view = views_.For(type, &exact);
  if (view == nullptr) return std::nullopt;
  // The types that the field of the role may lead to.
  const auto behind = [&](const std::vector<const StoredType*>& from,
                          const char* role) -> std::vector<const StoredType*> {
    const bool self = from.size() == 1 && from[0] == &type;
    const auto field = FieldOfObjects(from, view->Field(role), self && !exact);
    return field ? field->objects : std::vector<const StoredType*>();
  };
  // Types without brands are the same in all instances of a generic, and so may be the nodes of
  // trees with other keys: what they differ in is known only when it is read.
  const auto entry_of_record = [&](const std::vector<const StoredType*>& arrays) {
    std::optional<StaticType> value;
    for (const StoredType* array : arrays) {
      const auto record = element_of_array(*array);
      if (!record || record->kind != StaticKind::kRecord) continue;
      StaticType its_key, its_value;
      for (const ValueField& field : record->type->fields) {
        if (field.name == view->Field("key")) {
          its_key = OfValue(field.type, record->field, record->whole);
        }
        if (field.name == view->Field("value")) {
          its_value = OfValue(field.type, record->field, record->whole);
        }
      }
      if (view->Field("value").empty()) its_value = its_key;
      *key = value ? Merged(**key, its_key) : its_key;
      value = value ? Merged(*value, its_value) : its_value;
    }
    if (!value) *key = value = StaticType();
    return value;
  };
  const auto entry_of_node = [&](const std::vector<const StoredType*>& nodes) {
    if (const std::string& name = view->Field("key"); !name.empty()) {
      *key = FieldOfObjects(nodes, name).value_or(StaticType());
    }
    if (const std::string& name = view->Field("value"); !name.empty()) {
      return FieldOfObjects(nodes, name).value_or(StaticType());
    }
    return key->value_or(StaticType());
  };
  const std::vector<const StoredType*> self = {&type};
  switch (view->form) {
    case ViewForm::kSlots: return entry_of_record(behind(self, "slots"));
    case ViewForm::kBPlusTree: return entry_of_record(behind(behind(self, "root"), "items"));
    case ViewForm::kTree: return entry_of_node(behind(self, "root"));
    case ViewForm::kChains: {
      std::vector<const StoredType*> nodes;
      for (const StoredType* array : behind(self, "buckets")) {
        if (const auto node = element_of_array(*array)) nodes = node->objects;
      }
      return entry_of_node(nodes);
    }
    case ViewForm::kList:
      return entry_of_node(view->Field("first").empty() ? self : behind(self, "first"));
    case ViewForm::kRing:
    case ViewForm::kArray:
      for (const StoredType* array : behind(self, "elements")) return element_of_array(*array);
      return StaticType();
    case ViewForm::kOf:
      for (const StoredType* of : behind(self, "of")) {
        const auto value = EntriesOf(*of, key, depth + 1);
        return view->keys_only && *key ? *key : value;
      }
      return StaticType();
    case ViewForm::kValue: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<StaticType> Checker::ElementsOf(const StaticType& type,
                                              std::optional<StaticType>* key) {
  if (type.any()) return StaticType();
  if (type.kind == StaticKind::kArray) {
    return OfValue(type.type->element, type.field, type.whole);
  }
  if (type.kind == StaticKind::kSet) return OfValue(type.type->index, nullptr, nullptr);
  if (type.kind != StaticKind::kObject) return std::nullopt;
  std::optional<StaticType> result;
  for (const StoredType* object : type.objects) {
    std::optional<StaticType> its_key;
    const auto elements = EntriesOf(*object, &its_key, 0);
    if (!elements) continue;
    result = result ? Merged(*result, *elements) : *elements;
    if (its_key) *key = *key ? Merged(**key, *its_key) : *its_key;
  }
  return result;
}

}  // namespace tenure::dbtool
