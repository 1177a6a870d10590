// A word of a shell's command.
#pragma once

#include <string>
#include <string_view>

namespace tenure {

// The word in quotes, so that a shell takes it as it is.
inline std::string QuotedForShell(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace tenure
