#include "compiler/package/package.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

bool IsSourceName(std::string_view path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".i3" || extension == ".m3" || extension == ".ig" || extension == ".mg";
}

std::vector<std::string> SourcesIn(const std::string& directory, Problem* problem) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    if (IsSourceName(it->path().string()) && it->is_regular_file(ignored)) {
      found.push_back(it->path().lexically_normal().string());  // "./X.m3" is shown as "X.m3"
    }
  }
  if (code) *problem = Problem::OfSystem("cannot read the directory '" + directory + "'", code);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tenure::compiler
