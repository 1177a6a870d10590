// What an upgrade does with the objects of one stored type: which field becomes which, how, and
// what would be lost.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dbtool/change/converter.h"
#include "dbtool/change/renaming.h"
#include "dbtool/collect/compact.h"
#include "dbtool/stored/program_types.h"
#include "dbtool/values/value_conversion.h"

namespace tenure::dbtool {

struct FieldMove {
  StoredField from, to;
  ValueConversion value;
  std::string member;  // what a converter calls `to` (field_texts.h)
};

// A field whose values would be lost. It may be inside of a field: "plan.mark".
struct GoneField {
  std::string member;        // what a converter calls it (field_texts.h)
  std::string name;          // for the user: TYPE.FIELD, and which part of an array
  bool can_be_read = false;  // by a converter, which settles it
};

struct TypePlan {
  const StoredType* stored = nullptr;
  const ProgramType* program = nullptr;
  std::vector<FieldMove> moves;
  std::optional<ValueConversion> elements;  // of an open array; then there are no moves
  bool asked = false;                       // the converter is
  std::set<std::string> left;               // what it must set (field_texts.h)
  // Stored names of the fields for which nothing else sets a value.
  std::set<std::string> unruled;
  std::vector<GoneField> gone;
  // Set by the upgrade:
  StoredType type;                  // the program's, with its index in the store
  std::vector<std::byte> defaults;  // as in `program`, with procedures
  std::vector<MadeObject> texts;    // texts of fields that are not copied
  // Defaults and texts of an element; slots are from its beginning.
  std::vector<std::byte> element_defaults;
  std::vector<MadeObject> element_texts;
  Conversion conversion;
};

// For two types that differ at most in names: whether the stored type, its supertypes and the types
// that its fields refer to have the names and brands that they have in the program. If not,
// converted objects need a type of their own in the store.
bool HasNamesOf(const StoredType& stored, const StoredType& program);

class TypePlanner {
 public:
  // All arguments must outlive it.
  TypePlanner(const StoredTypes& stored, const store::TypeKeys& program, const Renaming& renaming,
              const DroppedFields& dropped, const Converter* converter)
      : stored_(stored),
        program_(program),
        renaming_(renaming),
        dropped_(dropped),
        converter_(converter) {}

  // Adds to *dropped the fields whose values are lost, because the user allows it or so far.
  // kTypeMismatch names the type and the field for which there is no rule, and says what can be
  // done about it.
  Result<TypePlan> Plan(const std::string& database, const TypeComparison& comparison,
                        std::vector<std::string>* dropped) const;

 private:
  class Planning;

  const StoredTypes& stored_;
  const store::TypeKeys& program_;
  const Renaming& renaming_;
  const DroppedFields& dropped_;
  const Converter* const converter_;
};

}  // namespace tenure::dbtool
