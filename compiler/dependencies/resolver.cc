#include "compiler/dependencies/resolver.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include "compiler/dependencies/content_hash.h"
#include "compiler/dependencies/git_repository.h"
#include "compiler/dependencies/text_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

struct Resolver::Job {
  std::string directory;  // as given
  fs::path root;          // the same, absolute, links resolved
  Resolution* resolution = nullptr;
  Manifest manifest;
  LockFile old_lock;
  bool had_lock = false;
  bool updates = false;
  std::set<std::string> updated;  // names; empty: all
  bool ignores_vendor = false;
  std::vector<std::string> in_progress;  // names of the packages whose needs are being added
  std::map<std::string, std::unique_ptr<GitRepository>> repositories;
  int state_lock = -1;

  ~Job() {
    if (state_lock >= 0) close(state_lock);
  }
  bool Updates(const std::string& name) const {
    return updates && (updated.empty() || updated.contains(name));
  }
  std::string NameOfRoot() const {
    return !manifest.name.empty() ? manifest.name : root.filename().string();
  }
  std::string PathOf(const std::string& name) const {
    return (fs::path(directory) / name).lexically_normal().string();
  }
};

namespace {

constexpr const char* kVendor = "vendor";
constexpr const char* kVendored = "vendor/tenure-vendor.txt";

// A path, and no URL (https://..., or HOST:PATH as ssh understands it).
bool IsPath(const std::string& git) {
  const size_t colon = git.find(':'), slash = git.find('/');
  return colon == std::string::npos || slash < colon;
}

std::string Described(const Dependency& source, const std::string& directory) {
  if (source.git.empty()) return "'" + directory + "'";
  return source.Version() + " of '" + source.git + "'" +
         (source.subdirectory.empty() ? "" : ", directory '" + source.subdirectory + "'");
}

Problem ReplaceDirectory(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::remove_all(to, error);
  fs::rename(from, to, error);
  return error ? Problem::OfSystem("cannot write the directory '" + to + "'", error) : Problem();
}

Problem MakeEmpty(const std::string& directory) {
  std::error_code error;
  fs::remove_all(directory, error);
  fs::create_directories(directory, error);
  return error ? Problem::OfSystem("cannot make the directory '" + directory + "'", error)
               : Problem();
}

}  // namespace

Problem Resolver::Resolve(const std::string& directory, Resolution* resolution) {
  Job job;
  job.directory = directory;
  job.resolution = resolution;
  TN_RETURN_IF_PROBLEM(Run(job));
  return WriteLock(job);
}

Problem Resolver::Update(const std::string& directory, const std::vector<std::string>& names,
                         Resolution* resolution, std::vector<std::string>* changes) {
  Job job;
  job.directory = directory;
  job.resolution = resolution;
  job.updates = true;
  job.updated.insert(names.begin(), names.end());
  job.ignores_vendor = true;
  TN_RETURN_IF_PROBLEM(Run(job));
  for (const std::string& name : names) {
    if (!resolution->packages.contains(name)) {
      return Problem(StatusCode::kNotFound, "'" + directory + "' needs no package '" + name + "'");
    }
  }
  for (const auto& [name, package] : resolution->packages) {
    const LockedPackage& now = package.locked;
    const LockedPackage* before = job.old_lock.Find(name);
    if (before == nullptr) {
      changes->push_back("added " + name + ": " + Described(now.source, package.directory));
    } else if (before->source != now.source) {
      changes->push_back("changed " + name + ": " + Described(now.source, package.directory));
    } else if (before->commit != now.commit) {
      changes->push_back("changed " + name + ": " + now.source.Version() +
                         " was moved from commit " + before->commit + " to " + now.commit);
    }
  }
  for (const LockedPackage& before : job.old_lock.packages) {
    if (!resolution->packages.contains(before.source.name)) {
      changes->push_back("removed " + before.source.name);
    }
  }
  return WriteLock(job);
}

Problem Resolver::Run(Job& job) {
  std::error_code error;
  job.root = fs::canonical(job.directory, error);
  if (error) return Problem::OfSystem("cannot open '" + job.directory + "'", error);
  job.resolution->directory = job.directory;
  for (const char* name : {kManifestName, kLockName}) {
    job.resolution->inputs.insert(job.PathOf(name));
  }
  bool found = false;
  Problem problem = ReadManifest(job.directory, &job.manifest, &found);
  if (problem.ok()) problem = ReadLock(job.directory, &job.old_lock, &job.had_lock);
  // A lock that cannot be read is no reason not to write another one.
  if (!problem.ok() && job.updates && found) {
    Manifest again;
    if (ReadManifest(job.directory, &again, &found).ok()) problem = {};
    job.old_lock = LockFile();
  }
  if (problem.ok()) problem = AddNeeds(job, job.manifest, nullptr, &job.resolution->needs);
  if (!problem.ok()) return problem;
  // An override must replace a dependency that exists; otherwise the override is a slip.
  for (const Dependency& override : job.manifest.overrides) {
    if (job.resolution->packages.contains(override.name)) continue;
    return Problem(StatusCode::kInvalidArgument, job.PathOf(kManifestName) +
                                                     ": no package needs '" + override.name +
                                                     "', which [overrides] names");
  }
  return {};
}

// Adds the dependencies of a package; `needer` is null for the package that is built.
Problem Resolver::AddNeeds(Job& job, const Manifest& manifest, const ResolvedPackage* needer,
                           std::vector<std::string>* names) {
  const std::string directory = needer == nullptr ? job.directory : needer->directory;
  const std::string where = (fs::path(directory) / kManifestName).lexically_normal().string();
  for (const Dependency& dependency : manifest.dependencies) {
    Need need = {dependency, needer == nullptr ? job.NameOfRoot() : needer->locked.source.name,
                 directory};
    const auto override =
        std::ranges::find(job.manifest.overrides, dependency.name, &Dependency::name);
    const bool is_overridden = override != job.manifest.overrides.end();
    if (is_overridden) need.source = *override;
    // The override is written in the manifest of the package that is built.
    const ResolvedPackage* of = is_overridden ? nullptr : needer;
    Dependency& source = need.source;
    const bool is_fetched = of != nullptr && !of->locked.source.git.empty();
    std::string& path = source.git.empty() ? source.path : source.git;
    if (is_fetched && !source.path.empty()) {
      // Another directory of the same repository.
      const fs::path inside =
          (fs::path(of->locked.source.subdirectory) / source.path).lexically_normal();
      if (inside.is_absolute() || (!inside.empty() && *inside.begin() == "..")) {
        return Problem(StatusCode::kInvalidArgument, where + ": the directory '" + source.path +
                                                         "' of the dependency " + source.name +
                                                         " is not in the package's repository");
      }
      source.git = of->locked.source.git;
      source.tag = of->locked.source.tag;
      source.commit = of->locked.source.commit;
      source.branch = of->locked.source.branch;
      source.subdirectory = inside == "." ? "" : inside.generic_string();
      if (source.subdirectory.ends_with('/')) source.subdirectory.pop_back();
      source.path.clear();
    } else if (!source.git.empty() && !IsPath(source.git)) {
      // A URL means the same everywhere.
    } else if (fs::path(path).is_relative()) {
      if (is_fetched) {
        return Problem(
            StatusCode::kInvalidArgument,
            where + ": the repository '" + path + "' of the dependency " + source.name +
                " is a relative path, and the package has been fetched: a URL is needed");
      }
      const std::string base = of == nullptr ? "" : of->locked.source.path;
      path = (fs::path(base) / path).lexically_normal().generic_string();
      if (path.size() > 1 && path.ends_with('/')) path.pop_back();
    }
    TN_RETURN_IF_PROBLEM(Add(job, need));
    names->push_back(dependency.name);
  }
  return {};
}

Problem Resolver::Add(Job& job, const Need& need) {
  const std::string& name = need.source.name;
  const auto open = std::ranges::find(job.in_progress, name);
  if (open != job.in_progress.end()) {
    std::string chain;
    for (auto it = open; it != job.in_progress.end(); ++it) chain += *it + " needs ";
    return Problem(StatusCode::kConflict, "packages need each other: " + chain + name);
  }
  if (const auto there = job.resolution->packages.find(name);
      there != job.resolution->packages.end()) {
    return AgreesWith(job, need, there->second);
  }
  ResolvedPackage package;
  package.locked.source = need.source;
  package.needed_by = need.needed_by;
  package.directory_of_needer = need.directory_of_needer;
  TN_RETURN_IF_PROBLEM(FindDirectory(job, &package));
  if (name == job.NameOfRoot()) {
    std::error_code ignored;
    return Problem(StatusCode::kConflict,
                   fs::equivalent(package.directory, job.root, ignored)
                       ? "the package '" + name + "' in '" + job.directory + "' needs itself"
                       : "two packages have the name '" + name + "': '" + job.directory +
                             "' and '" + package.directory + "'");
  }
  Manifest manifest;
  bool found = false;
  TN_RETURN_IF_PROBLEM(ReadManifest(package.directory, &manifest, &found));
  job.resolution->inputs.insert(
      (fs::path(package.directory) / kManifestName).lexically_normal().string());
  if (!manifest.name.empty() && manifest.name != name) {
    return Problem(StatusCode::kConflict, "the package in '" + package.directory +
                                              "' has the name '" + manifest.name + "', and not '" +
                                              name + "', as " + need.needed_by + " in '" +
                                              need.directory_of_needer + "' calls it");
  }
  package.locked.version = manifest.version;
  CompareVersions(job, package);
  job.in_progress.push_back(name);
  TN_RETURN_IF_PROBLEM(AddNeeds(job, manifest, &package, &package.locked.needs));
  job.in_progress.pop_back();
  job.resolution->packages.emplace(name, std::move(package));
  return {};
}

// Warns of a tag that is a version, but not the one in the manifest of the package.
void Resolver::CompareVersions(Job& job, const ResolvedPackage& package) {
  const LockedPackage& now = package.locked;
  const LockedPackage* before = job.old_lock.Find(now.source.name);
  const bool is_known =
      before != nullptr && before->source == now.source && before->commit == now.commit;
  const auto of_tag = VersionIn(now.source.tag), of_package = VersionIn(now.version);
  if (is_known || !of_tag || !of_package || *of_tag == *of_package) return;
  job.resolution->warnings.push_back(
      "the package '" + now.source.name + "': tag " + now.source.tag + " of '" + now.source.git +
      "' has version " + now.version + " in its " + kManifestName +
      ", and the tag is used; its author has tagged another commit, or not changed the version");
}

// A build has one package of each name, in one version.
Problem Resolver::AgreesWith(Job& job, const Need& need, const ResolvedPackage& there) {
  const Dependency& source = need.source;
  const Dependency& other = there.locked.source;
  if (source == other) return {};
  std::string directory = job.PathOf(source.path);
  if (!source.path.empty() && !other.path.empty()) {
    std::error_code ignored;
    if (fs::equivalent(directory, there.directory, ignored)) return {};
  }
  const bool is_version =
      !source.git.empty() && source.git == other.git && source.subdirectory == other.subdirectory;
  if (is_version) {
    std::string commit;
    TN_RETURN_IF_PROBLEM(FindCommit(job, source, &commit));
    if (commit == there.locked.commit) return {};
  }
  return Problem(
      StatusCode::kConflict,
      std::string(is_version ? "two versions of the package '" : "two packages have the name '") +
          source.name + "'" + (is_version ? " are needed" : "") + ": " + there.needed_by + " in '" +
          there.directory_of_needer + "' needs " + Described(other, there.directory) + ", " +
          need.needed_by + " in '" + need.directory_of_needer + "' needs " +
          Described(source, directory) +
          "; a build has one package of a name: write the one to use " + "under [overrides] in " +
          job.PathOf(kManifestName));
}

// The commit of a repository's package: the lock's, if it is about the same source.
Problem Resolver::FindCommit(Job& job, const Dependency& source, std::string* commit) {
  const LockedPackage* locked = job.old_lock.Find(source.name);
  if (!source.commit.empty()) {
    *commit = source.commit;
  } else if (locked != nullptr && locked->source == source && !job.Updates(source.name)) {
    *commit = locked->commit;
  } else {
    std::unique_ptr<GitRepository>& repository = job.repositories[source.git];
    if (repository == nullptr) {
      repository = std::make_unique<GitRepository>(
          IsPath(source.git) ? (job.root / source.git).lexically_normal().string() : source.git,
          places_.repositories);
    }
    if (Problem problem = source.branch.empty() ? repository->CommitOfTag(source.tag, commit)
                                                : repository->CommitOfBranch(source.branch, commit);
        !problem.ok()) {
      return problem.Behind("the package '" + source.name + "': ");
    }
  }
  return {};
}

Problem Resolver::FindDirectory(Job& job, ResolvedPackage* package) {
  const Dependency& source = package->locked.source;
  if (source.git.empty()) {
    package->directory = job.PathOf(source.path);
    if (fs::path(source.path).is_absolute()) package->directory = source.path;
    std::error_code error;
    if (fs::is_directory(package->directory, error)) return {};
    return Problem(StatusCode::kNotFound,
                   "there is no package '" + source.name + "': '" + package->directory +
                       "', which " + package->needed_by + " in '" + package->directory_of_needer +
                       "' names, is not a directory");
  }
  if (Problem problem = FindCommit(job, source, &package->locked.commit); !problem.ok()) {
    return problem;
  }
  const LockedPackage* locked = job.old_lock.Find(source.name);
  const bool is_locked =
      locked != nullptr && locked->source == source && locked->commit == package->locked.commit;
  if (is_locked) package->locked.hash = locked->hash;
  const std::string vendored = job.PathOf(std::string(kVendor) + "/" + source.name);
  std::error_code ignored;
  if (job.ignores_vendor || !fs::is_directory(vendored, ignored)) return TakeOut(job, package);
  std::string hash;
  TN_RETURN_IF_PROBLEM(HashPackage(vendored, &hash));
  if (is_locked && hash == locked->hash) {
    package->directory = vendored;
    package->is_vendored = true;
    return {};
  }
  return Problem(
      StatusCode::kConflict,
      "the files in '" + vendored + "' are not those that " + job.PathOf(kLockName) +
          (is_locked ? " has the hash of" : " and the manifests name") +
          ": 'tenure vendor' writes them anew; a package that is to be changed is a dependency "
          "with a path");
}

// Takes the package out of its repository, unless that was done before.
Problem Resolver::TakeOut(Job& job, ResolvedPackage* package) {
  const Dependency& source = package->locked.source;
  const std::string folder = places_.state_of(job.directory) + "/packages";
  const std::string target = folder + "/" + source.name;
  std::error_code error;
  if (job.state_lock < 0) {
    fs::create_directories(folder, error);
    if (error) return Problem::OfSystem("cannot make the directory '" + folder + "'", error);
    job.state_lock = open((folder + "/LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (job.state_lock >= 0 && flock(job.state_lock, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  package->directory = target;
  const std::string expected = package->locked.hash;
  std::string hash;
  if (!expected.empty() && fs::is_directory(target, error)) {
    TN_RETURN_IF_PROBLEM(HashPackage(target, &hash));
    if (hash == expected) return {};
  }
  std::unique_ptr<GitRepository>& repository = job.repositories[source.git];
  if (repository == nullptr) {
    repository = std::make_unique<GitRepository>(
        IsPath(source.git) ? (job.root / source.git).lexically_normal().string() : source.git,
        places_.repositories);
  }
  const std::string made = fs::absolute(folder, error).string() + "/." + source.name + ".new";
  TN_RETURN_IF_PROBLEM(MakeEmpty(made));
  Problem problem = repository->Export(package->locked.commit, source.subdirectory, made);
  if (problem.ok()) problem = HashPackage(made, &hash);
  if (problem.ok() && !expected.empty() && hash != expected) {
    problem = Problem(StatusCode::kConflict, "commit " + package->locked.commit + " of '" +
                                                 source.git + "' has other files than " +
                                                 job.PathOf(kLockName) + " has the hash of");
  }
  if (problem.ok()) {
    package->locked.hash = hash;
    return ReplaceDirectory(made, target);
  }
  fs::remove_all(made, error);
  problem = problem.Behind("the package '" + source.name + "': ");
  if (source.commit.empty() && problem.text().find(" has no commit ") != std::string::npos) {
    return Problem(problem.code(), problem.text() + "; " + source.Version() +
                                       " was moved: 'tenure update " + source.name +
                                       "' takes what it names now");
  }
  return problem;
}

Problem Resolver::WriteLock(Job& job) {
  LockFile lock;
  for (const auto& [name, package] : job.resolution->packages) {
    lock.packages.push_back(package.locked);
  }
  if (lock.packages.empty() && !job.had_lock) return {};
  const std::string path = job.PathOf(kLockName), text = TextOfLock(lock);
  std::string there;
  if (job.had_lock) {
    TN_RETURN_IF_PROBLEM(ReadTextFile(path, &there));
  }
  if (there == text) return {};
  if (keep_lock_) {
    return Problem(
        StatusCode::kReadOnly,
        "'" + path + "' is not up to date, and --locked forbids writing it: run 'tenure update'");
  }
  return WriteTextFile(path, text);
}

Problem Resolver::Vendor(const std::string& directory, std::vector<std::string>* copied) {
  Resolution resolution;
  Job job;
  job.directory = directory;
  job.resolution = &resolution;
  job.ignores_vendor = true;
  TN_RETURN_IF_PROBLEM(Run(job));
  const std::string vendor = job.PathOf(kVendor), list = job.PathOf(kVendored);
  std::error_code error;
  std::string names;
  for (const auto& [name, package] : resolution.packages) {
    if (package.locked.source.git.empty()) continue;
    const std::string target = vendor + "/" + name, made = vendor + "/." + name + ".new";
    TN_RETURN_IF_PROBLEM(MakeEmpty(made));
    fs::copy(package.directory, made, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
             error);
    if (error)
      return Problem::OfSystem("cannot copy '" + package.directory + "' to '" + made + "'", error);
    TN_RETURN_IF_PROBLEM(ReplaceDirectory(made, target));
    copied->push_back(name);
    names += name + "\n";
  }
  std::string before;
  if (fs::exists(list, error)) {
    TN_RETURN_IF_PROBLEM(ReadTextFile(list, &before));
  }
  std::istringstream lines(before);
  for (std::string name; std::getline(lines, name);) {
    const bool is_name = !name.empty() && name[0] != '.' && name.find('/') == std::string::npos;
    if (is_name && std::ranges::find(*copied, name) == copied->end()) {
      fs::remove_all(vendor + "/" + name, error);
    }
  }
  if (copied->empty()) {
    fs::remove(list, error);
    fs::remove(vendor, error);  // if it is empty now
    return WriteLock(job);
  }
  TN_RETURN_IF_PROBLEM(WriteTextFile(list, names));
  return WriteLock(job);
}

}  // namespace tenure::compiler
