// What a piece of work used, printed as the programs of bench/ print it (bench/support/lines.py
// reads it): the laboratory's programs of OO7 and OO1.
#pragma once

#include <cstdint>

namespace tenure::lab {

// us since some moment; user and system time are the process's.
struct Spent {
  double elapsed = 0, user = 0, system = 0;
};
Spent Now();

// Prints a line: what was done, what it counted, what it took, how often it was repeated in that.
void Tell(const char* what, int64_t count, const Spent& from, const Spent& to, int repeats = 1);

}  // namespace tenure::lab
