// Copies of pages that come and go by the hundred with each transaction: twins, and what waits for
// its tree. What is given back is kept for the next one, so that the system need not be asked for
// it, and fill it with zeros, again and again. Any thread.
#pragma once

#include <cstddef>
#include <memory>

namespace tenure::stabilize {

struct GivePageCopyBack {
  void operator()(std::byte* copy) const;
};

// kPageBytes, or null.
using PageCopy = std::unique_ptr<std::byte[], GivePageCopyBack>;

// With any contents.
PageCopy NewPageCopy();

}  // namespace tenure::stabilize
