// toml++ as this room uses it: without exceptions. Including it takes long to compile.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>
