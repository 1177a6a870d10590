// How the laboratory's programs end when they cannot go on: an experiment that is half done says
// nothing.
#pragma once

#include <string>

#include "base/result.h"

namespace tenure::lab {

// Writes "lab: MESSAGE" to the standard error and ends the program with status 1.
[[noreturn]] void Fail(const std::string& message);

// Ends the program unless the status is ok; `what` names the attempt.
void Check(const Status& status, const char* what);

template <class T>
T Check(Result<T> result, const char* what) {
  Check(result.status(), what);
  return *std::move(result);
}

}  // namespace tenure::lab
