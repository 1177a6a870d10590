// Copies of pages that come and go by the hundred with each transaction: twins, and what waits for
// its tree. What is given back is kept for the next one, so that the system need not be asked for
// it, and fill it with zeros, again and again. Any thread.
#pragma once

#include <cstddef>
#include <memory>

namespace tenure::store {

struct GivePageCopyBack {
  void operator()(std::byte* copy) const;
};

// kPageBytes, or null.
using PageCopy = std::unique_ptr<std::byte[], GivePageCopyBack>;

// With any contents.
PageCopy NewPageCopy();

// Memory for `count` adjacent pages, with any contents. The system gives all of it at
// once, behind the first megabytes in large pages if it has any: that costs a part of what giving
// each page at its first touch does. Freed when nobody refers to any part of it. Null when there is
// none.
std::shared_ptr<std::byte> NewPageCopies(size_t count);

// The memory, which begins and ends with a page of the system's, is going to be written: the system
// gives all of it now. Where it cannot do that it does so later.
void Populate(void* memory, size_t bytes);

}  // namespace tenure::store
