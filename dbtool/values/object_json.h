// Objects as JSON from which equal objects can be made: the lines of export and import
// (docs/looking.md, "Export and import").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dbtool/stored/stored_objects.h"
#include "dbtool/values/json.h"
#include "dbtool/values/json_numbers.h"
#include "dbtool/values/object_shape.h"

namespace tenure::dbtool {

// The target of a slot of an object that was read from JSON.
struct JsonSlot {
  uint64_t offset = 0;  // in the payload
  store::PersistentRef target;
};

struct JsonObject {
  std::vector<std::byte> data;  // the payload, with zeros in slots
  std::vector<JsonSlot> slots;
};

// Writes the members with the object's contents, each behind a comma: "text"; or "fields", "value"
// or "elements" with "lengths". If these do not determine every bit, "data" has all bits, in base
// 16. `beside` adds hints for readers to the JSON of a reference. Takes no memory for an object's
// length. A failure of writing is ferror(to).
void WriteObject(const StoredObject& object, const ObjectShape& shape,
                 const std::function<void(store::PersistentRef, Json*)>& beside, FILE* to);

// The inverse. Returns the error in the members, in words; empty: no error. References are
// unchanged; whether they lead to an object is not checked, but each is in a slot of its kind.
std::string TakeObject(const Json& line, const StoredType& type, const ObjectShape& shape,
                       JsonObject* object);

// Writes a value, in the form of WriteObject, into the bits of the payload, and references into the
// slots. Returns the error; empty: there is none.
std::string TakeValue(const Json& json, const ValueType& type, uint64_t bit_offset,
                      JsonObject* object);

}  // namespace tenure::dbtool
