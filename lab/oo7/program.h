// The laboratory's OO7: makes a store, or measures one operation of one, with the output of the
// programs of bench/oo7 (bench/support/lines.py reads it).
#pragma once

#include <string>
#include <vector>

namespace tenure::lab::oo7 {

// create SYSTEM STORE CONFIGURATION
// measure SYSTEM STORE OPERATION one|many
// systems: shore, and plain, which has no store: measure plain CONFIGURATION OPERATION one
// Returns the exit status; `*wrong` says what is wrong with the arguments, with status 2.
int Run(const std::vector<std::string>& arguments, std::string* wrong);

}  // namespace tenure::lab::oo7
