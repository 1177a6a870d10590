// Warnings about values that a database cannot keep (docs/language.md 27.3): the checker knows the
// static type of a value that becomes a root, and the declared types of its fields. Objects reached
// through REFANY or through fields of subtypes are named by the commit's report.
#include <algorithm>
#include <deque>
#include <unordered_set>

#include "compiler/check/checker.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

// The static type of an actual, before it was converted to the formal's.
const Type* StaticTypeOf(const Expr* value) {
  while (const auto* convert = ExprAs<const ConvertExpr>(value)) value = convert->operand;
  return value->type;
}

// Each type that is stored is looked at once, breadth-first from a root's.
class StoredParts {
 public:
  // `report(name of the part, its type)` for each that is not kept.
  template <typename Report>
  void Visit(const Type* root, Report&& report) {
    Add(root);
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Type* type = waiting_.front();
      if (const auto* ref = As<RefType>(type)) {
        const Type* referent = Bare(ref->referent);
        const bool has_name = !type->name.empty();
        const std::string name = has_name ? type->name : "(" + TypeToString(type) + ")^";
        const bool has_fields = As<RecordType>(referent) != nullptr || !has_name;
        VisitPart(has_fields ? name : name + "^", referent, report);
        continue;
      }
      for (const ObjectType* at : AncestryOf(As<ObjectType>(type))) {
        VisitFields(TypeToString(at) + ".", at->fields, false, report);
      }
    }
  }

 private:
  static const Type* Bare(const Type* type) {
    while (const auto* packed = As<PackedType>(type)) type = packed->base;
    return Concrete(type);
  }

  // Types whose components are not checked: transient types, REFANY, opaque types that the program
  // does not reveal.
  void Add(const Type* type) {
    type = Concrete(type);
    const auto* ref = As<RefType>(type);
    const auto* object = As<ObjectType>(type);
    const bool stored = (ref != nullptr && ref->traced && !ref->transient) ||
                        (object != nullptr && object->traced && !IsNeverSaved(object));
    if (stored && seen_.insert(type).second) waiting_.push_back(type);
  }

  template <typename Report>
  void VisitFields(const std::string& prefix, const std::vector<Field>& fields, bool transient,
                   Report&& report) {
    if (transient) return;
    for (const Field& field : fields) {
      if (!field.transient) VisitPart(prefix + field.name, field.type, report);
    }
  }

  template <typename Report>
  void VisitPart(const std::string& name, const Type* declared, Report&& report) {
    const Type* type = Bare(declared);
    const auto* ref = As<RefType>(type);
    const auto* object = As<ObjectType>(type);
    if (IsWeakReference(type)) return report(name, type);
    if (const auto* record = As<RecordType>(type)) {
      return VisitFields(name + ".", record->fields, record->transient, report);
    }
    if (const auto* array = As<ArrayType>(type)) {
      if (!array->transient) VisitPart(name + "[]", array->element, report);
      return;
    }
    if (const auto* open = As<OpenArrayType>(type)) {
      if (!open->transient) VisitPart(name + "[]", open->element, report);
      return;
    }
    const bool lost = type->kind == TypeKind::kAddress || (ref != nullptr && !ref->traced) ||
                      (object != nullptr && (!object->traced || IsTransientByNature(object)));
    if (lost) return report(name, declared);
    Add(type);
  }

  std::deque<const Type*> waiting_;
  std::unordered_set<const Type*> seen_;
};

}  // namespace

void Checker::NoteRoot(const CallExpr& call) {
  if (call.method_type->name != "Database.Public") return;
  const std::string& method = call.method_type->methods[call.method].name;
  if (method != "setRoot" && method != "bind") return;
  const Argument& root = call.arguments.back();
  if (!IsError(root.value)) roots_.push_back({unit_, root.value->span, StaticTypeOf(root.value)});
}

void Checker::WarnNotKept() {
  ContextScope context(*this);
  StoredParts parts;
  std::set<std::string> named;
  for (const Root& root : roots_) {
    unit_ = root.unit;
    const auto* object = As<ObjectType>(Concrete(root.type));
    const auto* ref = As<RefType>(Concrete(root.type));
    if ((object != nullptr && object->traced && IsNeverSaved(object)) ||
        (ref != nullptr && ref->transient)) {
      Warn(MessageId::kRootNotKept, root.span, TypeToString(root.type))
          .Hint(object != nullptr
                    ? "keep what is saved in an object with another supertype; a MUTEX may be a "
                      "<*TRANSIENT*> field of it"
                    : "a type that is saved is not <*TRANSIENT*>");
      continue;
    }
    parts.Visit(root.type, [&](const std::string& name, const Type* type) {
      if (named.insert(name).second) {
        Warn(MessageId::kNotKept, root.span, name, TypeToString(type));
      }
    });
  }
}

}  // namespace tenure::compiler
