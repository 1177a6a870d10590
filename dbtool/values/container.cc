#include "dbtool/values/container.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

constexpr int kMostDepth = 200;  // of trees; deeper ones lead to themselves

Status Damaged(const LoadedObject& object, const std::string& what) {
  return store::Failure(StatusCode::kCorrupt,
                        object.type().name + " at " + Show(object.at()) + ": " + what,
                        static_cast<int64_t>(object.at().page().number));
}

// The brand of the keys in the brand of one of the library's containers, behind the pattern.
std::string_view KeyBrand(const View& view, std::string_view brand) {
  brand.remove_prefix(std::min(brand.size(), view.brand.size() - 1));
  return brand.substr(0, brand.find(' '));
}

bool IsAscii(const Datum& bound) {
  return std::ranges::all_of(bound.text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

// Texts that are not ASCII are stored in more than one way, in whose order they lie.
bool IsPlainBound(const std::optional<Datum>& bound) {
  return !bound || bound->kind != DatumKind::kText || IsAscii(*bound);
}

bool IsNumber(const Datum& value) {
  return value.kind == DatumKind::kInteger || value.kind == DatumKind::kReal ||
         value.kind == DatumKind::kBits;
}

double RealOf(const Datum& value) {
  return value.kind == DatumKind::kReal ? value.real : static_cast<double>(value.number);
}

}  // namespace

std::optional<int> CompareData(const Datum& a, const Datum& b) {
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (a.kind == DatumKind::kText && b.kind == DatumKind::kText) {
    return order(a.text.compare(b.text), 0);
  }
  if (IsNumber(a) && IsNumber(b)) {
    if (a.kind == DatumKind::kReal || b.kind == DatumKind::kReal) {
      const double x = RealOf(a), y = RealOf(b);
      if (x != x || y != y) return std::nullopt;
      return order(x, y);
    }
    return order(a.number, b.number);
  }
  if (a.kind == DatumKind::kCharacter && b.kind == DatumKind::kText) {
    return order(Utf8OfCodes(std::u16string(1, static_cast<char16_t>(a.number))).compare(b.text),
                 0);
  }
  if (a.kind == DatumKind::kText && b.kind == DatumKind::kCharacter) {
    const std::optional<int> other = CompareData(b, a);
    return other ? std::optional<int>(-*other) : std::nullopt;
  }
  if (a.kind == DatumKind::kEnumeration && b.kind == DatumKind::kEnumeration &&
      a.type->names != b.type->names) {
    return std::nullopt;
  }
  if (a.kind != b.kind) return std::nullopt;
  switch (a.kind) {
    case DatumKind::kBoolean:
    case DatumKind::kCharacter:
    case DatumKind::kEnumeration:
    case DatumKind::kProcedure:
    case DatumKind::kImport: return order(a.number, b.number);
    case DatumKind::kReference: return order(a.reference.bits, b.reference.bits);
    case DatumKind::kNone: return 0;
    default: return std::nullopt;
  }
}

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
  TN_ASSIGN_OR_RETURN(const std::optional<Datum> field, values_.Field(object, name));
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
  return Damaged(*array, "is no array");
}

Result<Entry> Container::EntryOf(const Datum& record) {
  Entry entry;
  if (record.kind != DatumKind::kRecord) {
    return store::Failure(StatusCode::kCorrupt,
                          "entries of " + Show(object_->at()) + " are no records");
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

// What is damaged is left out; other failures end the iteration.
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
  return std::optional<Entry>(Entry{Datum(), std::move(value)});
}

Status Container::VisitSlots(const KeyRange& range,
                             const std::function<bool(const Entry&)>& visit) {
  Result<Datum> slots = ArrayIn(object_, view_->Field("slots"));
  if (!slots.ok()) return Report(slots.status());
  if (slots->none()) return Status::Ok();
  const uint64_t count = slots->type->count();
  // Keys that share a damaged page are told of once.
  int64_t told = -1;
  for (uint64_t i = range.first_slot; i < count; ++i) {
    const auto take = [&]() -> Result<bool> {
      TN_ASSIGN_OR_RETURN(const Datum slot, values_.Element(*slots, i));
      if (slot.kind != DatumKind::kRecord) return Damaged(*slot.at, "slots are no records");
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> mark,
                          values_.FieldOf(slot, view_->Field("mark")));
      if (!mark) return Damaged(*slot.at, "slots have no field " + view_->Field("mark"));
      if (std::ranges::find(view_->unused, mark->number) != view_->unused.end()) return true;
      TN_ASSIGN_OR_RETURN(Entry entry, EntryOf(slot));
      entry.slot = i;
      bool inside = true;
      TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
      return !inside || visit(entry);
    };
    const Result<bool> more = take();
    if (!more.ok()) {
      if (more.status().number() != told || told <= 0) TN_RETURN_IF_ERROR(Report(more.status()));
      told = more.status().number();
      continue;
    }
    if (!*more) break;
  }
  return Status::Ok();
}

Status Container::VisitChains(const KeyRange& range,
                              const std::function<bool(const Entry&)>& visit) {
  Result<Datum> buckets = ArrayIn(object_, view_->Field("buckets"));
  if (!buckets.ok()) return Report(buckets.status());
  if (buckets->none()) return Status::Ok();
  std::unordered_set<uint64_t> seen;
  const uint64_t count = buckets->type->count();
  for (uint64_t i = range.first_slot; i < count; ++i) {
    const auto follow = [&]() -> Result<bool> {
      TN_ASSIGN_OR_RETURN(Datum next, values_.Element(*buckets, i));
      while (next.kind == DatumKind::kReference) {
        if (!seen.insert(next.reference.bits).second) {
          return Damaged(*object_, "a chain leads to itself");
        }
        TN_ASSIGN_OR_RETURN(const ObjectPtr node, values_.source().Load(next.reference));
        TN_ASSIGN_OR_RETURN(Entry entry, EntryOfNode(node));
        entry.slot = i;
        bool inside = true;
        TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
        if (inside && !visit(entry)) return false;
        TN_ASSIGN_OR_RETURN(next, FieldOf(node, view_->Field("next")));
      }
      return true;
    };
    const Result<bool> more = follow();
    if (!more.ok()) {
      TN_RETURN_IF_ERROR(Report(more.status()));
      continue;
    }
    if (!*more) break;
  }
  return Status::Ok();
}

Status Container::VisitList(const KeyRange& range, const std::function<bool(const Entry&)>& visit) {
  const auto follow = [&]() -> Status {
    ObjectPtr node = object_;
    if (const std::string& first = view_->Field("first"); !first.empty()) {
      TN_ASSIGN_OR_RETURN(node, ObjectIn(object_, first));
    }
    // A second walker at half the speed meets the first one in a circle.
    uint64_t at = 0;
    PersistentRef behind = node == nullptr ? PersistentRef() : node->at();
    while (node != nullptr) {
      if (range.to && static_cast<__int128>(at) > range.to->number) break;
      if (!range.from || static_cast<__int128>(at) >= range.from->number) {
        TN_ASSIGN_OR_RETURN(const Entry entry, EntryOfNode(node));
        if (!visit(entry)) break;
      }
      ++at;
      TN_ASSIGN_OR_RETURN(node, ObjectIn(node, view_->Field("next")));
      if (node == nullptr) break;
      if (node->at() == behind) return Damaged(*object_, "the list leads to itself");
      // Brent's way to find a circle.
      if ((at & (at - 1)) == 0) behind = node->at();
    }
    return Status::Ok();
  };
  return Report(follow());
}

struct Container::TreeWalk {
  const KeyRange& range;
  const std::function<bool(const Entry&)>& visit;
  const bool pruned;  // by the order of keys
  std::unordered_set<uint64_t> seen;
  bool ended = false;
};

Status Container::VisitTree(const KeyRange& range, const std::function<bool(const Entry&)>& visit) {
  TreeWalk walk{range, visit, ordered_ && IsPlainBound(range.from) && IsPlainBound(range.to), {}};
  Result<Datum> root = FieldOf(object_, view_->Field("root"));
  if (!root.ok()) return Report(root.status());
  return VisitNode(walk, *root, 0);
}

Status Container::VisitNode(TreeWalk& walk, const Datum& node, int depth) {
  if (walk.ended || node.kind != DatumKind::kReference) return Status::Ok();
  if (depth > 10 * kMostDepth || !walk.seen.insert(node.reference.bits).second) {
    return Report(Damaged(*object_, "the tree leads to itself"));
  }
  const Result<ObjectPtr> loaded = values_.source().Load(node.reference);
  if (!loaded.ok()) return Report(loaded.status());
  const ObjectPtr& object = *loaded;
  const Result<Entry> entry = EntryOfNode(object);
  const Result<Datum> left = FieldOf(object, view_->Field("left"));
  const Result<Datum> right = FieldOf(object, view_->Field("right"));
  if (!left.ok() || !right.ok()) return Report(left.ok() ? right.status() : left.status());
  const Result<int> place =
      entry.ok() ? PlaceOf(walk.range, entry->key) : Result<int>(entry.status());
  const int where = place.ok() ? *place : 0;
  const bool down = walk.range.descending;
  const bool first = !walk.pruned || (down ? where <= 0 : where >= 0);
  const bool second = !walk.pruned || (down ? where >= 0 : where <= 0);
  if (first) TN_RETURN_IF_ERROR(VisitNode(walk, down ? *right : *left, depth + 1));
  if (!place.ok()) {
    TN_RETURN_IF_ERROR(Report(place.status()));
  } else if (where == 0 && !walk.ended) {
    walk.ended = !walk.visit(*entry);
  }
  if (second) TN_RETURN_IF_ERROR(VisitNode(walk, down ? *left : *right, depth + 1));
  return Status::Ok();
}

// Goes down from the root for each part of the range, and not along the leaves' links: what a
// damaged page hides is then only what lies below it.
Status Container::VisitBPlusTree(const KeyRange& range,
                                 const std::function<bool(const Entry&)>& visit) {
  const bool pruned = ordered_ && IsPlainBound(range.from) && IsPlainBound(range.to);
  std::unordered_set<uint64_t> seen;
  bool ended = false;
  std::function<Status(const Datum&, int)> go = [&](const Datum& at, int depth) -> Status {
    if (ended || at.kind != DatumKind::kReference) return Status::Ok();
    if (depth > kMostDepth || !seen.insert(at.reference.bits).second) {
      return Damaged(*object_, "the tree leads to itself");
    }
    TN_ASSIGN_OR_RETURN(const ObjectPtr node, values_.source().Load(at.reference));
    const bool leaf = values_.ShapeOf(node->type()).Find(view_->Field("items")) != nullptr;
    TN_ASSIGN_OR_RETURN(const Datum array,
                        ArrayIn(node, view_->Field(leaf ? "items" : "branches")));
    TN_ASSIGN_OR_RETURN(const int64_t stored_count, NumberIn(node, view_->Field("count")));
    const uint64_t room = array.none() ? 0 : array.type->count();
    const uint64_t count = static_cast<uint64_t>(std::clamp<__int128>(stored_count, 0, room));
    const auto key_at = [&](uint64_t i) -> Result<Datum> {
      TN_ASSIGN_OR_RETURN(const Datum record, values_.Element(array, i));
      if (record.kind != DatumKind::kRecord) return Damaged(*node, "parts are no records");
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> key,
                          values_.FieldOf(record, view_->Field("key")));
      if (!key) return Damaged(*node, "parts have no key");
      return *key;
    };
    // Of a leaf's items the first one in the range and the first one behind it; of branches those
    // whose keys are compared: all keys below a branch are at least its own, and the key of the
    // first one is not used.
    const auto first_not = [&](const KeyRange& bound, int before) -> Result<uint64_t> {
      uint64_t low = leaf ? 0 : 1, high = std::max(count, low);
      while (low < high) {
        const uint64_t middle = (low + high) / 2;
        TN_ASSIGN_OR_RETURN(const Datum key, key_at(middle));
        TN_ASSIGN_OR_RETURN(const int place, PlaceOf(bound, key));
        if (place <= before) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    };
    uint64_t begin = 0, end = count;
    if (pruned && range.from) {
      const KeyRange from{range.from, {}, leaf ? range.from_open : true, false};
      TN_ASSIGN_OR_RETURN(begin, first_not(from, -1));
      if (!leaf) --begin;
    }
    if (pruned && range.to) {
      const KeyRange to{{}, range.to, false, range.to_open};
      TN_ASSIGN_OR_RETURN(end, first_not(to, 0));
    }
    end = std::min(end, count);
    const auto take = [&](uint64_t i) -> Status {
      TN_ASSIGN_OR_RETURN(const Datum record, values_.Element(array, i));
      if (leaf) {
        TN_ASSIGN_OR_RETURN(const Entry entry, EntryOf(record));
        bool inside = true;
        if (!pruned) TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
        if (inside) ended = !visit(entry);
        return Status::Ok();
      }
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> below,
                          values_.FieldOf(record, view_->Field("child")));
      if (!below) return Damaged(*node, "branches have no child");
      return go(*below, depth + 1);
    };
    for (uint64_t i = begin; i < end && !ended; ++i) {
      const uint64_t at = range.descending ? end - 1 - (i - begin) : i;
      TN_RETURN_IF_ERROR(Report(take(at)));
    }
    return Status::Ok();
  };
  const Result<Datum> root = FieldOf(object_, view_->Field("root"));
  if (!root.ok()) return Report(root.status());
  return Report(go(*root, 0));
}

Result<std::optional<Entry>> Container::FindInSlots(const Datum& key) {
  std::optional<Entry> found;
  if (!hashed_ || (key.kind != DatumKind::kInteger && key.kind != DatumKind::kText)) {
    TN_RETURN_IF_ERROR(VisitSlots({key, key, false, false}, [&](const Entry& entry) {
      found = entry;
      return false;
    }));
    return found;
  }
  std::vector<uint64_t> hashes;
  if (key.kind == DatumKind::kInteger) {
    const auto number = static_cast<uint64_t>(key.number);
    hashes.push_back(number ^ number >> 32);
  } else {
    // The text may have been stored as UTF-8 or as characters.
    std::u16string bytes;
    for (const char c : key.text) bytes += static_cast<unsigned char>(c);
    hashes.push_back(HashOfText(bytes));
    const std::optional<std::u16string> codes = CodesOfUtf8(key.text);
    if (codes && *codes != bytes) hashes.push_back(HashOfText(*codes));
  }
  TN_ASSIGN_OR_RETURN(const Datum slots, ArrayIn(object_, view_->Field("slots")));
  TN_ASSIGN_OR_RETURN(const int64_t shift, NumberIn(object_, view_->Field("shift")));
  const uint64_t count = slots.none() ? 0 : slots.type->count();
  if (count == 0) return found;
  for (const uint64_t hash : hashes) {
    // As stdlib/data/Table.mg places them.
    uint64_t tag = hash * 0x9E3779B97F4A7C15;
    if (tag <= 1) tag += 2;
    uint64_t at = shift >= 64 ? 0 : tag >> shift;
    for (uint64_t step = 0; step < count && at < count; ++step, at = (at + 1) % count) {
      TN_ASSIGN_OR_RETURN(const Datum slot, values_.Element(slots, at));
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> mark,
                          values_.FieldOf(slot, view_->Field("mark")));
      if (!mark || mark->number == 0) break;
      if (static_cast<uint64_t>(mark->number) != tag) continue;
      TN_ASSIGN_OR_RETURN(const Entry entry, EntryOf(slot));
      const KeyRange only{key, key, false, false};
      TN_ASSIGN_OR_RETURN(const int place, PlaceOf(only, entry.key));
      if (place == 0) return std::optional<Entry>(entry);
    }
  }
  return found;
}

Result<std::optional<Entry>> Container::Find(const Datum& key) {
  if (view_ != nullptr && view_->form == ViewForm::kSlots) return FindInSlots(key);
  if (view_ != nullptr && view_->form == ViewForm::kOf && of_ != nullptr) {
    TN_ASSIGN_OR_RETURN(std::optional<Entry> found, of_->Find(key));
    if (found && view_->keys_only) found->value = Datum();
    return found;
  }
  std::optional<Entry> found;
  TN_RETURN_IF_ERROR(ForEach({key, key, false, false}, [&](const Entry& entry) {
    found = entry;
    return false;
  }));
  return found;
}

}  // namespace tenure::dbtool
