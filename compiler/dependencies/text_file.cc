#include "compiler/dependencies/text_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

Problem ReadTextFile(const std::string& path, std::string* text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // No data may ever come from a pipe.
  int failure = error ? error.value() : fs::is_regular_file(status) ? 0 : EINVAL;
  if (failure == 0) failure = ReadWholeFile(path, *text);
  return failure == 0 ? Problem() : Problem::OfSystem("cannot read '" + path + "'", failure);
}

Problem WriteTextFile(const std::string& path, const std::string& text) {
  std::string there;
  std::error_code error;
  if (fs::is_regular_file(path, error) && ReadWholeFile(path, there) == 0 && there == text) {
    return {};
  }
  // A link stays one.
  fs::path target = path;
  if (fs::is_symlink(path, error)) {
    target = fs::weakly_canonical(path, error);
    if (error) return Problem::OfSystem("cannot write '" + path + "'", error);
  }
  const std::string made = target.string() + ".new" + std::to_string(getpid());
  std::ofstream file(made, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  int failure = file ? 0 : errno;
  // The new file has the owner and the mode of the file whose place it takes. Only the superuser
  // can give a file away, so a refusal is no failure.
  if (struct stat old; failure == 0 && stat(target.c_str(), &old) == 0) {
    if (chown(made.c_str(), old.st_uid, old.st_gid) != 0) errno = 0;
    if (chmod(made.c_str(), old.st_mode & 07777) != 0) failure = errno;
  }
  if (failure == 0 && std::rename(made.c_str(), target.c_str()) != 0) failure = errno;
  if (failure == 0) return {};
  unlink(made.c_str());
  return Problem::OfSystem("cannot write '" + path + "'", failure);
}

}  // namespace tenure::compiler
