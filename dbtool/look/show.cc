#include "dbtool/look/show.h"

#include <algorithm>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

class Shower {
 public:
  Shower(DatabaseView& view, const ShowOptions& options, std::string* out)
      : view_(view), values_(view.values()), options_(options), out_(*out) {
    limits_.elements = options.limit;
    limits_.characters = options.limit > UINT64_MAX / 100 ? UINT64_MAX : 100 * options.limit;
    // A program could not tell that a value has been cut.
    whole_.elements = whole_.characters = UINT64_MAX;
    whole_.depth = 100;
    in_line_.elements = std::min<uint64_t>(options.limit, 20);
  }

  Status Beginnings() {
    const auto& beginnings = view_.beginnings();
    if (options_.json) {
      Json names = Json::object();
      for (const auto& [name, value] : beginnings.bound) {
        names[name] = values_.AsJson(value, whole_);
      }
      out_ +=
          LineOf({{"root", values_.AsJson(beginnings.root, whole_)}, {"names", std::move(names)}}) +
          "\n";
      return Status::Ok();
    }
    out_ += "root = " + Describe(view_, beginnings.root, in_line_) + "\n";
    size_t shown = 0;
    for (const auto& [name, value] : beginnings.bound) {
      if (shown++ == options_.limit) {
        More(beginnings.bound.size() - options_.limit, "names");
        break;
      }
      const bool plain = std::ranges::all_of(name, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      });
      out_ += (plain ? name : "names[" + Quoted(name) + "]") + " = " +
              Describe(view_, value, in_line_) + "\n";
    }
    return Status::Ok();
  }

  Status Value(const Datum& value) {
    if (value.kind != DatumKind::kReference) {
      if (options_.json) {
        out_ += LineOf(values_.AsJson(value, whole_)) + "\n";
        return Status::Ok();
      }
      if (value.kind == DatumKind::kArray) return Array(value);
      if (value.kind == DatumKind::kRecord) return Record(value);
      out_ += values_.Text(value, limits_) + "\n";
      return Status::Ok();
    }
    TN_ASSIGN_OR_RETURN(const ObjectPtr object, values_.source().Load(value.reference));
    if (values_.ShapeOf(object->type()).is_text || object->type().brand == "Atom-1.0") {
      out_ +=
          (options_.json ? LineOf(values_.AsJson(value, whole_)) : values_.Text(value, limits_)) +
          "\n";
      return Status::Ok();
    }
    return options_.json ? ObjectAsJson(object) : Object(object);
  }

  // The entries in a range of keys or places.
  Status Range(const Datum& value, KeyRange range) {
    Evaluator evaluator(values_, view_.views(), true);
    TN_ASSIGN_OR_RETURN(const std::unique_ptr<Container> container, evaluator.ContainerOf(value));
    // Places and indexes of arrays are ordinals.
    const ValueTypePtr places = value.kind == DatumKind::kArray ? value.type->index
                                : container != nullptr && !container->keyed()
                                    ? ParseValueType("INTEGER")
                                    : nullptr;
    for (std::optional<Datum>* bound : {&range.from, &range.to}) {
      if (!*bound || places == nullptr) continue;
      const std::optional<__int128> place = OrdinalIn(*places, **bound);
      if (!place) {
        return store::Failure(StatusCode::kInvalidArgument,
                              values_.Text(**bound) + " is not a bound of " + places->text);
      }
      *bound = OfNumber(*place);
    }
    if (container != nullptr) {
      Json entries = Json::array();
      return Entries(*container, range, options_.json ? &entries : nullptr, nullptr);
    }
    if (value.kind != DatumKind::kArray) {
      return store::Failure(StatusCode::kNotFound, values_.Text(value) + " has no elements");
    }
    const ValueType& index = *value.type->index;
    Json list = Json::array();
    const __int128 first = range.from ? std::max(range.from->number, index.first) : index.first;
    const __int128 last = range.to ? std::min(range.to->number, index.last) : index.last;
    for (__int128 at = first; at <= last; ++at) {
      if (static_cast<uint64_t>(at - first) == options_.limit) {
        if (!options_.json) More(static_cast<uint64_t>(last - at + 1), "elements");
        break;
      }
      TN_ASSIGN_OR_RETURN(const Datum element,
                          values_.Element(value, static_cast<uint64_t>(at - index.first)));
      if (options_.json) {
        list.push_back(values_.AsJson(element, whole_));
      } else {
        out_ += "[" + OrdinalText(index, at) + "] = " + Describe(view_, element, in_line_) + "\n";
      }
    }
    if (options_.json) out_ += LineOf(list) + "\n";
    return Status::Ok();
  }

 private:
  void More(uint64_t count, const char* what) {
    out_ += "... " + std::to_string(count) + " more " + what + " (--limit N, --all)\n";
  }

  std::string FieldLine(const std::string& name, size_t width, const Datum& value) {
    std::string line = "  " + name;
    if (name.size() < width) line += std::string(width - name.size(), ' ');
    line += " = " + Describe(view_, value, in_line_);
    if (LooksLikeTime(name, value)) line += " (* " + *TimeText(value.real) + " *)";
    return line + "\n";
  }

  Status Record(const Datum& record) {
    size_t width = 0;
    for (const ValueField& field : record.type->fields) width = std::max(width, field.name.size());
    for (const ValueField& field : record.type->fields) {
      TN_ASSIGN_OR_RETURN(const Datum value, values_.Read(record.at, field.type,
                                                          record.bit_offset + field.bit_offset));
      out_ += FieldLine(field.name, std::min<size_t>(width, 20), value);
    }
    return Status::Ok();
  }

  Status Array(const Datum& array) {
    const ValueType& index = *array.type->index;
    const uint64_t count = array.type->count();
    if (array.type->element->kind == ValueKind::kCharacter) {
      out_ += values_.Text(array, limits_) + "\n";
      return Status::Ok();
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (i == options_.limit) {
        More(count - i, "elements");
        break;
      }
      const Result<Datum> element = values_.Element(array, i);
      if (!element.ok()) {
        if (element.status().code() != StatusCode::kCorrupt) return element.status();
        view_.Report(element.status());
        continue;
      }
      out_ += "  [" + OrdinalText(index, index.first + i) +
              "] = " + Describe(view_, *element, in_line_) + "\n";
    }
    return Status::Ok();
  }

  // A list without a count of its own, whose length only a walk along all of it would tell.
  bool IsUncounted(const StoredType& type) {
    const View* const view = view_.views().For(type);
    return view != nullptr && view->form == ViewForm::kList && view->Field("size").empty();
  }

  // The entries, up to the limit. `size`: how many the container has; null: not known, or not all
  // are in the range.
  Status Entries(Container& container, const KeyRange& range, Json* json, const uint64_t* size,
                 bool* has_more = nullptr) {
    container.problem = [&](const Status& status) { view_.Report(status); };
    uint64_t shown = 0;
    bool more = false;
    int64_t place = range.from && !container.keyed() && range.from->number > 0
                        ? static_cast<int64_t>(range.from->number)
                        : 0;
    TN_RETURN_IF_ERROR(container.ForEach(range, [&](const Entry& entry) {
      if (shown == options_.limit) {
        more = true;
        return false;
      }
      ++shown;
      if (json != nullptr) {
        if (container.keyed() && container.has_values()) {
          json->push_back({{"key", values_.AsJson(entry.key, whole_)},
                           {"value", values_.AsJson(entry.value, whole_)}});
        } else {
          json->push_back(values_.AsJson(container.keyed() ? entry.key : entry.value, whole_));
        }
        return true;
      }
      if (!container.keyed()) {
        out_ += "  [" + std::to_string(place++) + "] = " + Describe(view_, entry.value, in_line_);
      } else {
        out_ += "  " + values_.Text(entry.key, in_line_);
        if (container.has_values()) out_ += " -> " + Describe(view_, entry.value, in_line_);
      }
      out_ += "\n";
      return true;
    }));
    if (has_more != nullptr) *has_more = more;
    if (json != nullptr && size == nullptr) out_ += LineOf(*json) + "\n";
    if (json == nullptr && more) {
      if (size != nullptr) {
        More(*size > shown ? *size - shown : 0, container.keyed() ? "entries" : "elements");
      } else {
        out_ += "... and more (--limit N, --all)\n";
      }
    }
    return Status::Ok();
  }

  Status Object(const ObjectPtr& object) {
    const StoredType& type = object->type();
    const ObjectShape& shape = values_.ShapeOf(type);
    const std::unique_ptr<Container> container = Container::Of(values_, view_.views(), object);
    if (container == nullptr) {
      out_ += Show(object->at()) + " " + type.name + "\n";
      return Fields(object);
    }
    if (IsUncounted(type)) {
      out_ += Show(object->at()) + " " + type.name + "\n";
      TN_RETURN_IF_ERROR(Entries(*container, {}, nullptr, nullptr));
      return FieldsOfSubtype(object);
    }
    TN_ASSIGN_OR_RETURN(const uint64_t size, container->Size());
    if (type.open_dimensions == 1 && shape.element != nullptr &&
        shape.element->kind == ValueKind::kCharacter) {
      TN_ASSIGN_OR_RETURN(const Datum array, OpenArrayIn(values_, object));
      out_ += Show(object->at()) + " " + type.name + "\n  " + values_.Text(array, limits_) + "\n";
      return Status::Ok();
    }
    const char* const what = container->keyed() ? (size == 1 ? " entry" : " entries")
                                                : (size == 1 ? " element" : " elements");
    out_ += Show(object->at()) + " " + type.name + ": " + std::to_string(size) + what + "\n";
    TN_RETURN_IF_ERROR(Entries(*container, {}, nullptr, &size));
    return FieldsOfSubtype(object);
  }

  // The fields that a program's subtype adds to a container.
  Status FieldsOfSubtype(const ObjectPtr& object) {
    bool exact = true;
    const View* const view = view_.views().For(object->type(), &exact);
    if (view == nullptr || exact || object->type().open()) return Status::Ok();
    size_t inherited = 0;
    for (const StoredType& type : values_.source().types().all()) {
      if (type.procedure.empty() && &type != &object->type() &&
          object->type().IsA({type.fingerprint, type.name, type.brand})) {
        inherited = std::max(inherited, type.fields.size());
      }
    }
    return Fields(object, std::max(inherited, LastRole(*view, object->type())));
  }

  // The end of the last field that the view uses.
  static size_t LastRole(const View& view, const StoredType& type) {
    size_t last = 0;
    for (size_t i = 0; i < type.fields.size(); ++i) {
      for (const auto& [role, name] : view.fields) {
        if (type.fields[i].name == name) last = i + 1;
      }
    }
    return last;
  }

  Status Fields(const ObjectPtr& object, size_t from = 0) {
    const ObjectShape& shape = values_.ShapeOf(object->type());
    size_t width = 0;
    for (const ShapeField& field : shape.fields) width = std::max(width, field.member.size());
    for (size_t i = from; i < shape.fields.size(); ++i) {
      const ShapeField& field = shape.fields[i];
      const Result<Datum> value = values_.Read(object, field.type, field.bit_offset);
      if (!value.ok()) {
        if (value.status().code() != StatusCode::kCorrupt) return value.status();
        view_.Report(value.status());
        continue;
      }
      if (field.name.empty()) {
        if (value->kind == DatumKind::kArray) {
          TN_RETURN_IF_ERROR(Array(*value));
        } else {
          out_ += "  " + Describe(view_, *value, in_line_) + "\n";
        }
        continue;
      }
      out_ += FieldLine(field.member, std::min<size_t>(width, 20), *value);
    }
    return Status::Ok();
  }

  Status ObjectAsJson(const ObjectPtr& object) {
    const StoredType& type = object->type();
    Json line = {{"object", Show(object->at())}, {"type", type.name}};
    const ObjectShape& shape = values_.ShapeOf(type);
    const std::unique_ptr<Container> container = Container::Of(values_, view_.views(), object);
    if (container != nullptr) {
      uint64_t size = 0;
      if (!IsUncounted(type)) {
        TN_ASSIGN_OR_RETURN(size, container->Size());
        line["size"] = size;
      }
      Json entries = Json::array();
      bool more = false;
      TN_RETURN_IF_ERROR(Entries(*container, {}, &entries, &size, &more));
      if (more) line["more"] = true;
      line[container->keyed() && container->has_values() ? "entries" : "elements"] =
          std::move(entries);
    } else {
      Json fields = Json::object();
      for (const ShapeField& field : shape.fields) {
        const Result<Datum> value = values_.Read(object, field.type, field.bit_offset);
        if (!value.ok()) {
          if (value.status().code() != StatusCode::kCorrupt) return value.status();
          view_.Report(value.status());
        } else if (field.name.empty()) {
          line["value"] = values_.AsJson(*value, whole_);
        } else {
          fields[field.member] = values_.AsJson(*value, whole_);
        }
      }
      if (!line.contains("value")) line["fields"] = std::move(fields);
    }
    out_ += LineOf(line) + "\n";
    return Status::Ok();
  }

  DatabaseView& view_;
  Values& values_;
  const ShowOptions& options_;
  ShowLimits limits_, in_line_, whole_;
  std::string& out_;
};

}  // namespace

std::string Describe(DatabaseView& view, const Datum& value, const ShowLimits& limits) {
  std::string text = view.values().Text(value, limits);
  if (value.kind != DatumKind::kReference) return text;
  const Result<ObjectPtr> object = view.source().Load(value.reference);
  if (!object.ok()) {
    view.Report(object.status());
    return text;
  }
  // A short array of characters, or one number, is said at once.
  const std::unique_ptr<Container> container = Container::Of(view.values(), view.views(), *object);
  if (container == nullptr) return text;
  const View* const form = view.views().For((*object)->type());
  // Counting such a list would need a walk along all of it.
  if (form != nullptr && form->form == ViewForm::kList && form->Field("size").empty()) return text;
  const Result<uint64_t> size = container->Size();
  if (!size.ok()) return text;
  return text + " (" + std::to_string(*size) +
         (container->keyed() ? (*size == 1 ? " entry)" : " entries)")
                             : (*size == 1 ? " element)" : " elements)"));
}

Result<bool> ShowPath(DatabaseView& view, const std::string& path, const ShowOptions& options,
                      std::string* out, QueryProblem* problem) {
  Shower shower(view, options, out);
  if (path.find_first_not_of(" \t\n") == std::string::npos) {
    TN_RETURN_IF_ERROR(shower.Beginnings());
    return true;
  }
  ExprPtr expr = ParseExpression(path, problem);
  if (expr == nullptr) return false;
  ExprPtr from, to;
  const bool range = expr->kind == ExprKind::kSlice;
  if (range) {
    from = std::move(expr->parts[1]);
    to = std::move(expr->parts[2]);
    ExprPtr base = std::move(expr->parts[0]);
    expr = std::move(base);
  }
  Checker checker(view.values(), view.views(), view.beginnings());
  const auto type = checker.Check(expr, nullptr, problem);
  if (!type) return false;
  Evaluator evaluator(view.values(), view.views(), true);
  TN_ASSIGN_OR_RETURN(const Datum value, evaluator.EvaluatePlace(*expr, Row()));
  if (!range) {
    TN_RETURN_IF_ERROR(shower.Value(value));
    return true;
  }
  KeyRange bounds;
  for (ExprPtr* bound : {&from, &to}) {
    if (*bound == nullptr) continue;
    if (!checker.Check(*bound, nullptr, problem)) return false;
    TN_ASSIGN_OR_RETURN(Datum key, evaluator.Evaluate(**bound, Row()));
    (bound == &from ? bounds.from : bounds.to) = std::move(key);
  }
  TN_RETURN_IF_ERROR(shower.Range(value, bounds));
  return true;
}

}  // namespace tenure::dbtool
