// The operations of OO7 on objects with pointers, by name: the laboratory's (lab/oo7/operations.h).
#pragma once

#include <string_view>

#include "bench/oo7/cpp/objects.h"
#include "lab/oo7/operations.h"

namespace oo7 {

using tenure::lab::oo7::kRepeats;
using tenure::lab::oo7::OperationOf;
using Kind = tenure::lab::oo7::Operation;
using Operations = tenure::lab::oo7::Operations<Pointers>;

inline Library* Build(const Configuration& configuration) {
  return tenure::lab::oo7::Builder<Pointers>::Build(configuration);
}

inline int64_t CountIn(const Text& text, char c) {
  return Operations::CountIn(text.chars, text.size, c);
}

}  // namespace oo7
