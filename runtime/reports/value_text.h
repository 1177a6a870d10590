// Values of the program as texts for reports of errors.
#pragma once

#include <cstdint>
#include <string>

#include "abi/object_header.h"
#include "abi/value_descriptor.h"

namespace tenure::runtime {

// An ordinal as the source writes it: "7", "'x'", "Red". A number that no name belongs to is shown
// as a number.
std::string OrdinalText(const abi::ValueDescriptor& type, int64_t value);

// The bounds of an ordinal type: "[1..10]", "[Red..Blue]".
std::string BoundsText(const abi::ValueDescriptor& type);

// The value at `value`, which has the type's form in memory: "{code = 3, why = \"lost\"}". Long
// texts and arrays are shortened. Reads texts and headers of objects; may fault as the program's
// own code does.
std::string ValueText(const abi::ValueDescriptor& type, const void* value);

// The same for a value in 64 bits, as an assertion passes it (abi::AssertedValue).
std::string AssertedValueText(const abi::ValueDescriptor& type, uint64_t value);

// The name of the object's type; "NIL" for NIL. `object` has a header.
std::string TypeNameOf(abi::Ref object);

// The texts of an atom, or of a list of atoms: "No such file or directory: \"x\" (errno=2)". Empty
// when the reference is NIL or leads to an object of another type.
std::string TextOfAtoms(abi::Ref object);

}  // namespace tenure::runtime
