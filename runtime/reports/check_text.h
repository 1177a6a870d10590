// The text of a failed check, with the values that made it fail.
#pragma once

#include <cstdint>
#include <string>

#include "abi/check_site.h"
#include "abi/object_header.h"

namespace tenure::runtime {

// "subscript out of range: 5 is not in [0..2], the array has 3 elements". The values are those of
// the site's form.
std::string CheckText(const abi::CheckSite& site, int64_t a, int64_t b, int64_t c);

// "assertion failed: x < y (x = 3, y = 2)". A message takes the place of "assertion failed".
std::string AssertionText(const abi::CheckSite& site, abi::Ref message, const uint64_t* values);

}  // namespace tenure::runtime
