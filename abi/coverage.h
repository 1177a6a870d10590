// Counters of coverage: what a unit that is compiled for `tenure test --coverage` tells the run
// time, and the file into which the run time lets the program count.
#pragma once

#include <cstdint>

namespace tenure::abi {

// One for each object file with counters, in the section kCoverageSection; the linker puts them one
// behind the other. `map` has a line for each counter, in their order:
//   L <TAB> path <TAB> line <TAB> column             a statement
//   B <TAB> path <TAB> line <TAB> column <TAB> n     the nth way out of a choice
//   P <TAB> path <TAB> line <TAB> name               a procedure
// The path is as the compiler was given it. Counters of equal lines are added up: a procedure may
// be compiled in several units.
struct CoverageUnit {
  uint64_t* counters;
  uint64_t count;
  const char* map;
  uint64_t map_bytes;
};
static_assert(sizeof(CoverageUnit) == 32);

inline constexpr char kCoverageSection[] = "tn_coverage";

// A process counts into the file named $TENURE_COVERAGE.PID: this header, `count` counters, and the
// maps of all units. The file is mapped, so the counts survive any end of the process.
struct CoverageFileHeader {
  static constexpr uint64_t kMagic = 0x3130564f434e5400;  // "\0TNCOV01"
  uint64_t magic;
  uint64_t count;
  uint64_t map_bytes;
};

}  // namespace tenure::abi
