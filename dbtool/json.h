// JSON as the tool writes and reads it: nlohmann's values, whose members keep their order.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace tenure::dbtool {

using Json = nlohmann::ordered_json;

// On one line. Bytes that are not UTF-8 become U+FFFD.
inline std::string LineOf(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline void PrintLine(const Json& value, FILE* to = stdout) {
  fprintf(to, "%s\n", LineOf(value).c_str());
}

}  // namespace tenure::dbtool
