// The objects of the heap and what refers to them, in a file for `tenure heap` (@M3heapsnapshot).
#pragma once

#include "base/result.h"

namespace tenure::runtime {

// Collects, then writes. Lines, numbers in hexadecimal, objects named by their addresses:
//
//   tenure heap 1
//   t CODE NAME           a type
//   g OBJECT UNIT         a global variable of this unit refers to the object
//   s OBJECT THREAD       a stack or a register of this thread does, perhaps
//   w OBJECT              the object waits for its clean-up
//   o OBJECT CODE BYTES REFERENCE...
//   end
//
// Objects in databases are not there.
Status WriteHeapSnapshot(const char* path);

// The same as an exit action, to the file of the options; says on stderr what went wrong.
void WriteHeapSnapshotAtExit();

}  // namespace tenure::runtime
