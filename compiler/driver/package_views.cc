#include "compiler/driver/package_views.h"

#include <filesystem>

#include "compiler/dependencies/lock_file.h"
#include "compiler/dependencies/manifest.h"
#include "compiler/doc/document.h"
#include "compiler/package/tool_program.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

void AddViewsIn(const fs::path& package, std::vector<std::string>* files) {
  for (const fs::path& folder : {package, package / "src"}) {
    std::error_code error;
    const fs::path file = folder / kViewsName;
    if (fs::is_regular_file(file, error)) files->push_back(file.string());
  }
}

}  // namespace

std::vector<std::string> ViewsOfPackages(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  const fs::path here = fs::absolute(directory, error).lexically_normal();
  fs::path root = here;
  while (!fs::exists(root / kManifestName, error) && root != root.parent_path()) {
    root = root.parent_path();
  }
  // A package without a manifest is known by its sources.
  if (!fs::exists(root / kManifestName, error)) {
    if (!IsPackage(here.string())) return files;
    root = here.filename() == "src" ? here.parent_path() : here;
  }
  LockFile lock;
  bool found = false;
  // A lock that cannot be read stops a build, not a look at data.
  if (ReadLock(root.string(), &lock, &found).ok()) {
    for (const LockedPackage& package : lock.packages) {
      const Dependency& source = package.source;
      if (!source.path.empty()) {
        AddViewsIn((root / source.path).lexically_normal(), &files);
        continue;
      }
      const fs::path vendored = root / "vendor" / source.name;
      AddViewsIn(fs::is_directory(vendored, error)
                     ? vendored
                     : fs::path(StateDirectory(root.string())) / "packages" / source.name,
                 &files);
    }
  }
  AddViewsIn(root, &files);
  return files;
}

}  // namespace tenure::compiler
