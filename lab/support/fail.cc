#include "lab/support/fail.h"

#include <cstdio>
#include <cstdlib>

namespace tenure::lab {

void Fail(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "lab: %s\n", message.c_str());
  std::exit(1);
}

void Check(const Status& status, const char* what) {
  if (status.ok()) return;
  Fail(std::string(what) + ": " + StatusCodeName(status.code()) + ": " + status.text());
}

}  // namespace tenure::lab
