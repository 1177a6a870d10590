// Types: how many objects each has, fields and how their values are spread, the objects.
#include <algorithm>
#include <chrono>
#include <random>
#include <utility>
#include <vector>

#include "dbtool/browse/api.h"
#include "dbtool/browse/cells.h"
#include "dbtool/browse/histogram.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// The size of the sample of a type with more objects, one at random of each of as many equal parts;
// smaller if reading takes longer than kPatience.
constexpr uint64_t kSample = 2000;
constexpr std::chrono::milliseconds kPatience(100);

Result<const StoredType*> TypeOf(DatabaseView& view, const HttpRequest& request) {
  const StoredType* const type = view.source().types().At(NumberOf(request, "type", 0, UINT32_MAX));
  if (type == nullptr) return store::Failure(StatusCode::kNotFound, "there is no such type");
  return type;
}

// The number of a type of this name; 0: there is none.
uint32_t IndexOfType(const StoredTypes& types, const store::TypeName& name) {
  for (const StoredType& type : types.all()) {
    if (type.procedure.empty() && type.name == name.name && type.fingerprint == name.fingerprint) {
      return type.index;
    }
  }
  return 0;
}

}  // namespace

Status BrowseApi::Types(const HttpRequest& request, Json* out) {
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    Json types = Json::array();
    for (const StoredType& type : view.source().types().all()) {
      if (!type.procedure.empty()) continue;
      Json line = {{"index", type.index},
                   {"name", type.name},
                   {"brand", type.brand},
                   {"fields", type.fields.size()},
                   {"supertype", type.supertypes.empty() ? "" : type.supertypes[0].name}};
      if (index != nullptr) {
        const auto totals = index->types().find(type.index);
        const bool has = totals != index->types().end();
        // An earlier form, which an upgrade has left behind.
        if (!has && view.values().living().IsEarlierForm(type)) continue;
        line["objects"] = has ? totals->second.objects : 0;
        line["bytes"] = has ? totals->second.bytes : 0;
      }
      types.push_back(std::move(line));
    }
    (*out)["types"] = std::move(types);
    return Status::Ok();
  });
}

// ?type=: the fields of a type, with histograms of their values.
Status BrowseApi::Type(const HttpRequest& request, Json* out) {
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    TN_ASSIGN_OR_RETURN(const StoredType* const type, TypeOf(view, request));
    (*out)["index"] = type->index;
    (*out)["name"] = type->name;
    (*out)["brand"] = type->brand;
    (*out)["bytes_each"] = type->open() ? Json() : Json(type->payload_bytes + 8);
    Json above = Json::array(), below = Json::array();
    for (const store::TypeName& name : type->supertypes) {
      above.push_back({{"name", name.name}, {"index", IndexOfType(view.source().types(), name)}});
    }
    for (const StoredType& other : view.source().types().all()) {
      if (!other.procedure.empty() || other.index == type->index) continue;
      if (std::ranges::any_of(other.supertypes, [&](const store::TypeName& name) {
            return name.fingerprint == type->fingerprint && name.name == type->name;
          })) {
        below.push_back({{"name", other.name}, {"index", other.index}});
      }
    }
    (*out)["supertypes"] = std::move(above);
    (*out)["subtypes"] = std::move(below);
    const ObjectShape& shape = view.values().ShapeOf(*type);
    std::vector<Histogram> histograms(shape.fields.size(), Histogram(view));
    uint64_t looked_at = 0;
    std::span<const ObjectIndex::Id> objects;
    if (index != nullptr) objects = index->OfType(type->index);
    const uint64_t count = std::min<uint64_t>(objects.size(), kSample);
    const auto began = std::chrono::steady_clock::now();
    std::minstd_rand random;  // the same objects each time
    Histogram lengths(view), texts(view);
    for (uint64_t i = 0; i < count; ++i) {
      // The parts are spread over the type's objects, so an end before the last one leaves parts at
      // even distances too. A place at random in each, since values often repeat at even distances.
      const uint64_t turn = i * 7919 % count;
      const uint64_t part = turn * objects.size() / count;
      const uint64_t width = (turn + 1) * objects.size() / count - part;
      const uint64_t place = part + random() % width;
      if (std::chrono::steady_clock::now() - began > kPatience) break;
      const Result<ObjectPtr> object =
          view.source().Load(index->PlaceOf(objects[static_cast<size_t>(place)]));
      if (!object.ok()) {
        if (object.status().code() == StatusCode::kConflict) return object.status();
        view.Report(object.status());
        continue;
      }
      if (&(*object)->type() != type) continue;  // since the scan
      ++looked_at;
      if (shape.is_text) {
        texts.Add(OfReference((*object)->at()));
        continue;
      }
      if (type->open()) {
        const Result<uint64_t> length = (*object)->Length(0);
        if (length.ok()) lengths.Add(OfNumber(*length));
      }
      for (size_t f = 0; f < shape.fields.size(); ++f) {
        const Result<Datum> value =
            view.values().Read(*object, shape.fields[f].type, shape.fields[f].bit_offset);
        if (value.ok()) histograms[f].Add(*value);
      }
    }
    (*out)["objects"] = objects.size();
    (*out)["looked_at"] = looked_at;
    Json fields = Json::array();
    for (size_t f = 0; f < shape.fields.size(); ++f) {
      const ShapeField& field = shape.fields[f];
      Json line = {{"name", field.member},
                   {"type", field.stored == nullptr ? field.type->text : field.stored->type},
                   {"bit_offset", field.bit_offset},
                   {"bits", field.stored == nullptr ? 0 : field.stored->bit_size}};
      if (looked_at != 0) line["histogram"] = histograms[f].ToJson();
      fields.push_back(std::move(line));
    }
    if (shape.element != nullptr) {
      Json line = {{"name", "length"}, {"type", "elements: " + shape.element->text}};
      if (looked_at != 0 && !shape.is_text) line["histogram"] = lengths.ToJson();
      fields.push_back(std::move(line));
    }
    if (shape.is_text && looked_at != 0) {
      fields.push_back({{"name", "text"}, {"type", "TEXT"}, {"histogram", texts.ToJson()}});
    }
    (*out)["fields"] = std::move(fields);
    return Status::Ok();
  });
}

// ?type=&offset=&limit=: objects of exactly this type.
Status BrowseApi::Objects(const HttpRequest& request, Json* out) {
  const uint64_t offset = NumberOf(request, "offset", 0, UINT64_MAX / 2);
  const uint64_t limit = NumberOf(request, "limit", 50, 500);
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  if (index == nullptr) return NotScannedYet();
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    TN_ASSIGN_OR_RETURN(const StoredType* const type, TypeOf(view, request));
    const std::span<const ObjectIndex::Id> objects = index->OfType(type->index);
    Json lines = Json::array();
    for (uint64_t i = offset; i < objects.size() && lines.size() < limit; ++i) {
      const store::PersistentRef at = index->PlaceOf(objects[static_cast<size_t>(i)]);
      Json line = ObjectLine(view, at);
      line["back"] = index->Sources(objects[static_cast<size_t>(i)]).size();
      lines.push_back(std::move(line));
    }
    (*out)["name"] = type->name;
    (*out)["count"] = objects.size();
    (*out)["objects"] = std::move(lines);
    return Status::Ok();
  });
}

}  // namespace tenure::dbtool
