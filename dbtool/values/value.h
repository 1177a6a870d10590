// Values of stored objects, decoded, and how all commands show them: to people and as JSON.
#pragma once

#include <climits>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dbtool/stored/object_source.h"
#include "dbtool/values/json.h"
#include "dbtool/values/living_types.h"
#include "dbtool/values/object_shape.h"
#include "dbtool/values/texts.h"
#include "dbtool/values/value_type.h"

namespace tenure::dbtool {

enum class DatumKind : uint8_t {
  kNone,  // NIL, or a value that there is not
  kBoolean,
  kInteger,
  kReal,
  kText,
  kCharacter,  // CHAR or WIDECHAR: its code
  kEnumeration,
  kReference,
  kImport,     // of an object of another database: the entry of the import table
  kProcedure,  // the entry of the type table
  kBits,       // an ordinal out of its range, or bits of an unknown type
  kSet,        // the last three kinds lie in an object, `at` `bit_offset`
  kArray,
  kRecord,
};

struct Datum {
  DatumKind kind = DatumKind::kNone;
  __int128 number = 0;  // of ordinals, kBits; of kImport and kProcedure the entry
  double real = 0;
  bool single = false;  // a REAL
  std::string text;     // of kText, UTF-8
  store::PersistentRef reference;
  ValueTypePtr type;  // where it has one
  ObjectPtr at;
  uint64_t bit_offset = 0;

  bool none() const { return kind == DatumKind::kNone; }
};

Datum OfNumber(__int128 number);
Datum OfReal(double number);
Datum OfBoolean(bool value);
Datum OfText(std::string utf8);
Datum OfReference(store::PersistentRef reference);

// How much of a value is shown.
struct ShowLimits {
  uint64_t elements = 20;     // of an array, a set
  uint64_t characters = 200;  // of a text
  int depth = 4;              // of records and arrays within each other
  bool places = false;        // a reference to a text also says where the text is

  // Nothing is left out.
  static ShowLimits None() {
    ShowLimits limits;
    limits.elements = limits.characters = UINT64_MAX;
    limits.depth = INT_MAX;
    return limits;
  }
};

class Values {
 public:
  // The source must outlive it.
  explicit Values(ObjectSource& source) : source_(source), living_(source) {}

  ObjectSource& source() { return source_; }
  const ObjectShape& ShapeOf(const StoredType& type) { return shapes_.Of(type); }

  // Whether values of all kinds say where they lie, in `at` and `bit_offset`.
  void KeepPlaces(bool keep) { keep_places_ = keep; }

  // The value of this type there. kCorrupt: its page is damaged.
  Result<Datum> Read(const ObjectPtr& object, const ValueTypePtr& type, uint64_t bit_offset);
  // Which types have objects, as of the first time that it matters.
  LivingTypes& living() { return living_; }

  // The field of the object, as ObjectShape::Find; nothing: it has none of this name.
  Result<std::optional<Datum>> Field(const ObjectPtr& object, std::string_view member,
                                     bool first = false);
  // Of kRecord, or nothing.
  Result<std::optional<Datum>> FieldOf(const Datum& record, std::string_view name);
  // Element `place`, counted from 0, of kArray.
  Result<Datum> Element(const Datum& array, uint64_t place);
  // Whether a kSet has the element.
  Result<bool> Has(const Datum& set, __int128 element);

  // A reference to a text or an atom becomes the text; other values are unchanged.
  Result<Datum> Resolve(const Datum& value, uint64_t most_characters = UINT64_MAX);

  // For people: the value as the language writes it, on one line. In the place of an unreadable
  // value stands the reason, in angle brackets. A reference to a text is shown as the text, any
  // other as PAGE:OFFSET with the type's name.
  std::string Text(const Datum& value, const ShowLimits& limits = {});
  // A number, a truth value, a text, null, an array or an object of those. References are
  // {"ref": "PAGE:OFFSET"}, texts are texts.
  Json AsJson(const Datum& value, const ShowLimits& limits);

 private:
  Result<Datum> ReadBits(const ObjectPtr& object, const ValueTypePtr& type, uint64_t bit_offset);
  std::string TextOfReference(const Datum& value, const ShowLimits& limits);
  std::string TextOfSet(const Datum& value, const ShowLimits& limits);
  std::string TextAt(const Datum& value, const ShowLimits& limits, int depth);

  ObjectSource& source_;
  ObjectShapes shapes_;
  LivingTypes living_;
  bool keep_places_ = false;
};

// Calls visit(first, last) for each run of elements, in order, until it answers false.
Status ForEachRunOfSet(const Datum& set, const std::function<bool(__int128, __int128)>& visit);

// In double quotes, with escapes as in Modula-3, also for all that IsControl; `more`: the number of
// characters that were cut off.
std::string Quoted(std::string_view utf8, uint64_t more = 0);
// The fewest digits that tell the number from its neighbours: 0.1, 3.0, 1e+100.
std::string RealText(double number, bool single);
// Seconds since 1970 as a date and time of day in UTC; nothing: out of the years 1 to 9999.
std::optional<std::string> TimeText(double seconds);
// Whether a LONGREAL of a field with this name is most likely a point in time.
bool LooksLikeTime(std::string_view field, const Datum& value);

}  // namespace tenure::dbtool
