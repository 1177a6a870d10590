#include "dbtool/browse/cells.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dbtool/look/show.h"
#include "dbtool/query/evaluate.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

constexpr int kMostDepth = 3;
constexpr uint64_t kMostElements = 20;

const ShowLimits kInCell{.elements = 20, .characters = 400};

void AddParts(DatabaseView& view, const Datum& value, const std::string& path, int depth,
              Json* cell) {
  Values& values = view.values();
  const auto take = [&](Result<Datum> part, const std::string& name, const std::string& at) {
    Json of = part.ok() ? CellOf(view, *part, at, depth + 1)
                        : Json({{"text", std::string("<") + part.status().text() + ">"}});
    of["name"] = name;
    return of;
  };
  if (value.kind == DatumKind::kRecord) {
    Json fields = Json::array();
    for (const ValueField& field : value.type->fields) {
      fields.push_back(take(values.Read(value.at, field.type, value.bit_offset + field.bit_offset),
                            field.name, path + "." + field.name));
    }
    (*cell)["fields"] = std::move(fields);
    return;
  }
  if (value.kind != DatumKind::kArray || value.type->element->kind == ValueKind::kCharacter) return;
  Json elements = Json::array();
  const uint64_t count = value.type->count();
  for (uint64_t i = 0; i < std::min(count, kMostElements); ++i) {
    const std::string index =
        "[" + OrdinalText(*value.type->index, value.type->index->first + i) + "]";
    elements.push_back(take(values.Element(value, i), index, path + index));
  }
  (*cell)["elements"] = std::move(elements);
  if (count > kMostElements) (*cell)["more"] = count - kMostElements;
}

}  // namespace

bool IsText(DatabaseView& view, const StoredType& type) {
  return view.values().ShapeOf(type).is_text || type.brand == "Atom-1.0";
}

Json CellOf(DatabaseView& view, const Datum& value, const std::string& path, int depth) {
  Json cell = {{"text", Describe(view, value, kInCell)}};
  if (!path.empty()) cell["path"] = path;
  if (value.type != nullptr) cell["declared"] = value.type->text;
  if (value.kind == DatumKind::kReference) {
    cell["ref"] = Show(value.reference);
    const Result<ObjectPtr> object = view.source().Load(value.reference);
    if (object.ok()) {
      cell["type"] = (*object)->type().name;
      if (IsText(view, (*object)->type())) cell["is_text"] = true;
    }
  }
  // A text that a query has read; or the place of an object, which its function id gives.
  if (value.kind == DatumKind::kText && value.reference.is_object()) {
    cell["ref"] = Show(value.reference);
    if (value.text == Show(value.reference)) {
      cell["text"] = value.text;
    } else {
      cell["is_text"] = true;
    }
  }
  if (depth < kMostDepth) AddParts(view, value, path, depth, &cell);
  return cell;
}

Json FieldCells(DatabaseView& view, const ObjectPtr& object) {
  Json cells = Json::array();
  const std::string at = Show(object->at());
  for (const ShapeField& field : view.values().ShapeOf(object->type()).fields) {
    const Result<Datum> value = view.values().Read(object, field.type, field.bit_offset);
    if (!value.ok()) view.Report(value.status());
    const bool quoted = field.member != field.name;
    const std::string path = field.name.empty() ? at
                             : quoted           ? at + ".`" + field.member + "`"
                                                : at + "." + field.member;
    Json cell = value.ok() ? CellOf(view, *value, path)
                           : Json({{"text", std::string("<") + value.status().text() + ">"}});
    cell["name"] = field.member;
    cell["declared"] = field.stored == nullptr ? field.type->text : field.stored->type;
    if (value.ok() && LooksLikeTime(field.name, *value)) cell["time"] = *TimeText(value->real);
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::string SummaryOf(DatabaseView& view, const ObjectPtr& object) {
  Values& values = view.values();
  ShowLimits limits;
  limits.characters = 40;
  std::string plain = values.Text(OfReference(object->at()), limits);
  if (IsText(view, object->type())) return plain;
  // The summary follows the place and the type: " (12 entries)".
  const std::string described = Describe(view, OfReference(object->at()), limits);
  if (described.size() > plain.size() + 3) {
    return described.substr(plain.size() + 2, described.size() - plain.size() - 3);
  }
  for (const ShapeField& field : values.ShapeOf(object->type()).fields) {
    if (field.type->kind != ValueKind::kReference) continue;
    const Result<Datum> value = values.Read(object, field.type, field.bit_offset);
    if (!value.ok() || value->kind != DatumKind::kReference) continue;
    const Result<ObjectPtr> to = view.source().Load(value->reference);
    if (to.ok() && IsText(view, (*to)->type())) return values.Text(*value, limits);
  }
  return "";
}

Json ObjectLine(DatabaseView& view, PersistentRef at) {
  Json line = {{"ref", Show(at)}};
  const Result<ObjectPtr> object = view.source().Load(at);
  if (!object.ok()) {
    line["problem"] = object.status().text();
    return line;
  }
  line["type"] = (*object)->type().name;
  line["summary"] = SummaryOf(view, *object);
  return line;
}

Result<std::optional<Datum>> ValueAt(DatabaseView& view, const std::string& path,
                                     QueryProblem* problem) {
  ExprPtr expr = ParseExpression(path, problem);
  if (expr == nullptr) return std::optional<Datum>();
  Checker checker(view.values(), view.views(), view.beginnings());
  if (!checker.Check(expr, nullptr, problem)) return std::optional<Datum>();
  Evaluator evaluator(view.values(), view.views(), true);
  TN_ASSIGN_OR_RETURN(Datum value, evaluator.EvaluatePlace(*expr, Row()));
  return std::optional<Datum>(std::move(value));
}

}  // namespace tenure::dbtool
