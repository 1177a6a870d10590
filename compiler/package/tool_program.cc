#include "compiler/package/tool_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/executable_path.h"

extern char** environ;

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStateVariable = "TENURE_STATE=";

std::string StateFromEnvironment() {
  const char* state = std::getenv("TENURE_STATE");
  return state == nullptr ? "" : state;
}

}  // namespace

std::string StateDirectory(const std::string& package_directory) {
  const std::string state = StateFromEnvironment();
  return !state.empty() ? state : package_directory + "/.tenure";
}

bool IsBuildingTool(const std::string& name) {
  return (StateFromEnvironment() + "/").find("/tools/" + name + "/") != std::string::npos;
}

// The tool is built by a process of its own, which has its own diagnostics and leaves the state of
// this build untouched.
Problem BuildToolProgram(const std::string& directory, const std::string& name,
                         const std::string& state, std::string* path) {
  *path = state + "/bin/" + name;
  std::error_code error;
  fs::create_directories(state + "/bin", error);
  if (error) return Problem::OfSystem("cannot make the directory '" + state + "/bin'", error);
  const std::string self = ExecutablePath();
  if (self.empty())
    return Problem(StatusCode::kNotFound, "cannot tell where the compiler itself is");

  std::string words[] = {self, "build", "-w", directory, "-o", *path};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string own_state = std::string(kStateVariable) + state;
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(kStateVariable)) environment.push_back(*variable);
  }
  environment.push_back(own_state.data());
  environment.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, self.c_str(), nullptr, nullptr, argv.data(), environment.data());
  if (failure != 0) return Problem::OfSystem("cannot run '" + self + "'", failure);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Problem(StatusCode::kAborted,
                 "the package in '" + directory + "', which makes it, could not be built");
}

}  // namespace tenure::compiler
