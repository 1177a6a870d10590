// The laboratory's OO1: makes a store and measures one operation, with the output of the programs
// of bench/oo1 (bench/support/lines.py reads it).
#pragma once

#include <string>
#include <vector>

namespace tenure::lab::oo1 {

// How `lab --help` describes Run.
extern const char kForms[];

// create SYSTEM LAYOUT STORE
// measure SYSTEM LAYOUT STORE OPERATION [--pool=PAGES]
// measure plain LAYOUT OPERATION
// Returns the exit status; `*wrong` says what is wrong with the arguments, with status 2.
int Run(const std::vector<std::string>& arguments, std::string* wrong);

}  // namespace tenure::lab::oo1
