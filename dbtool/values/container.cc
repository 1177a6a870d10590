#include "dbtool/values/container.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// The brand of the keys in the brand of one of the library's containers, behind the pattern.
std::string_view KeyBrand(const View& view, std::string_view brand) {
  brand.remove_prefix(std::min(brand.size(), view.brand.size() - 1));
  return brand.substr(0, brand.find(' '));
}

}  // namespace

Result<Datum> OpenArrayIn(Values& values, const ObjectPtr& object) {
  const StoredType& type = object->type();
  if (!type.open()) return Datum();
  const ObjectShape& shape = values.ShapeOf(type);
  if (shape.element == nullptr) return Datum();
  ValueTypePtr array = shape.element;
  for (uint64_t i = type.open_dimensions; i > 0; --i) {
    TN_ASSIGN_OR_RETURN(const uint64_t length, object->Length(i - 1));
    array = ArrayOf(length, std::move(array));
  }
  Datum value;
  value.kind = DatumKind::kArray;
  value.type = std::move(array);
  value.at = object;
  value.bit_offset = 8 * type.elements_at();
  return value;
}

std::unique_ptr<Container> Container::Of(Values& values, const Views& views,
                                         const ObjectPtr& object) {
  std::unique_ptr<Container> container(new Container(values, views, object));
  const StoredType& type = object->type();
  if (values.ShapeOf(type).is_text) return nullptr;
  if (type.open()) {
    const Result<Datum> array = OpenArrayIn(values, object);
    if (!array.ok() || array->none()) return nullptr;
    container->elements_ = *array;
    container->size_ = array->type->count();
    return container;
  }
  bool exact = false;
  const View* const view = views.For(type, &exact);
  if (view == nullptr || view->form == ViewForm::kValue) return nullptr;
  container->view_ = view;
  container->subtype_ = !exact;
  container->ordered_ = view->ordered;
  if (view->library && exact) {
    const std::string_view key = KeyBrand(*view, type.brand);
    const auto is_one_of = [&](std::initializer_list<std::string_view> brands) {
      return std::ranges::find(brands, key) != brands.end();
    };
    const bool tree = view->form == ViewForm::kTree || view->form == ViewForm::kBPlusTree;
    container->ordered_ =
        tree && is_one_of({"Integer", "Longint", "Int32", "Int64", "Text-2.0", "Real", "LongReal",
                           "Extended", "Char", "WideChar", "Boolean"});
    container->hashed_ = !tree && is_one_of({"Integer", "Text-2.0"});
  }
  if (view->form == ViewForm::kOf) {
    const Result<ObjectPtr> of = container->ObjectIn(object, view->Field("of"));
    if (!of.ok()) return nullptr;
    if (*of == nullptr) return container;
    // A view of a view of itself shows nothing.
    if ((*of)->at() == object->at()) return nullptr;
    const View* const below = views.For((*of)->type());
    if (below != nullptr && below->form == ViewForm::kOf) return nullptr;
    container->of_ = Of(values, views, *of);
    if (container->of_ == nullptr) return nullptr;
    container->ordered_ = container->of_->ordered_;
  }
  if (view->form == ViewForm::kRing || view->form == ViewForm::kArray) {
    const Result<Datum> elements = container->ArrayIn(object, view->Field("elements"));
    if (!elements.ok()) return nullptr;
    container->elements_ = *elements;
    const uint64_t room = elements->none() ? 0 : elements->type->count();
    container->first_ = view->from < 0 ? 0 : std::min<uint64_t>(view->from, room);
    container->size_ = room - container->first_;
    if (view->form == ViewForm::kRing) {
      const Result<int64_t> start = container->NumberIn(object, view->Field("start"));
      if (!start.ok() || *start < 0) return nullptr;
      container->first_ = room == 0 ? 0 : static_cast<uint64_t>(*start) % room;
      container->size_ = room;
    }
    if (!view->Field("size").empty()) {
      const Result<int64_t> size = container->NumberIn(object, view->Field("size"));
      if (!size.ok() || *size < 0) return nullptr;
      container->size_ = std::min<uint64_t>(container->size_, static_cast<uint64_t>(*size));
    }
  }
  return container;
}

Status Container::Damaged(const LoadedObject& object, const std::string& what) {
  return store::Failure(StatusCode::kCorrupt,
                        object.type().name + " at " + Show(object.at()) + ": " + what,
                        static_cast<int64_t>(object.at().page().number));
}

bool Container::keyed() const {
  if (view_ == nullptr) return false;
  switch (view_->form) {
    case ViewForm::kSlots:
    case ViewForm::kChains:
    case ViewForm::kTree:
    case ViewForm::kBPlusTree: return true;
    case ViewForm::kOf: return of_ != nullptr && of_->keyed();
    default: return false;
  }
}

bool Container::hashed() const {
  if (view_ == nullptr) return false;
  if (view_->form == ViewForm::kOf) return of_ != nullptr && of_->hashed();
  return view_->form == ViewForm::kSlots || view_->form == ViewForm::kChains;
}

bool Container::has_values() const {
  if (!keyed()) return true;
  if (view_->form == ViewForm::kOf) return !view_->keys_only && of_->has_values();
  return !view_->Field("value").empty();
}

Result<Datum> Container::FieldOf(const ObjectPtr& object, const std::string& name) {
  const bool above = subtype_ && object == object_;
  TN_ASSIGN_OR_RETURN(const std::optional<Datum> field, values_.Field(object, name, above));
  if (!field) return Damaged(*object, "has no field " + name);
  return *field;
}

Result<int64_t> Container::NumberIn(const ObjectPtr& object, const std::string& name) {
  TN_ASSIGN_OR_RETURN(const Datum field, FieldOf(object, name));
  return static_cast<int64_t>(field.number);
}

Result<ObjectPtr> Container::ObjectIn(const ObjectPtr& object, const std::string& name) {
  TN_ASSIGN_OR_RETURN(const Datum field, FieldOf(object, name));
  if (field.kind != DatumKind::kReference) return ObjectPtr();
  return values_.source().Load(field.reference);
}

Result<Datum> Container::ArrayIn(const ObjectPtr& object, const std::string& name) {
  TN_ASSIGN_OR_RETURN(const ObjectPtr array, ObjectIn(object, name));
  if (array == nullptr) return Datum();
  TN_ASSIGN_OR_RETURN(const Datum open, OpenArrayIn(values_, array));
  if (!open.none()) return open;
  // REF ARRAY [0..9] OF ...
  TN_ASSIGN_OR_RETURN(const std::optional<Datum> fixed, values_.Field(array, ""));
  if (fixed && fixed->kind == DatumKind::kArray) return *fixed;
  return Damaged(*array, "is not an array");
}

Result<Entry> Container::EntryOf(const Datum& record) {
  Entry entry;
  if (record.kind != DatumKind::kRecord) {
    return store::Failure(StatusCode::kCorrupt,
                          "entries of " + Show(object_->at()) + " are not records");
  }
  const auto take = [&](const std::string& name, Datum* part) -> Status {
    if (name.empty()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(std::optional<Datum> field, values_.FieldOf(record, name));
    if (!field) return Damaged(*record.at, "entries have no field " + name);
    *part = *std::move(field);
    return Status::Ok();
  };
  TN_RETURN_IF_ERROR(take(view_->Field("key"), &entry.key));
  TN_RETURN_IF_ERROR(take(view_->Field("value"), &entry.value));
  return entry;
}

Result<Entry> Container::EntryOfNode(const ObjectPtr& node) {
  Entry entry;
  if (const std::string& key = view_->Field("key"); !key.empty()) {
    TN_ASSIGN_OR_RETURN(entry.key, FieldOf(node, key));
  }
  if (const std::string& value = view_->Field("value"); !value.empty()) {
    TN_ASSIGN_OR_RETURN(entry.value, FieldOf(node, value));
  }
  return entry;
}

Result<int> Container::PlaceOf(const KeyRange& range, const Datum& key) {
  if (!range.from && !range.to) return 0;
  TN_ASSIGN_OR_RETURN(const Datum resolved, values_.Resolve(key));
  // The library orders NaN behind all numbers.
  if (resolved.kind == DatumKind::kReal && std::isnan(resolved.real)) return 1;
  if (range.from) {
    const std::optional<int> order = CompareData(resolved, *range.from);
    if (!order || *order < 0 || (*order == 0 && range.from_open)) return -1;
  }
  if (range.to) {
    const std::optional<int> order = CompareData(resolved, *range.to);
    if (!order || *order > 0 || (*order == 0 && range.to_open)) return 1;
  }
  return 0;
}

Status Container::Inside(const KeyRange& range, const Entry& entry, bool* inside) {
  TN_ASSIGN_OR_RETURN(const int place, PlaceOf(range, entry.key));
  *inside = place == 0;
  return Status::Ok();
}

// Damage is reported and left out; other failures end the iteration.
Status Container::Report(const Status& status) {
  if (status.code() != StatusCode::kCorrupt && status.code() != StatusCode::kNotFound) {
    return status;
  }
  problem(status);
  return Status::Ok();
}

Result<uint64_t> Container::Size() {
  if (view_ == nullptr || view_->form == ViewForm::kRing || view_->form == ViewForm::kArray) {
    return size_;
  }
  if (view_->form == ViewForm::kOf) return of_ == nullptr ? uint64_t{0} : of_->Size();
  if (const std::string& size = view_->Field("size"); !size.empty()) {
    TN_ASSIGN_OR_RETURN(const int64_t number, NumberIn(object_, size));
    return static_cast<uint64_t>(std::max<int64_t>(number, 0));
  }
  uint64_t count = 0;
  TN_RETURN_IF_ERROR(ForEach({}, [&](const Entry&) {
    ++count;
    return true;
  }));
  return count;
}

Status Container::ForEach(const KeyRange& range, const std::function<bool(const Entry&)>& visit) {
  if (view_ == nullptr) return VisitPlaces(range, visit);
  switch (view_->form) {
    case ViewForm::kSlots: return VisitSlots(range, visit);
    case ViewForm::kChains: return VisitChains(range, visit);
    case ViewForm::kTree: return VisitTree(range, visit);
    case ViewForm::kBPlusTree: return VisitBPlusTree(range, visit);
    case ViewForm::kList: return VisitList(range, visit);
    case ViewForm::kRing:
    case ViewForm::kArray: return VisitPlaces(range, visit);
    case ViewForm::kOf:
      if (of_ == nullptr) return Status::Ok();
      of_->problem = problem;
      if (!view_->keys_only) return of_->ForEach(range, visit);
      return of_->ForEach(
          range, [&](const Entry& entry) { return visit({entry.key, Datum(), entry.slot}); });
    case ViewForm::kValue: break;
  }
  return Status::Ok();
}

Status Container::VisitPlaces(const KeyRange& range,
                              const std::function<bool(const Entry&)>& visit) {
  if (size_ == 0) return Status::Ok();
  uint64_t first = 0, last = size_ - 1;
  if (range.from) first = static_cast<uint64_t>(std::clamp<__int128>(range.from->number, 0, size_));
  if (range.to) {
    if (range.to->number < 0) return Status::Ok();
    last = static_cast<uint64_t>(std::min<__int128>(range.to->number, last));
  }
  for (uint64_t i = first; i <= last && i < size_; ++i) {
    Result<std::optional<Entry>> entry = At(i);
    if (!entry.ok()) {
      TN_RETURN_IF_ERROR(Report(entry.status()));
      continue;
    }
    if (*entry && !visit(**entry)) break;
  }
  return Status::Ok();
}

Result<std::optional<Entry>> Container::At(uint64_t place) {
  if (view_ != nullptr && view_->form == ViewForm::kOf) {
    if (of_ == nullptr) return std::optional<Entry>();
    return of_->At(place);
  }
  if (view_ != nullptr && view_->form == ViewForm::kList) {
    std::optional<Entry> found;
    uint64_t at = 0;
    TN_RETURN_IF_ERROR(VisitList({}, [&](const Entry& entry) {
      if (at++ == place) found = entry;
      return !found;
    }));
    return found;
  }
  if (place >= size_) return std::optional<Entry>();
  uint64_t at = first_ + place;
  if (view_ != nullptr && view_->form == ViewForm::kRing) at %= elements_.type->count();
  TN_ASSIGN_OR_RETURN(Datum value, values_.Element(elements_, at));
  Entry entry;
  entry.value = std::move(value);
  entry.place = place;
  return std::optional<Entry>(std::move(entry));
}

Result<std::optional<Entry>> Container::Find(const Datum& key) {
  if (view_ != nullptr && view_->form == ViewForm::kOf && of_ != nullptr) {
    TN_ASSIGN_OR_RETURN(std::optional<Entry> found, of_->Find(key));
    if (found && view_->keys_only) found->value = Datum();
    return found;
  }
  std::optional<Entry> found;
  Status damage;
  const auto told = std::exchange(problem, [&](const Status& status) { damage = status; });
  const Status read = ForEach({key, key, false, false}, [&](const Entry& entry) {
    found = entry;
    return false;
  });
  problem = told;
  TN_RETURN_IF_ERROR(read);
  if (!found) TN_RETURN_IF_ERROR(damage);
  return found;
}

}  // namespace tenure::dbtool
