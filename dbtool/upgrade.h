// Conversion of stored objects to the layouts that a program's types have now. Fields are matched
// by name: new ones get the value that NEW gives them (references NIL), those that are gone are
// dropped, others move; an integer type or subrange may become another one (when the values are in
// it), REAL LONGREAL, a reference REFANY. Fields for which there is no such way a converter
// computes. All databases of a store are converted, or none.
#pragma once

#include <string>
#include <vector>

#include "dbtool/compact.h"
#include "dbtool/converter.h"
#include "dbtool/program_types.h"
#include "dbtool/stored_objects.h"

namespace tenure::dbtool {

// Closes the store. kTypeMismatch names the types and fields that cannot be converted, or the
// object with a value that does not fit; then nothing has been changed. The converter may be null.
Result<RewriteTotals> Upgrade(OpenedStore& store, const std::vector<std::string>& databases,
                              const std::vector<ProgramType>& program,
                              Converter* converter = nullptr);

}  // namespace tenure::dbtool
