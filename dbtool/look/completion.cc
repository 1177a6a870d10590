#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "dbtool/look/shell.h"

namespace tenure::dbtool {

namespace {

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<signed char>(c) < 0;
}

// The path that the text ends with: names, dots, and brackets with their contents.
std::string PathAtEnd(const std::string& text) {
  size_t at = text.size();
  while (at > 0) {
    const char c = text[at - 1];
    if (IsNameCharacter(c) || c == '.' || c == '^' || c == ':') {
      --at;
      continue;
    }
    if (c != ']') break;
    int depth = 0;
    bool quoted = false;
    size_t from = at;
    do {
      --from;
      if (text[from] == '"') quoted = !quoted;
      if (!quoted && text[from] == ']') ++depth;
      if (!quoted && text[from] == '[') --depth;
    } while (from > 0 && depth > 0);
    if (depth != 0) break;
    at = from;
  }
  return text.substr(at);
}

std::vector<std::string> FieldsOf(DatabaseView& view, const std::string& path) {
  std::set<std::string> names;
  QueryProblem problem;
  ExprPtr expr = ParseExpression(path, &problem);
  if (expr == nullptr) return {};
  Checker checker(view.values(), view.views(), view.beginnings());
  // Main. of a type's name.
  for (const StoredType& type : view.source().types().all()) {
    if (type.name.starts_with(path + ".")) names.insert(type.name.substr(path.size() + 1));
  }
  const auto type = checker.Check(expr, nullptr, &problem);
  if (!type) return {names.begin(), names.end()};
  std::vector<const StoredType*> objects = type->objects;
  if (type->any()) {
    // An existing value has a more exact type than its declaration.
    Evaluator evaluator(view.values(), view.views(), false);
    const Result<Datum> value = evaluator.EvaluatePlace(*expr, Row());
    if (value.ok() && value->kind == DatumKind::kReference) {
      const Result<ObjectPtr> object = view.source().Load(value->reference);
      if (object.ok()) objects.push_back(&(*object)->type());
    }
  }
  for (const StoredType* object : objects) {
    for (const StoredField& field : object->fields) {
      if (!field.name.empty()) names.insert(field.name);
    }
  }
  if (type->kind == StaticKind::kRecord) {
    for (const ValueField& field : type->type->fields) names.insert(field.name);
  }
  return {names.begin(), names.end()};
}

// The first keys, with quotes if they are texts.
std::vector<std::string> KeysOf(DatabaseView& view, const std::string& path,
                                const std::string& begun) {
  constexpr size_t kMost = 100;
  QueryProblem problem;
  ExprPtr expr = ParseExpression(path, &problem);
  Checker checker(view.values(), view.views(), view.beginnings());
  if (expr == nullptr || !checker.Check(expr, nullptr, &problem)) return {};
  Evaluator evaluator(view.values(), view.views(), false);
  const Result<Datum> value = evaluator.EvaluatePlace(*expr, Row());
  if (!value.ok()) return {};
  const auto container = evaluator.ContainerOf(*value);
  if (!container.ok() || *container == nullptr || !(*container)->keyed()) return {};
  KeyRange range;
  if ((*container)->ascending() && !begun.empty()) range.from = OfText(begun);
  std::vector<std::string> keys;
  const Status status = (*container)->ForEach(range, [&](const Entry& entry) {
    const Result<Datum> key = view.values().Resolve(entry.key);
    if (!key.ok() || key->kind != DatumKind::kText) return keys.size() < kMost;
    if (key->text.starts_with(begun)) {
      keys.push_back(key->text);
    } else if ((*container)->ascending() && key->text > begun) {
      return false;
    }
    return keys.size() < kMost;
  });
  return status.ok() ? keys : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> CompletionsOf(DatabaseView& view, const std::string& text) {
  std::vector<std::string> found;
  const auto take = [&](const std::vector<std::string>& words, const std::string& begun) {
    for (const std::string& word : words) {
      if (word.starts_with(begun)) found.push_back(word);
    }
  };
  // Within quotes behind a bracket: a key.
  const size_t quotes = static_cast<size_t>(std::ranges::count(text, '"'));
  if (quotes % 2 == 1) {
    const size_t quote = text.rfind('"');
    if (quote > 0 && text[quote - 1] == '[') {
      take(KeysOf(view, PathAtEnd(text.substr(0, quote - 1)), text.substr(quote + 1)),
           text.substr(quote + 1));
    }
    return found;
  }
  size_t begin = text.size();
  while (begin > 0 && IsNameCharacter(text[begin - 1])) --begin;
  const std::string begun = text.substr(begin);
  if (begin > 0 && text[begin - 1] == '.') {
    take(FieldsOf(view, PathAtEnd(text.substr(0, begin - 1))), begun);
    return found;
  }
  std::set<std::string> words = {"root", "names"};
  for (const auto& [name, value] : view.beginnings().bound) {
    if (std::ranges::all_of(name, IsNameCharacter)) words.insert(name);
  }
  for (const char* word : {"help", "quit", "set", "types", "format", "size", "type", "id", "upper",
                           "lower", "startswith", "endswith", "time", "sum", "min", "max", "avg"}) {
    words.insert(word);
  }
  words.insert(QueryWords().begin(), QueryWords().end());
  for (const StoredType& type : view.source().types().all()) {
    if (!type.procedure.empty()) continue;
    if (std::ranges::all_of(type.name, [](char c) { return IsNameCharacter(c) || c == '.'; })) {
      words.insert(type.name.substr(0, type.name.find('.')));
    }
    // In a query's conditions the names of a row's fields stand alone.
    if (begin > 0) {
      for (const StoredField& field : type.fields) {
        if (!field.name.empty()) words.insert(field.name);
      }
    }
  }
  take({words.begin(), words.end()}, begun);
  return found;
}

}  // namespace tenure::dbtool
