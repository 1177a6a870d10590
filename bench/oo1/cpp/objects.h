// OO1 with C++ objects, in any heap: those of the laboratory (lab/oo1) with pointers, the twin of
// bench/oo1/tenure/OO1.m3. Keep the two in step.
//
// Include a heap before this file (bench/support/cpp/malloc_heap.h).
#pragma once

#include "bench/oo1/cpp/measure.h"
#include "bench/support/cpp/heap_memory.h"

namespace oo1 {

using Operations = tenure::lab::oo1::Operations<bench::Pointers, tenure::lab::oo1::Part>;
using Database = Operations::Db;

inline Database* Build() { return Operations::Build(); }
inline void Perform(Database* db, Operation operation) { Operations::Perform(db, operation); }

// The main program for a heap that ends with the process: NAME OPERATION.
inline int MeasureInMemory(int argc, char** argv) {
  if (argc != 2) bench::Fail("usage: lookup|traversal|insert");
  const Operation operation = OperationNamed(argv[1]);
  Database* db = Build();
  Iterate([&] { Perform(db, operation); }, [](const bench::Spent&) {});
  bench::TellMemory();
  return 0;
}

}  // namespace oo1
