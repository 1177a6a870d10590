#include "compiler/driver/output_path.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "compiler/package/tool_program.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

OrProblem<std::string> OutputPath(const std::string& output, const PackageSource& package) {
  std::error_code error;
  if (output.empty()) {
    const std::string directory = StateDirectory(package.directory()) + "/bin";
    fs::create_directories(directory, error);
    if (error) return Problem("cannot make the directory '" + directory + "': " + error.message());
    return directory + "/" + package.name();
  }
  fs::path directory = fs::path(output).parent_path();
  if (directory.empty()) directory = ".";
  int failure = 0;
  if (fs::is_directory(output, error)) {
    failure = EISDIR;
  } else if (!fs::is_directory(directory, error)) {
    failure = fs::exists(directory, error) ? ENOTDIR : ENOENT;
  } else if (access(directory.c_str(), W_OK) != 0) {
    failure = errno;
  }
  if (failure == 0) return output;
  return Problem("cannot write '" + output + "': " + std::strerror(failure));
}

Problem CheckMayReplace(const std::string& output, const PackageSource& package) {
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  if (output.empty() || !fs::exists(status) || fs::is_directory(status)) return Problem();
  if (!fs::is_regular_file(status)) {
    return Problem("the output '" + output + "' is there already, and no regular file");
  }
  const auto is_output = [&](const std::string& path) {
    std::error_code ignored;
    return fs::equivalent(path, output, ignored);
  };
  bool is_input = std::ranges::any_of(package.FilesRead(), is_output);
  for (const auto& part : package.packages()) {
    for (const auto* files : {&part->units, &part->c_sources, &part->link_arguments}) {
      is_input |= std::ranges::any_of(*files, is_output);
    }
  }
  // A build file may ask about the program of the last build, which can be executed.
  const bool is_program = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
  is_input |= !is_program && std::ranges::any_of(package.build_file_inputs().paths, is_output);
  if (!is_input) return Problem();
  return Problem("the output '" + output + "' is a file that the program is made from");
}

}  // namespace tenure::compiler
