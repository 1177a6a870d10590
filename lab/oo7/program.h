// The laboratory's OO7: makes a store, measures one operation of one, or writes it as text, with
// the output of the programs of bench/oo7 (bench/support/lines.py reads it).
#pragma once

#include <string>
#include <vector>

namespace tenure::lab::oo7 {

// How `lab --help` describes Run.
extern const char kForms[];

// create SYSTEM STORE CONFIGURATION [OPTION ...]
// measure SYSTEM STORE OPERATION one|many [OPTION ...]
// export SYSTEM STORE
// systems: shore, qs, qs-b, qs-r, e; and plain, which has no store: a configuration stands for it.
// Returns the exit status; `*wrong` says what is wrong with the arguments, with status 2.
int Run(const std::vector<std::string>& arguments, std::string* wrong);

}  // namespace tenure::lab::oo7
