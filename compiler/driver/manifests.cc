#include "compiler/driver/manifests.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/shown_text.h"
#include "compiler/dependencies/package_lock.h"
#include "compiler/driver/temporary_directory.h"
#include "compiler/package/installation.h"
#include "compiler/package/tool_program.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

std::string RepositoryCache() {
  if (const std::string cache = UserCacheDirectory(); !cache.empty()) return cache + "/git";
  static TemporaryDirectory of_this_run;
  // Fetching says that it cannot write there.
  if (!of_this_run.Make("tenure-cache").ok()) return "/nonexistent";
  return of_this_run.path() + "/git";
}

Resolver MakeResolver() { return Resolver({RepositoryCache(), StateDirectory}); }

void PrintWarnings(const Resolution& resolution) {
  for (const std::string& warning : resolution.warnings) {
    std::fprintf(stderr, "tenure: warning: %s\n", ShownText(warning).c_str());
  }
}

Problem Manifests::Find(const std::string& directory, ManifestFacts* facts) {
  std::error_code error;
  const std::string here = fs::canonical(directory, error).string();
  if (error) return Problem::OfSystem("cannot open '" + directory + "'", error);
  if (const auto known = known_.find(here); known != known_.end()) {
    *facts = known->second;
    return {};
  }
  Manifest manifest;
  TN_RETURN_IF_PROBLEM(ReadManifest(directory, &manifest, &facts->has_manifest));
  facts->name = manifest.name;
  if (!facts->has_manifest) {
    facts->inputs.insert((fs::path(directory) / kManifestName).lexically_normal().string());
    return {};
  }
  Resolution resolution;
  const PackageLock lock(directory);
  TN_RETURN_IF_PROBLEM(resolver_.Resolve(directory, &resolution));
  PrintWarnings(resolution);
  const auto need = [&](const std::string& name) {
    return ManifestFacts::Need{name, resolution.packages.at(name).directory};
  };
  for (const std::string& name : resolution.needs) facts->needs.push_back(need(name));
  facts->inputs = resolution.inputs;
  known_[here] = *facts;
  for (const auto& [name, package] : resolution.packages) {
    used_repositories_ |= !package.locked.source.git.empty();
    ManifestFacts of_package;
    of_package.has_manifest = fs::exists(fs::path(package.directory) / kManifestName, error);
    of_package.name = name;
    for (const std::string& other : package.locked.needs) of_package.needs.push_back(need(other));
    known_[fs::canonical(package.directory, error).string()] = of_package;
  }
  return {};
}

}  // namespace tenure::compiler
