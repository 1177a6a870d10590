// Memory for copies of pages, which come and go by the hundred with each transaction: twins, and
// pages that wait for their tree. Freed memory is kept for the next copy; otherwise the system
// would map it, and fill it with zeros, again and again. Any thread.
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

// Memory for `count` adjacent pages, with undefined contents; null if the system has none. The
// system maps all of it at once, behind the first megabytes in large pages if it has any: cheaper
// than a fault at each page's first touch. Freed with the last reference to any part.
std::shared_ptr<std::byte> NewPageCopies(size_t count);

// Asks the system to map this memory now, since the caller will write all of it. `memory` and
// `bytes` are multiples of the system's page size. Without effect where the system cannot: the
// first touch then maps each page.
void Populate(void* memory, size_t bytes);

}  // namespace tenure::store
