// Keeps Berkeley DB away from the C library's random numbers. It seeds them with the time when the
// first environment is opened (srand), and takes one for the id of each file that it makes (rand);
// glibc's `random` has the same state. A program, or a C library, that draws from them would see
// another sequence in each run.
#pragma once

namespace tenure::store {

// Does nothing. A program in which this is called has functions srand and rand that Berkeley DB's
// calls find first, through the dynamic linker: they answer Berkeley DB with numbers of their own,
// and pass all other calls on to the C library. Any thread may call them at any time.
void LinkTreeRandom();

}  // namespace tenure::store
