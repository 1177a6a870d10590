#include "dbtool/look/set.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/values/object_json.h"
#include "dbtool/values/walk.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PersistentRef;

namespace {

class Setter {
 public:
  Setter(OpenedStore& store, DatabaseView& view, SetProblem* problem)
      : store_(store),
        view_(view),
        values_(view.values()),
        checker_(view.values(), view.views(), view.beginnings()),
        evaluator_(view.values(), view.views(), true),
        problem_(problem),
        writes_(*store.server, view.source().database()) {}

  Result<std::optional<SetResult>> Run(const std::string& path, const std::string& value,
                                       bool dry_run) {
    dry_run_ = dry_run;
    problem_->text = path;
    ExprPtr place = ParseExpression(path, &problem_->problem);
    if (place == nullptr) return std::optional<SetResult>();
    const bool is_root = place->kind == ExprKind::kName && place->name == "root";
    StaticType type;
    Datum old;
    if (is_root) {
      TN_ASSIGN_OR_RETURN(old, PlaceOfRoot());
    } else {
      const auto checked = checker_.Check(place, nullptr, &problem_->problem);
      if (!checked) return std::optional<SetResult>();
      type = *checked;
      values_.KeepPlaces(true);
      const Result<Datum> found = evaluator_.EvaluatePlace(*place, Row());
      values_.KeepPlaces(false);
      if (!found.ok()) return found.status();
      old = *found;
      if (old.at == nullptr || old.type == nullptr) {
        return Wrong(
            "this is not a place that can have another value: name the root, a field, an element "
            "or "
            "an entry",
            0, path.size());
      }
    }
    problem_->text = value;
    std::optional<Json> json = JsonIn(value, type, *old.type);
    if (!json) return std::optional<SetResult>();
    // The bytes that contain the value.
    const uint64_t first = old.bit_offset / 8;
    const uint64_t bits = old.type->bits;
    JsonObject window;
    window.data.resize((old.bit_offset % 8 + bits + 7) / 8);
    if (old.at != nullptr) TN_RETURN_IF_ERROR(old.at->Copy(first, window.data));
    const Result<Json> with_texts = WithTexts(*json, *old.type, type, old);
    if (with_texts.status().code() == StatusCode::kTypeMismatch) {
      return Wrong(with_texts.status().text(), 0, value.size());
    }
    TN_RETURN_IF_ERROR(with_texts.status());
    const std::string wrong = TakeValue(*with_texts, *old.type, old.bit_offset % 8, &window);
    if (!wrong.empty()) return Wrong(wrong, 0, value.size());
    const std::vector<JsonSlot> slots = window.slots;
    if (!CheckSlots(old, type, slots, value)) return std::optional<SetResult>();
    ClearSlots(*old.type, old.bit_offset % 8, &window.data);
    for (const JsonSlot& slot : slots) {
      std::memcpy(window.data.data() + slot.offset, &slot.target.bits, 8);
    }
    SetResult result;
    result.before = values_.Text(old);
    store::DatabaseCommit more;
    if (old.at != nullptr) {
      TN_RETURN_IF_ERROR(Put(*old.at, first, window.data));
    } else {
      more.root = slots.empty() ? PersistentRef() : slots[0].target;
    }
    // New texts cannot be read before the commit.
    result.after = made_.empty()       ? After(old, window.data)
                   : json->is_string() ? Quoted(json->get<std::string>())
                                       : LineOf(*json);
    if (dry_run) return std::optional<SetResult>(result);
    TN_RETURN_IF_ERROR(CheckNothingPrepared(*store_.server));
    if (store_.server->capabilities().shared) {
      TN_RETURN_IF_ERROR(writes_.WantWrite());
      const PageId root{0};
      if (old.at == nullptr) {
        TN_RETURN_IF_ERROR(
            store_.server->WantWrite(view_.source().database(), std::span(&root, 1)));
      }
    }
    TN_RETURN_IF_ERROR(writes_.Commit(old.at == nullptr ? &more : nullptr));
    return std::optional<SetResult>(result);
  }

 private:
  // The root is a field of the object that has the names. Without names, it is in the database's
  // head: then the place has no object.
  Result<Datum> PlaceOfRoot() {
    const Beginnings& beginnings = view_.beginnings();
    if (beginnings.names.kind == DatumKind::kReference) {
      TN_ASSIGN_OR_RETURN(const ObjectPtr names, view_.source().Load(beginnings.names.reference));
      values_.KeepPlaces(true);
      const Result<std::optional<Datum>> field = values_.Field(names, "root");
      values_.KeepPlaces(false);
      if (!field.ok()) return field.status();
      if (*field) return **field;
    }
    Datum root = beginnings.root;
    root.type = ReferenceValue("REFANY");
    return root;
  }

  std::optional<SetResult> Wrong(const std::string& what, size_t begin, size_t end) {
    problem_->problem = {what, begin, end};
    return std::nullopt;
  }

  // The JSON of an expression; nothing: the expression is wrong.
  std::optional<Json> JsonIn(const std::string& value, const StaticType& type,
                             const ValueType& target) {
    if (value.find_first_of('{') != std::string::npos) {
      if (IsTooDeep(value)) {
        (void)Wrong("arrays and objects are too deep within each other", 0, 1);
        return std::nullopt;
      }
      Json json = Json::parse(value, nullptr, /*allow_exceptions=*/false);
      if (!json.is_discarded()) return json;
    }
    ExprPtr expr = ParseExpression(value, &problem_->problem);
    if (expr == nullptr) return std::nullopt;
    return JsonOf(expr, type, target);
  }

  std::optional<Json> JsonOf(ExprPtr& expr, const StaticType& type, const ValueType& target) {
    if (expr->kind == ExprKind::kList) {
      const bool set = target.kind == ValueKind::kSet;
      if (!set && target.kind != ValueKind::kArray) {
        (void)Wrong("a list is not a value of " + target.text, expr->begin, expr->end);
        return std::nullopt;
      }
      Json list = Json::array();
      const ValueTypePtr& element = set ? target.index : target.element;
      const StaticType of = checker_.OfValue(element, type.field, type.whole);
      for (ExprPtr& part : expr->parts) {
        std::optional<Json> json = JsonOf(part, of, *element);
        if (!json) return std::nullopt;
        list.push_back(*std::move(json));
      }
      return list;
    }
    if (target.kind == ValueKind::kEnumeration &&
        (expr->kind == ExprKind::kName || expr->kind == ExprKind::kField)) {
      if (std::ranges::find(target.names, expr->name) != target.names.end()) return expr->name;
    }
    const auto checked = checker_.Check(expr, nullptr, &problem_->problem);
    if (!checked) return std::nullopt;
    const Result<Datum> value = evaluator_.EvaluatePlace(*expr, Row());
    if (!value.ok()) {
      (void)Wrong(value.status().text(), expr->begin, expr->end);
      return std::nullopt;
    }
    switch (value->kind) {
      case DatumKind::kReference: return Json({{"ref", Show(value->reference)}});
      case DatumKind::kImport: return Json({{"import", static_cast<uint64_t>(value->number)}});
      case DatumKind::kProcedure:
        return Json({{"procedure", static_cast<uint64_t>(value->number)}});
      case DatumKind::kSet:
      case DatumKind::kArray:
      case DatumKind::kRecord: {
        (void)Wrong("a whole " + value->type->text + " is written as a list or as JSON",
                    expr->begin, expr->end);
        return std::nullopt;
      }
      // A large one would be a text, which a reference to a text takes.
      case DatumKind::kInteger:
        return value->number < 0 ? Json(static_cast<int64_t>(value->number))
                                 : Json(static_cast<uint64_t>(value->number));
      default: break;
    }
    return values_.AsJson(*value, ShowLimits::None());
  }

  // A reference may lead to what its place is declared as.
  bool CheckSlots(const Datum& old, const StaticType& type, const std::vector<JsonSlot>& slots,
                  const std::string& value) {
    for (const JsonSlot& slot : slots) {
      if (!old.type->saved) {
        (void)Wrong("this value is not kept in a database: " + old.type->text, 0, value.size());
        return false;
      }
      if (!slot.target.is_object() || made_.contains(slot.target.bits)) continue;
      const Result<ObjectPtr> object = view_.source().Load(slot.target);
      if (!object.ok()) {
        (void)Wrong(object.status().text(), 0, value.size());
        return false;
      }
      const StoredType& is = (*object)->type();
      const bool text = values_.ShapeOf(is).is_text || is.brand == "Atom-1.0";
      const bool fits = type.any() ||
                        (type.kind == StaticKind::kText && text &&
                         (old.type->text == "Atom.T") == (is.brand == "Atom-1.0")) ||
                        (type.kind == StaticKind::kObject &&
                         std::ranges::find(type.objects, &is) != type.objects.end());
      // A reference inside a record or an array is checked against its own declared type.
      if (old.type->kind != ValueKind::kReference) {
        if (type.field == nullptr || type.whole == nullptr) continue;
        bool declared = type.field->refers.empty();
        for (const store::TypeName& name : type.field->refers) {
          declared = declared || is.IsA(name) || (text && name.name == "TEXT");
        }
        if (declared) continue;
      } else if (fits) {
        continue;
      }
      (void)Wrong(Show(slot.target) + " is of type " + is.name +
                      ", and cannot stand here: " + old.type->text,
                  0, value.size());
      return false;
    }
    return true;
  }

  // TakeValue leaves the old references where the new value has NIL.
  static void ClearSlots(const ValueType& type, uint64_t at, std::vector<std::byte>* data) {
    switch (type.kind) {
      case ValueKind::kReference:
      case ValueKind::kProcedure: std::memset(data->data() + at / 8, 0, 8); break;
      case ValueKind::kRecord:
        for (const ValueField& field : type.fields) {
          ClearSlots(*field.type, at + field.bit_offset, data);
        }
        break;
      case ValueKind::kArray:
        for (uint64_t i = 0; i < type.count(); ++i) {
          ClearSlots(*type.element, at + i * type.element_bits, data);
        }
        break;
      default: break;
    }
  }

  // The JSON with references to new objects in the place of texts, also within records and arrays.
  // `old`: the value that was there, or none. kTypeMismatch: a text cannot stand there.
  Result<Json> WithTexts(const Json& json, const ValueType& target, const StaticType& type,
                         const Datum& old) {
    if (target.kind == ValueKind::kReference && json.is_string()) {
      TN_ASSIGN_OR_RETURN(const PersistentRef made,
                          MakeText(json.get<std::string>(), target, type, old));
      made_.insert(made.bits);
      return Json({{"ref", Show(made)}});
    }
    Json with = json;
    const auto put = [&](const ValueTypePtr& part, Result<Datum> before, Json* to) -> Status {
      const Datum was = before.ok() ? *before : Datum();
      TN_ASSIGN_OR_RETURN(
          *to, WithTexts(*to, *part, checker_.OfValue(part, type.field, type.whole), was));
      return Status::Ok();
    };
    if (target.kind == ValueKind::kRecord && json.is_object()) {
      for (const ValueField& field : target.fields) {
        if (!with.contains(field.name)) continue;
        Result<Datum> before = Datum();
        if (old.kind == DatumKind::kRecord) {
          const Result<std::optional<Datum>> part = values_.FieldOf(old, field.name);
          if (part.ok() && *part) before = **part;
        }
        TN_RETURN_IF_ERROR(put(field.type, std::move(before), &with[field.name]));
      }
    }
    if (target.kind == ValueKind::kArray && json.is_array()) {
      for (uint64_t i = 0; i < with.size() && i < target.count(); ++i) {
        Result<Datum> before = Datum();
        if (old.kind == DatumKind::kArray) before = values_.Element(old, i);
        TN_RETURN_IF_ERROR(put(target.element, std::move(before), &with[i]));
      }
    }
    return with;
  }

  // A new text, on pages of its own: the old one may be shared. In the place of an atom, the
  // database's atom of this text, or a new one.
  Result<PersistentRef> MakeText(const std::string& text, const ValueType& target,
                                 const StaticType& type, const Datum& old) {
    const auto mismatch = [](const std::string& what) {
      return store::Failure(StatusCode::kTypeMismatch, what);
    };
    if (type.kind != StaticKind::kText && !type.any()) {
      return mismatch("a text is not a value of " + target.text);
    }
    const bool atom = target.text == "Atom.T";
    if (atom) {
      TN_ASSIGN_OR_RETURN(const PersistentRef known, FindAtom(text));
      if (!known.nil()) return known;
    }
    bool wide = false;
    if (old.kind == DatumKind::kReference) {
      const Result<ObjectPtr> object = view_.source().Load(old.reference);
      wide = object.ok() && values_.ShapeOf((*object)->type()).text == FlatText::kWide;
    }
    const StoredType* const of = TypeBranded(wide ? "TextFlat.T16" : "TextFlat.T8");
    const StoredType* const of_atom = atom ? TypeBranded("Atom-1.0") : nullptr;
    if (of == nullptr || of->open_dimensions != 1) {
      return mismatch("the store has no text yet, and so no type for one");
    }
    if (atom && of_atom == nullptr) {
      return mismatch("the store has no atom yet, and so no type for one");
    }
    // As programs write UTF-8 to narrow texts.
    std::u16string codes;
    if (wide) {
      const auto decoded = CodesOfUtf8(text);
      if (!decoded) return mismatch("the text is not UTF-8");
      codes = *decoded;
    } else {
      for (const char c : text) codes += static_cast<unsigned char>(c);
    }
    const uint64_t hash = HashOfText(codes);
    codes += u'\0';
    const uint64_t element = of->element_bytes, at = kHeaderBytes + of->elements_at();
    std::vector<std::byte> object((at + codes.size() * element + 7) / 8 * 8);
    const uint64_t length = codes.size();
    PutHeader(*of, &object);
    std::memcpy(object.data() + kHeaderBytes + of->payload_bytes, &length, sizeof length);
    for (size_t i = 0; i < codes.size(); ++i) {
      std::memcpy(object.data() + at + i * element, &codes[i], element);
    }
    TN_ASSIGN_OR_RETURN(PersistentRef made, PutNew(*of, object));
    if (atom) {
      std::vector<std::byte> new_atom(kHeaderBytes + of_atom->payload_bytes);
      PutHeader(*of_atom, &new_atom);
      for (const auto& [name, word] : {std::pair("text", made.bits), std::pair("hash", hash)}) {
        const StoredField* const field = FieldNamed(*of_atom, name);
        if (field == nullptr || field->bit_size != 64) {
          return mismatch("the store's atoms are of another version");
        }
        std::memcpy(new_atom.data() + kHeaderBytes + field->bit_offset / 8, &word, sizeof word);
      }
      TN_ASSIGN_OR_RETURN(made, PutNew(*of_atom, new_atom));
    }
    return made;
  }

  const StoredType* TypeBranded(std::string_view brand) const {
    const StoredType* found = nullptr;
    for (const StoredType& type : store_.types.all()) {
      if (type.brand == brand) found = &type;
    }
    return found;
  }

  // NIL: the database has no atom of this text. Reads all pages.
  Result<PersistentRef> FindAtom(const std::string& text) {
    PersistentRef found;
    TN_RETURN_IF_ERROR(WalkObjects(
        view_.source(), [](const StoredType& type) { return type.brand == "Atom-1.0"; },
        [&](const ObjectPtr& atom) {
          const Result<Datum> is = values_.Resolve(OfReference(atom->at()));
          if (is.ok() && is->kind == DatumKind::kText && is->text == text) found = atom->at();
          return found.nil();
        },
        [](const Status&) {}));
    return found;
  }

  static void PutHeader(const StoredType& type, std::vector<std::byte>* object) {
    const uint64_t header = uint64_t{type.index} << store::kStoredTypeShift;
    std::memcpy(object->data(), &header, sizeof header);
  }

  // Puts a new object, with its header, on pages of its own.
  Result<PersistentRef> PutNew(const StoredType& type, const std::vector<std::byte>& object) {
    const uint64_t pages = (object.size() + kPageBytes - 1) / kPageBytes;
    // Allocating pages would change the database.
    if (dry_run_) {
      TN_ASSIGN_OR_RETURN(const PageId last, store_.server->MaxPage(view_.source().database()));
      return PersistentRef::Object(last + ++dry_pages_, kHeaderBytes);
    }
    TN_ASSIGN_OR_RETURN(const store::PageRun run,
                        store_.server->AllocatePages(view_.source().database(), pages));
    for (uint64_t i = 0; i < pages; ++i) {
      store::LargeRun large;
      if (pages > 1) {
        large = {type.index, static_cast<uint32_t>(i), static_cast<uint32_t>(pages)};
      }
      std::byte* const page = writes_.Put(run.first + i, 0, large);
      const size_t part = std::min<size_t>(kPageBytes, object.size() - i * kPageBytes);
      std::memcpy(page, object.data() + i * kPageBytes, part);
      std::memset(page + part, 0, kPageBytes - part);
      if (pages == 1 && part < kPageBytes) store::StoreFiller(page + part, kPageBytes - part);
    }
    return PersistentRef::Object(run.first, kHeaderBytes);
  }

  // Writes the pages of the object, with its bytes from `first` on changed.
  Status Put(const LoadedObject& object, uint64_t first, std::span<const std::byte> bytes) {
    // An object on one page lies behind its offset; a larger one from the start of its first page.
    uint64_t at = object.at().offset() + first;
    while (!bytes.empty()) {
      const PageId id = object.at().page() + at / kPageBytes;
      TN_ASSIGN_OR_RETURN(const store::PageRecord* const record, view_.source().ReadPage(id));
      std::byte* const page = writes_.Put(id, record->version, record->run);
      std::memcpy(page, record->contents, kPageBytes);
      const size_t part = std::min<size_t>(bytes.size(), kPageBytes - at % kPageBytes);
      std::memcpy(page + at % kPageBytes, bytes.data(), part);
      bytes = bytes.subspan(part);
      at += part;
    }
    return Status::Ok();
  }

  // How the new bits are shown.
  std::string After(const Datum& old, const std::vector<std::byte>& data) {
    if (old.at == nullptr) {
      uint64_t bits = 0;
      std::memcpy(&bits, data.data(), sizeof bits);
      return values_.Text(OfReference(PersistentRef{bits}));
    }
    StoredObject object;
    object.at = old.at->at();
    object.type = &old.at->type();
    object.payload = data;
    const Result<Datum> value =
        values_.Read(view_.source().Hold(object), old.type, old.bit_offset % 8);
    return value.ok() ? values_.Text(*value) : value.status().text();
  }

  OpenedStore& store_;
  DatabaseView& view_;
  Values& values_;
  Checker checker_;
  Evaluator evaluator_;
  SetProblem* const problem_;
  PageWrites writes_;
  std::set<uint64_t> made_;  // the references to texts and atoms that were made or found
  uint64_t dry_pages_ = 0;
  bool dry_run_ = false;
};

}  // namespace

Result<std::optional<SetResult>> SetValue(OpenedStore& store, DatabaseView& view,
                                          const std::string& path, const std::string& value,
                                          bool dry_run, SetProblem* problem) {
  return Setter(store, view, problem).Run(path, value, dry_run);
}

}  // namespace tenure::dbtool
