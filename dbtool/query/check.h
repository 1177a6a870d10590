// Checks expressions against the types that the store describes: the names of fields, of elements
// of enumerations and of types are checked before any object is read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dbtool/query/syntax.h"
#include "dbtool/values/container.h"

namespace tenure::dbtool {

enum class StaticKind : uint8_t {
  kAny,  // known only when it is read
  kBoolean,
  kNumber,
  kText,
  kCharacter,
  kEnumeration,
  kSet,
  kArray,
  kRecord,
  kObject,  // or NIL
  kProcedure,
  kList,  // [a, b]
};

struct StaticType {
  StaticKind kind = StaticKind::kAny;
  ValueTypePtr type;                       // of values that are not references
  const StoredField* field = nullptr;      // the field that the value is, or is a part of
  ValueTypePtr whole;                      // the type of that field
  std::vector<const StoredType*> objects;  // kObject: of these types
  std::vector<StaticType> items;           // kList

  bool any() const { return kind == StaticKind::kAny; }
};

// The static type of a kind that has no particular type of values.
StaticType OfKind(StaticKind kind);
// The type of a value that has one of the two types; kAny if they have nothing in common.
StaticType Merged(const StaticType& a, const StaticType& b);

// The names with which a path may begin.
struct Beginnings {
  Datum root;   // none: the database has no root
  Datum names;  // the object that has the names; none: there are none
  std::map<std::string, Datum> bound;
};
// Reads the root, and all names.
Result<Beginnings> ReadBeginnings(Values& values, const Views& views);

// The columns and the type of a query's rows.
struct RowType {
  std::string name;               // of the value's type, for messages; empty: it has none
  StaticType it;                  // the value, or the object
  std::optional<StaticType> key;  // of keyed containers
  bool indexed = false;           // rows have a place in a sequence
  std::vector<SelectItem>* columns = nullptr;  // whose names sort by and having may use
  std::vector<StaticType> column_types;
};

class Checker {
 public:
  Checker(Values& values, const Views& views, const Beginnings& beginnings)
      : values_(values), views_(views), beginnings_(beginnings) {}

  // Gives names their meaning, which changes the expression. Nothing: *problem says why. `row` is
  // null outside of a query's rows.
  std::optional<StaticType> Check(ExprPtr& expr, const RowType* row, QueryProblem* problem);
  // Check, where calls of count, sum, min, max and avg stand for those of a group.
  std::optional<StaticType> CheckGrouped(ExprPtr& expr, const RowType* row,
                                         std::vector<Expr*>* aggregates, QueryProblem* problem);

  // The types that the expression names, with their subtypes: Main.Person. Empty: it names no type.
  std::vector<const StoredType*> TypesNamed(const Expr& expr) const;
  // The type of the elements of a container; nothing: the value is not a container. `key`: for
  // keyed containers, the type of the keys.
  std::optional<StaticType> ElementsOf(const StaticType& type, std::optional<StaticType>* key);
  StaticType OfObjects(std::vector<const StoredType*> objects) const;
  // The type of a field of an object, or of a part of the field.
  StaticType OfValue(const ValueTypePtr& type, const StoredField* field,
                     const ValueTypePtr& whole) const;

 private:
  std::optional<StaticType> Fail(const Expr& expr, const std::string& what);
  std::optional<StaticType> FailAtField(const Expr& expr, const std::string& what);
  std::optional<StaticType> CheckName(ExprPtr& expr);
  std::optional<StaticType> CheckField(ExprPtr& expr);
  std::optional<StaticType> CheckIndex(ExprPtr& expr);
  std::optional<StaticType> CheckJoined(ExprPtr& expr);
  std::optional<StaticType> CheckBinary(ExprPtr& expr);
  std::optional<StaticType> CheckBetween(ExprPtr& expr);
  std::optional<std::pair<StaticType, StaticType>> CheckSides(ExprPtr& left, ExprPtr& right);
  std::optional<StaticType> CheckCompared(const Expr& whole, const Expr& left, const StaticType& a,
                                          const Expr& right, const StaticType& b, bool ordered);
  std::optional<StaticType> CheckCall(ExprPtr& expr);
  std::optional<StaticType> CheckPart(ExprPtr& expr);
  bool Needs(const Expr& part, const StaticType& type, StaticKind wanted);
  bool NamesElement(const Expr& expr) const;
  bool IsFieldOfRow(const std::string& name) const;
  bool IsOfDatabase(const std::string& name) const;
  bool IsKnownName(const Expr& expr) const;
  bool BecomeElements(ExprPtr& expr, const StaticType& type);
  bool BecomeElement(ExprPtr& expr, const ValueType& type);
  std::optional<StaticType> StaticOfDatum(const Datum& value);
  // Nothing: no object has such a field. `first` as for ObjectShape::Find.
  std::optional<StaticType> FieldOfObjects(const std::vector<const StoredType*>& objects,
                                           const std::string& name, bool first = false) const;
  std::optional<StaticType> EntriesOf(const StoredType& type, std::optional<StaticType>* key,
                                      int depth);

  Values& values_;
  const Views& views_;
  const Beginnings& beginnings_;
  const RowType* row_ = nullptr;
  std::vector<Expr*>* aggregates_ = nullptr;
  bool in_aggregate_ = false;
  QueryProblem* problem_ = nullptr;
};

// "; did you mean X?", or nothing.
std::string Suggestion(const std::string& name, const std::vector<std::string>& known);

}  // namespace tenure::dbtool
