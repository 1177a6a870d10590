// JSON as the tool writes and reads it: nlohmann's values, whose members keep their order.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tenure::dbtool {

using Json = nlohmann::ordered_json;

// The value on one line. Bytes that are not UTF-8 become U+FFFD, and characters that act on a
// terminal become escapes.
std::string LineOf(const Json& value);

// Whether arrays and objects of the text are more than 1000 deep within each other. Functions that
// write or walk JSON recurse, so such a text must not be parsed.
bool IsTooDeep(std::string_view json);

inline void PrintLine(const Json& value, FILE* to = stdout) {
  fprintf(to, "%s\n", LineOf(value).c_str());
}

}  // namespace tenure::dbtool
