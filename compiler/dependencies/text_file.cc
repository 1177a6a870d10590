#include "compiler/dependencies/text_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

std::string ReadTextFile(const std::string& path, std::string* text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // No data may ever come from a pipe.
  int failure = error ? error.value() : fs::is_regular_file(status) ? 0 : EINVAL;
  if (failure == 0) failure = ReadWholeFile(path, *text);
  return failure == 0 ? "" : "cannot read '" + path + "': " + std::strerror(failure);
}

std::string WriteTextFile(const std::string& path, const std::string& text) {
  std::string there;
  std::error_code error;
  if (fs::is_regular_file(path, error) && ReadWholeFile(path, there) == 0 && there == text) {
    return "";
  }
  // A link stays one.
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  const std::string made = target.string() + ".new" + std::to_string(getpid());
  std::ofstream file(made, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file && std::rename(made.c_str(), target.c_str()) == 0) return "";
  const int failure = errno;
  unlink(made.c_str());
  return "cannot write '" + path + "': " + std::strerror(failure);
}

}  // namespace tenure::compiler
