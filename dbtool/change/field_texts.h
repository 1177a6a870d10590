// Fields of objects as texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dbtool/change/converter.h"
#include "dbtool/collect/compact.h"
#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/program_types.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

// A value that a converter can read and set: that of a field, or of a field of a record in one.
struct TextPart {
  // The name in all commands: "plan.mark"; "mark#1" for a "mark" that a subtype's field hides.
  std::string name;
  // With the value's place and type.
  StoredField field;
  bool is_text = false;  // a TEXT; else at most 64 bits without references and procedures
};

// The name of field number `index` of the type, as in TextPart.
std::string MemberName(const StoredType& type, size_t index);
// All parts of the type, those of a record behind the record. None of them is in an array.
std::vector<TextPart> TextPartsOf(const StoredType& type);

// Values of fields as a converter reads and writes them.
class FieldTexts {
 public:
  // New texts get the program's types of texts, which are added to the store's unless
  // `only_try`: then they have no number.
  FieldTexts(OpenedStore& store, const std::vector<ProgramType>& program, bool only_try)
      : store_(store), program_(program), only_try_(only_try) {}

  // The values of all parts. A text may have any form, and lie in another database of the store;
  // kTypeMismatch when its characters cannot be read.
  Result<FieldValues> Of(const StoredObject& object, ObjectReader& reader);
  // kTypeMismatch when the type has no such part, or the part cannot have the value.
  Status Put(const StoredType& type, const std::string& name, const std::u16string& value,
             Converted* object);
  // The object for a text literal of the program.
  Result<MadeObject> Literal(const DefaultText& text);

 private:
  // The parts of a stored type or of one of the program's, which must outlive this object.
  const std::vector<TextPart>& PartsOf(const StoredType& type);
  Result<const StoredType*> TypeOfTexts(uint64_t element_bytes);
  Result<MadeObject> MakeText(const std::u16string& value, bool wide);

  OpenedStore& store_;
  const std::vector<ProgramType>& program_;
  const bool only_try_;
  std::optional<StoredType> narrow_, wide_;  // with their indexes in the store
  std::map<const StoredType*, std::vector<TextPart>> parts_;
};

}  // namespace tenure::dbtool
