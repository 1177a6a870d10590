// The views (values/views.h) that a command uses: those of the library, and those of files.
#pragma once

#include <string>
#include <vector>

#include "dbtool/values/views.h"

namespace tenure::dbtool {

// Finds the views of types. Of several views of a type the first in this order counts: those of the
// files `named`; those of the files in TENURE_VIEWS; those of the packages in which `tenure db` was
// called (TENURE_PACKAGE_VIEWS, set by `tenure`); those in ~/.local/share/tenure/views
// (XDG_DATA_HOME); those of the library. An error in a file that the user has named is the failure;
// an error in another file is written to the standard error, and the file is left out.
Result<Views> FindViews(const std::vector<std::string>& named);

}  // namespace tenure::dbtool
