// The sizes of OO7 by name.
#pragma once

#include <cstdlib>
#include <string>

#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

// small, medium, or big (White & DeWitt, "Implementing crash recovery in QuickStore", 1995, 4.2);
// small-x5 has five modules. False: there is no such size.
inline bool ConfigurationNamed(const std::string& name, Configuration* configuration) {
  *configuration = {};
  const size_t dash = name.find("-x");
  const std::string size = name.substr(0, dash);
  if (dash != std::string::npos) configuration->modules = std::atoi(name.c_str() + dash + 2);
  if (size == "medium") {
    configuration->atomic_parts = 200;
    configuration->manual_size = 1000 * 1000;
  } else if (size == "big") {
    configuration->composite_parts = 2000;
    configuration->assembly_levels = 8;
  } else if (size != "small") {
    return false;
  }
  return configuration->modules > 0;
}

}  // namespace tenure::lab::oo7
