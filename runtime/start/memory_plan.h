// How a program divides the memory that it may use (@M3memory, or what a control group allows) as
// soon as it has a database (docs/stabilization.md, "Memory smaller than the data").
#pragma once

#include <cstdint>
#include <string>

#include "runtime/start/options.h"

namespace tenure::runtime {

// The cache of the program's own page server.
uint64_t ServerCacheOf(const Options& options);

// While a database is open, the heap has at most this much private memory; beyond that it has
// memory of files, which the system writes out. Half of the memory, or less where that would leave
// too little for what a program takes in any case.
uint64_t PrivateHeapOf(const Options& options);

// Why the memory is too little for a program with a database, as a sentence with what is given,
// what is needed, and what to change; empty: it is enough. `taken_bytes`: private memory of the
// process now, without a database and without the heap.
std::string WhyTooLittleMemory(const Options& options, uint64_t taken_bytes);

}  // namespace tenure::runtime
