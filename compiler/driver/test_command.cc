#include "compiler/driver/test_command.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/driver/problem.h"
#include "compiler/package/package_source.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// The tests of a package: modules that export Main, and directories of packages.
OrProblem<std::vector<std::string>> TestsIn(const std::string& directory) {
  std::vector<std::string> tests;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().lexically_normal().string();
    std::error_code ignored;
    if (it->is_directory(ignored) && it->path().filename().string()[0] != '.') {
      tests.push_back(path);
    } else if (PackageSource::ExportsMain(path)) {
      tests.push_back(path);
    }
  }
  if (error) return Problem("cannot read the directory '" + directory + "': " + error.message());
  std::sort(tests.begin(), tests.end());
  return tests;
}

// Runs a test. Returns what went wrong, to stand after "FAILED: it".
Problem RunProgram(const std::string& program) {
  std::string path = fs::absolute(program).string();
  char* argv[] = {path.data(), nullptr};
  std::fflush(stdout);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Problem(std::string("cannot be run: ") + std::strerror(errno));
  if (child == 0) {
    // It ends when we are ended, also if that was just now.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(kExitEnvironment);
    execv(path.c_str(), argv);
    std::fprintf(stderr, "tenure: cannot run '%s': %s\n", path.c_str(), std::strerror(errno));
    _exit(kExitEnvironment);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return Problem("was ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) == 0) return Problem();
  return Problem("ended with status " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace

int RunTests(const Options& options) {
  const std::string directory = options.directory + "/tests";
  OrProblem<std::vector<std::string>> tests = TestsIn(directory);
  if (!tests.ok()) return tests.problem().Print();
  int passed = 0, failed = 0;
  bool could_build = true;  // but for errors in the sources
  for (const std::string& test : *tests) {
    Options build = options;
    if (fs::is_directory(test)) {
      build.directory = test;
    } else {
      build.test_module = test;
    }
    std::string program;
    const int status = Build(build, &program);
    could_build &= status != kExitEnvironment;
    const Problem problem = status == kExitEnvironment ? Problem("cannot be built")
                            : status != kExitOk        ? Problem("does not compile")
                            : program.empty()          ? Problem("makes no program")
                                                       : RunProgram(program);
    if (problem.ok()) {
      ++passed;
      std::printf("ok      %s\n", test.c_str());
    } else {
      ++failed;
      std::printf("FAILED  %s: it %s\n", test.c_str(), problem.text().c_str());
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  if (!could_build) return kExitEnvironment;
  return failed == 0 ? kExitOk : kExitProblems;
}

}  // namespace tenure::compiler
