#include "base/address_limit.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/address.h"

namespace tenure {

namespace {

// The limit of a resource; SIZE_MAX: none.
size_t LimitOf(int resource) {
  rlimit limit{};
  const bool limited = getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0 &&
                       limit.rlim_cur != RLIM_INFINITY;
  return limited ? limit.rlim_cur : SIZE_MAX;
}

}  // namespace

size_t WithinAddressLimit(size_t wanted, size_t divisor, size_t alignment) {
  const size_t limit = LimitOf(RLIMIT_AS);
  return limit == SIZE_MAX ? wanted : std::min(wanted, AlignDown(limit / divisor, alignment));
}

size_t WithinDataLimit(size_t wanted, size_t divisor, size_t factor, size_t alignment) {
  const size_t limit = LimitOf(RLIMIT_DATA);
  if (limit == SIZE_MAX || limit / divisor > SIZE_MAX / factor) return wanted;
  return std::min(wanted, AlignDown(limit / divisor * factor, alignment));
}

}  // namespace tenure
