#include "dbtool/values/views.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "dbtool/values/json.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// The library's containers (stdlib/data), in the form that packages use.
constexpr char kLibrary[] = R"json([
  {"brand": "(BPlusTree *", "show": "b+tree", "root": "root", "size": "total", "count": "count",
   "items": "items", "branches": "branches", "child": "child", "key": "key", "value": "value",
   "library": true},
  {"brand": "(Default (Table *", "show": "slots", "slots": "slots", "size": "count", "key": "key",
   "value": "value", "mark": "tag", "shift": "shift", "unused": [0, 1], "library": true},
  {"brand": "(Default (Sorted (Table *", "show": "tree", "root": "root", "size": "count",
   "key": "key", "value": "value", "left": "left", "right": "right", "library": true},
  {"brand": "(Sequence *", "show": "ring", "elements": "elem", "start": "st", "size": "sz"},
  {"brand": "(SetDef *", "show": "keys of", "of": "table"},
  {"brand": "(SetList *", "show": "elements of", "of": "elements"},
  {"brand": "(Default (PQueue *", "show": "array", "elements": "heap", "size": "sz", "from": 1},
  {"brand": "Property.Set", "show": "list", "first": "first", "value": "ref", "next": "next"},
  {"brand": "Database.Roots", "show": "chains", "buckets": "buckets", "size": "names",
   "key": "text", "value": "object", "next": "next"},
  {"brand": "Atom-1.0", "show": "value", "field": "text"},
  {"type": "*List.T", "show": "list", "value": "head", "next": "tail"}
])json";

struct FormName {
  const char* name;
  ViewForm form;
  std::vector<const char*> needed;
  std::vector<const char*> allowed;
};

const std::vector<FormName>& Forms() {
  static const std::vector<FormName> forms = {
      {"slots", ViewForm::kSlots, {"slots", "key", "mark"}, {"value", "size", "shift"}},
      {"chains", ViewForm::kChains, {"buckets", "key", "next"}, {"value", "size"}},
      {"tree", ViewForm::kTree, {"root", "key", "left", "right"}, {"value", "size"}},
      {"b+tree",
       ViewForm::kBPlusTree,
       {"root", "count", "items", "branches", "child", "key"},
       {"value", "size"}},
      {"list", ViewForm::kList, {"value", "next"}, {"first", "size"}},
      {"ring", ViewForm::kRing, {"elements", "start", "size"}, {}},
      {"array", ViewForm::kArray, {"elements"}, {"size"}},
      {"keys of", ViewForm::kOf, {"of"}, {}},
      {"elements of", ViewForm::kOf, {"of"}, {}},
      {"value", ViewForm::kValue, {"field"}, {}},
  };
  return forms;
}

bool Matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return false;
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return pattern == name;
}

// The error in the description; empty: none.
std::string Take(const Json& json, View* view) {
  if (!json.is_object()) return "a view is an object";
  if (!json.contains("show") || !json["show"].is_string()) return "a view needs \"show\"";
  const std::string show = json["show"];
  const auto form = std::ranges::find(Forms(), show, [](const FormName& f) { return f.name; });
  if (form == Forms().end()) {
    std::string names;
    for (const FormName& known : Forms()) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    return "\"show\" is none of " + names + ": " + show;
  }
  view->form = form->form;
  view->keys_only = show == "keys of";
  for (const auto& [name, value] : json.items()) {
    if (name == "show") continue;
    const auto is = [&](const std::vector<const char*>& names) {
      return std::ranges::find(names, name) != names.end();
    };
    if (name == "brand" || name == "type") {
      if (!value.is_string()) return "\"" + name + "\" is a text";
      (name == "brand" ? view->brand : view->type) = value.get<std::string>();
    } else if (name == "unused" && form->form == ViewForm::kSlots && value.is_array()) {
      for (const Json& mark : value) {
        if (!mark.is_number_integer()) return "\"unused\" is a list of numbers";
        view->unused.push_back(mark.get<int64_t>());
      }
    } else if (name == "from" && form->form == ViewForm::kArray && value.is_number_integer()) {
      view->from = value.get<int64_t>();
    } else if (name == "ordered" && value.is_boolean()) {
      view->ordered = value.get<bool>();
    } else if (name == "library" && value.is_boolean()) {
      view->library = value.get<bool>();
    } else if ((is(form->needed) || is(form->allowed)) && value.is_string()) {
      view->fields[name] = value.get<std::string>();
    } else {
      return "\"" + name + "\" is not part of a view that shows " + show;
    }
  }
  if (view->brand.empty() == view->type.empty()) {
    return "a view has either \"brand\" or \"type\"";
  }
  for (const char* role : form->needed) {
    if (!view->fields.contains(role))
      return "a view that shows " + show + " needs \"" + role + "\"";
  }
  return "";
}

// Fields of the object itself that the view needs. A list whose first node the object itself is
// has those of the node.
bool HasFields(const View& view, const StoredType& type) {
  std::vector<const char*> roles;
  switch (view.form) {
    case ViewForm::kSlots: roles = {"slots"}; break;
    case ViewForm::kChains: roles = {"buckets"}; break;
    case ViewForm::kTree:
    case ViewForm::kBPlusTree: roles = {"root"}; break;
    case ViewForm::kList:
      roles = {"first"};
      if (!view.fields.contains("first")) roles = {"value", "next"};
      break;
    case ViewForm::kRing: roles = {"elements", "start", "size"}; break;
    case ViewForm::kArray: roles = {"elements"}; break;
    case ViewForm::kOf: roles = {"of"}; break;
    case ViewForm::kValue: roles = {"field"}; break;
  }
  return std::ranges::all_of(
      roles, [&](const char* role) { return FieldNamed(type, view.Field(role)) != nullptr; });
}

}  // namespace

const std::string& View::Field(const char* role) const {
  static const std::string none;
  const auto found = fields.find(role);
  return found == fields.end() ? none : found->second;
}

bool View::IsUnused(__int128 mark) const { return std::ranges::find(unused, mark) != unused.end(); }

Views Views::OfLibrary() {
  Views views;
  TN_CHECK(views.Add(kLibrary, "the library").ok());
  return views;
}

Status Views::Add(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto wrong = [&](const std::string& what) {
    return store::Failure(StatusCode::kInvalidArgument, "views of " + file + ": " + what);
  };
  if (!json.is_array()) return wrong("not a JSON array of views");
  std::vector<View> added;
  for (const Json& one : json) {
    View view;
    if (const std::string problem = Take(one, &view); !problem.empty()) {
      return wrong("view " + std::to_string(added.size() + 1) + ": " + problem);
    }
    added.push_back(std::move(view));
  }
  views_.insert(views_.begin(), added.begin(), added.end());
  return Status::Ok();
}

const View* Views::For(const StoredType& type, bool* exact) const {
  const auto find = [&](const std::string& name, const std::string& brand) -> const View* {
    for (const View& view : views_) {
      const bool named = view.brand.empty() ? Matches(view.type, name) : Matches(view.brand, brand);
      if (named && HasFields(view, type)) return &view;
    }
    return nullptr;
  };
  if (const View* own = find(type.name, type.brand)) {
    if (exact != nullptr) *exact = true;
    return own;
  }
  if (exact != nullptr) *exact = false;
  for (const store::TypeName& above : type.supertypes) {
    if (const View* view = find(above.name, above.brand)) return view;
  }
  return nullptr;
}

}  // namespace tenure::dbtool
