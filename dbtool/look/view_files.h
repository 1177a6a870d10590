// The views (values/views.h) that a command uses: those of the library, and those of files.
#pragma once

#include <string>
#include <vector>

#include "dbtool/values/views.h"

namespace tenure::dbtool {

// Of several views of a type the one counts that stands first here: those of the files `named`;
// those of the files in TENURE_VIEWS; those of the packages that `tenure db` was called in
// (TENURE_PACKAGE_VIEWS, which `tenure` sets); those in ~/.local/share/tenure/views
// (XDG_DATA_HOME); those of the library. What is wrong with a file that the user has named is the
// failure; one that was found is told on the standard error and left out.
Result<Views> FindViews(const std::vector<std::string>& named);

}  // namespace tenure::dbtool
