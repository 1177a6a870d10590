#include "compiler/driver/version.h"

#include <llvm/Config/llvm-config.h>

#include <filesystem>
#include <fstream>

#include "abi/program.h"
#include "base/build_id.h"
#include "base/executable_path.h"

namespace tenure::compiler {

namespace {

constexpr const char* kVersion = "0.1.0";

// build.py writes the file after each build: the identifier of the compiler's build, and the
// commit. The commit is not part of the program, which would be linked again, and lose its object
// files, for each commit.
std::string Commit() {
  const std::filesystem::path self = ExecutablePath();
  std::ifstream file(self.parent_path().parent_path() / "lib" / "commit.txt");
  std::string build, commit;
  file >> build >> commit;
  return build == BuildId() && !commit.empty() ? "commit " + commit : "unknown commit";
}

}  // namespace

std::string VersionText() {
  return std::string("tenure ") + kVersion + " (" + Commit() + ", LLVM " + LLVM_VERSION_STRING +
         ", object code " + std::to_string(abi::kAbiVersion) + ")";
}

}  // namespace tenure::compiler
