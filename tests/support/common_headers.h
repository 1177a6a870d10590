// What most tests include, precompiled (configure.py). No file includes this header.
#pragma once

#include <gtest/gtest.h>

#include "base/common_headers.h"
