// What @M3gcstats prints.
#pragma once

namespace tenure::runtime {

// The collector's statistics on stderr. An exit action.
void PrintHeapStatistics();

}  // namespace tenure::runtime
