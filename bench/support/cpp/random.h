// The random numbers that all programs of a benchmark draw: those of the laboratory.
#pragma once

#include "lab/support/random.h"

namespace bench {

using tenure::lab::Draw;
using tenure::lab::random_state;
using tenure::lab::StartRandom;

}  // namespace bench
