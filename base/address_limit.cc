#include "base/address_limit.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/address.h"

namespace tenure {

size_t WithinAddressLimit(size_t wanted, size_t divisor, size_t alignment) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
  return std::min<size_t>(wanted, AlignDown(limit.rlim_cur / divisor, alignment));
}

}  // namespace tenure
