#include "compiler/source/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

std::string CannotWrite(const std::string& path, int error) {
  return "cannot write '" + path + "': " + std::strerror(error);
}

// 0 or an errno value.
int WriteTo(const std::string& path, const char* mode, const std::string& contents) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (file == nullptr) return errno;
  int error = 0;
  errno = 0;
  if (std::fwrite(contents.data(), 1, contents.size(), file) != contents.size()) {
    error = errno != 0 ? errno : EIO;
  }
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

void MakeFolderOf(const std::string& path) {
  std::error_code ignored;  // Opening the file reports the error.
  fs::create_directories(fs::path(path).parent_path(), ignored);
}

}  // namespace

std::string WriteWholeFile(const std::string& path, const std::string& contents) {
  MakeFolderOf(path);
  std::error_code ignored;
  const fs::file_status present = fs::symlink_status(path, ignored);
  if (fs::exists(present) && !fs::is_regular_file(present)) {
    const int error = WriteTo(path, "wb", contents);
    return error == 0 ? "" : CannotWrite(path, error);
  }
  const std::string temporary = path + ".new" + std::to_string(getpid());
  int error = WriteTo(temporary, "wb", contents);
  if (error == 0 && fs::exists(present)) {
    fs::permissions(temporary, present.permissions(), ignored);
  }
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return "";
  unlink(temporary.c_str());
  return CannotWrite(path, error);
}

std::string ReplaceFile(const std::string& path, const std::string& original,
                        const std::string& contents) {
  std::string present;
  if (const int error = ReadWholeFile(path, present); error != 0) return CannotWrite(path, error);
  if (present != original) {
    return "'" + path + "' has changed since it was read: not written; try again";
  }
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? CannotWrite(path, error.value()) : WriteWholeFile(target.string(), contents);
}

std::string WriteIfChanged(const std::string& path, const std::string& contents) {
  std::string present;
  if (ReadWholeFile(path, present) == 0 && present == contents) return "";
  return WriteWholeFile(path, contents);
}

std::string AppendToFile(const std::string& path, const std::string& contents) {
  MakeFolderOf(path);
  const int error = WriteTo(path, "ab", contents);
  return error == 0 ? "" : CannotWrite(path, error);
}

}  // namespace tenure::compiler
