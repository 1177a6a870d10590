// `tenure add`, `remove`, `update` and `vendor`.
#pragma once

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Each reports its changes, and returns an exit status.
int AddDependency(const Options& options);
int RemoveDependencies(const Options& options);
int UpdateDependencies(const Options& options);
int VendorDependencies(const Options& options);

}  // namespace tenure::compiler
