// The page server of served experiments: as `tenure serve`, but pages may hold anything, since
// systems of the laboratory lay their own objects out on pages.
#pragma once

#include <string>

namespace tenure::lab {

// Prints "serving DIRECTORY" and serves the store until SIGTERM or SIGINT. Ends the program when
// the store cannot be served. Returns the exit status.
int ServeStore(const std::string& directory);

}  // namespace tenure::lab
