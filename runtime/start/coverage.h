// Coverage of a program that was built for it (abi/coverage.h).
#pragma once

namespace tenure::runtime {

// Lets the program count into the file that TENURE_COVERAGE names. Before any compiled code runs.
// Without the variable, without counters or when the file cannot be made, nothing happens.
void StartCoverage();

}  // namespace tenure::runtime
