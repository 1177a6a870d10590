// The resources that a piece of work used, printed in the form of bench/ (bench/support/lines.py
// reads it): for the laboratory's programs of OO7 and OO1.
#pragma once

#include <cstdint>

namespace tenure::lab {

// us since some moment; user and system time are the process's.
struct Spent {
  double elapsed = 0, user = 0, system = 0;
};
Spent Now();

// Prints a line: the name of the work, its count, its cost, and the number of repetitions.
void Tell(const char* what, int64_t count, const Spent& from, const Spent& to, int repeats = 1);

}  // namespace tenure::lab
