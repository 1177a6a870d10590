// What most files of the tools include, precompiled (configure.py). No file includes this header.
#pragma once

#include <nlohmann/json.hpp>

#include "base/common_headers.h"
