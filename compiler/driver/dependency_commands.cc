#include "compiler/driver/dependency_commands.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "compiler/dependencies/git_repository.h"
#include "compiler/dependencies/package_lock.h"
#include "compiler/dependencies/text_file.h"
#include "compiler/doc/document.h"
#include "compiler/driver/manifests.h"
#include "compiler/driver/new_command.h"
#include "compiler/driver/temporary_directory.h"
#include "compiler/driver/user_cache.h"
#include "compiler/package/installation.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// A path from the package's directory to one that was given from the current directory.
std::string PathFromPackage(const std::string& package, const std::string& given) {
  if (fs::path(given).is_absolute()) return given;
  std::error_code error;
  const fs::path target = fs::canonical(given, error);
  const fs::path from = fs::canonical(package, error);
  return target.lexically_relative(from).generic_string();
}

// The name that the package in a directory gives itself; empty: none.
Problem NameIn(const std::string& directory, std::string* name) {
  Manifest manifest;
  bool found = false;
  Problem problem = ReadManifest(directory, &manifest, &found);
  if (problem.ok()) *name = manifest.name;
  return problem;
}

Problem CheckName(const std::string& given, const std::string& own, std::string* name) {
  if (!given.empty() && !own.empty() && given != own) {
    return Problem("the package has the name '" + own + "', and not '" + given + "'");
  }
  *name = !own.empty() ? own : given;
  return CheckPackageName(*name);
}

Problem CompletePath(const Options& options, Dependency* dependency) {
  const PackageOptions& given = options.package;
  std::error_code error;
  if (!fs::is_directory(given.path, error)) {
    const bool is_version = given.path.find_first_not_of("v0123456789.^~=<> ") == std::string::npos;
    return Problem("'" + given.path + "' is not a directory" +
                   (is_version ? "; packages come from directories and repositories: 'tenure add "
                                 "NAME --git URL --tag " +
                                     given.path + "'"
                               : ""));
  }
  std::string own;
  TN_RETURN_IF_PROBLEM(NameIn(given.path, &own));
  std::string name = given.dependency;
  if (own.empty() && name.empty()) name = fs::canonical(given.path, error).filename().string();
  dependency->path = PathFromPackage(options.directory, given.path);
  return CheckName(name, own, &dependency->name);
}

Problem CompleteGit(const Options& options, Dependency* dependency) {
  const PackageOptions& given = options.package;
  std::error_code error;
  std::string url = given.git;
  dependency->git = given.git;
  if (fs::is_directory(given.git, error)) {
    url = fs::canonical(given.git, error).string();
    dependency->git = PathFromPackage(options.directory, given.git);
  }
  TemporaryDirectory temporary;
  TN_RETURN_IF_PROBLEM(temporary.Make("tenure-add"));
  GitRepository repository(url, RepositoryCache());
  std::string commit = given.commit;
  dependency->tag = given.tag;
  dependency->branch = given.branch;
  dependency->subdirectory = given.subdirectory;
  Problem problem;
  if (!given.tag.empty()) {
    problem = repository.CommitOfTag(given.tag, &commit);
  } else if (!given.branch.empty()) {
    problem = repository.CommitOfBranch(given.branch, &commit);
  } else if (given.commit.empty()) {
    problem = repository.Newest(&dependency->tag, &commit);
  }
  if (!problem.ok()) return problem;
  if (dependency->tag.empty() && dependency->branch.empty()) dependency->commit = commit;
  const std::string files = temporary.path() + "/files";
  fs::create_directory(files, error);
  problem = repository.Export(commit, given.subdirectory, files);
  std::string own;
  if (problem.ok()) problem = NameIn(files, &own);
  if (!problem.ok()) return problem;
  if (own.empty() && given.dependency.empty()) {
    return Problem("the package in '" + given.git +
                   "' has no tenure.toml with a name: say how it is called, 'tenure add NAME "
                   "--git " +
                   given.git + "'");
  }
  return CheckName(given.dependency, own, &dependency->name);
}

// Writes a manifest anew, and the lock; takes back the manifest if that fails.
int Changed(const std::string& directory, const std::function<Problem()>& change) {
  const std::string path = (fs::path(directory) / kManifestName).string();
  const PackageLock lock(directory);
  std::error_code error;
  std::string before;
  const bool was_there = fs::exists(path, error);
  Problem problem;
  if (was_there) problem = ReadTextFile(path, &before);
  if (problem.ok()) problem = change();
  if (!problem.ok()) return problem.Print();
  Resolution resolution;
  // Only what changed is asked for again.
  problem = MakeResolver().Resolve(directory, &resolution);
  PrintWarnings(resolution);
  if (problem.ok()) return kExitOk;
  if (was_there) {
    static_cast<void>(WriteTextFile(path, before));
  } else {
    fs::remove(path, error);
  }
  return problem.Print();
}

// A manifest is made only in the directory of a package.
Problem CheckIsPackage(const std::string& directory) {
  std::error_code error;
  const auto has_manifest = [&](const fs::path& path) {
    return fs::exists(path / kManifestName, error);
  };
  if (has_manifest(directory)) return Problem();
  // These two folders of a package have sources and build files, too.
  const fs::path here = fs::canonical(directory, error);
  const std::string around = here.parent_path().string();
  if ((here.filename() == "src" || here.filename() == "tests") &&
      (has_manifest(around) || IsPackage(around))) {
    return Problem("'" + directory + "' belongs to the package in '" + around +
                   "': run 'tenure add' there");
  }
  if (IsPackage(directory)) return Problem();
  return Problem("'" + directory + "' is no package: it has no " + kManifestName +
                 ", no m3makefile and no sources; run 'tenure add' in a package's directory, or "
                 "make a package with 'tenure new NAME'");
}

bool LooksLikeUrl(const std::string& text) {
  return text.find("://") != std::string::npos || text.ends_with(".git");
}

}  // namespace

int AddDependency(const Options& options) {
  Options completed = options;
  PackageOptions& given = completed.package;
  // `tenure add ../lists` and `tenure add https://host/lists.git` say where the package is.
  std::error_code error;
  const auto is_source = [&](const std::string& text) {
    return LooksLikeUrl(text) || (text.find('/') != std::string::npos && fs::exists(text, error)) ||
           fs::exists(fs::path(text) / kManifestName, error);
  };
  const bool has_option = !given.path.empty() || !given.git.empty();
  if (!has_option && given.source.empty() && is_source(given.dependency)) {
    given.source = std::exchange(given.dependency, "");
  }
  if (given.source.empty() != has_option) {
    return Problem("where is the package? 'tenure add NAME --path DIR', or --git URL")
        .Print(kExitUsage);
  }
  const bool has_version = !given.tag.empty() || !given.commit.empty() || !given.branch.empty() ||
                           !given.subdirectory.empty();
  if (!given.source.empty()) {
    (LooksLikeUrl(given.source) || has_version ? given.git : given.path) = given.source;
  }
  if (has_version && given.git.empty()) {
    return Problem("--tag, --branch, --commit and --directory belong to --git").Print(kExitUsage);
  }
  if (!given.dependency.empty()) {
    if (const Problem problem = CheckPackageName(given.dependency); !problem.ok()) {
      return problem.Print(kExitUsage);
    }
  }
  if (const Problem problem = CheckIsPackage(completed.directory); !problem.ok()) {
    return problem.Print(kExitUsage);
  }
  Dependency dependency;
  const Problem problem = given.git.empty() ? CompletePath(completed, &dependency)
                                            : CompleteGit(completed, &dependency);
  if (!problem.ok()) return problem.Print();
  const int status = Changed(completed.directory,
                             [&] { return WriteDependency(completed.directory, dependency); });
  if (status != kExitOk) return status;
  TrimUserCache(UserCacheDirectory(), UserCacheLimit());
  std::printf("added %s: %s\n", dependency.name.c_str(),
              dependency.git.empty() ? dependency.path.c_str()
                                     : (dependency.git + ", " + dependency.Version()).c_str());
  return kExitOk;
}

int RemoveDependencies(const Options& options) {
  for (const std::string& name : options.package.names) {
    const int status =
        Changed(options.directory, [&] { return RemoveDependency(options.directory, name); });
    if (status != kExitOk) return status;
    std::printf("removed %s\n", name.c_str());
  }
  return kExitOk;
}

int UpdateDependencies(const Options& options) {
  const PackageLock lock(options.directory);
  Resolution resolution;
  std::vector<std::string> changes;
  const Problem problem =
      MakeResolver().Update(options.directory, options.package.names, &resolution, &changes);
  PrintWarnings(resolution);
  if (!problem.ok()) return problem.Print();
  for (const std::string& change : changes) std::puts(change.c_str());
  if (changes.empty()) std::puts("nothing changed");
  TrimUserCache(UserCacheDirectory(), UserCacheLimit());
  return kExitOk;
}

int VendorDependencies(const Options& options) {
  const PackageLock lock(options.directory);
  std::vector<std::string> copied;
  const Problem problem = MakeResolver().Vendor(options.directory, &copied);
  if (!problem.ok()) return problem.Print();
  if (copied.empty()) std::puts("no package comes from a repository: nothing to copy");
  for (const std::string& name : copied) std::printf("copied %s\n", name.c_str());
  return kExitOk;
}

}  // namespace tenure::compiler
