// The page's files, which are part of the program: ours from page/, and D3 as Debian packages it.
#pragma once

#include <string>
#include <string_view>

namespace tenure::dbtool {

struct PageFile {
  const char* path;  // of the request
  const char* type;
  std::string_view content;
};

// Null: there is none.
const PageFile* PageFileAt(const std::string& path);

}  // namespace tenure::dbtool
