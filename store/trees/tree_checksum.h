// The checksum of Berkeley DB's pages, faster.
//
// Berkeley DB sums each page of 64 KB that it reads or writes byte by byte, each waiting for the
// one before: a fifth of the time of a cold traversal. It calls the function that does so through
// the dynamic linker, which takes the program's own of that name. The sums are the same, so the
// files are. Where the linker binds otherwise, Berkeley DB's own function does the work as ever.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::store {

// h = 33 h + byte for each byte, from 0, modulo 2^32. Any thread.
uint32_t TreeChecksum(const void* bytes, size_t count);

// Does nothing. A program that calls it is linked with our replacement of Berkeley DB's checksum.
void LinkTreeChecksum();

}  // namespace tenure::store
