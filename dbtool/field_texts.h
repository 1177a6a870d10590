// Fields of objects as texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dbtool/compact.h"
#include "dbtool/converter.h"
#include "dbtool/object_reader.h"
#include "dbtool/program_types.h"
#include "dbtool/stored_objects.h"

namespace tenure::dbtool {

// Values of fields as a converter reads and writes them.
class FieldTexts {
 public:
  // New texts get the program's types of texts, which are added to the store's unless
  // `only_try`: then they have no number.
  FieldTexts(OpenedStore& store, const std::vector<ProgramType>& program, bool only_try)
      : store_(store), program_(program), only_try_(only_try) {}

  // The fields of at most 64 bits, and texts, as texts. A text may have any form, and lie in
  // another database of the store; kTypeMismatch when its characters cannot be read.
  Result<FieldValues> Of(const StoredObject& object, ObjectReader& reader);
  // kTypeMismatch when the type has no such field, or the field cannot have the value.
  Status Put(const StoredType& type, const std::string& name, const std::u16string& value,
             Converted* object);
  // The object for a text literal of the program.
  Result<MadeObject> Literal(const DefaultText& text);

 private:
  Result<const StoredType*> TypeOfTexts(uint64_t element_bytes);
  Result<MadeObject> MakeText(const std::u16string& value, bool wide);

  OpenedStore& store_;
  const std::vector<ProgramType>& program_;
  const bool only_try_;
  std::optional<StoredType> narrow_, wide_;  // with their indexes in the store
};

}  // namespace tenure::dbtool
