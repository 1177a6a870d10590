// Which Berkeley DB stores the pages.
#pragma once

#include <string>

namespace tenure::store {

// The version of the library that runs, as "5.3.28".
std::string BerkeleyDbVersion();

}  // namespace tenure::store
