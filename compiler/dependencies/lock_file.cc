#include "compiler/dependencies/lock_file.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "compiler/dependencies/manifest.h"
#include "compiler/dependencies/text_file.h"
#include "compiler/dependencies/toml.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kFormat = 1;

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

bool IsDigits(std::string_view text, size_t size) {
  return text.size() == size &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

constexpr std::string_view kHashHead = "sha256:";

// Whether the entry is complete, so that a build may rely on it.
bool IsWhole(const LockedPackage& package) {
  if (package.source.name.empty()) return false;
  if (package.source.git.empty()) return !package.source.path.empty();
  const std::string_view hash = package.hash;
  return package.source.git[0] != '-' && IsCommit(package.commit) && hash.starts_with(kHashHead) &&
         IsDigits(hash.substr(kHashHead.size()), 64);
}

}  // namespace

const LockedPackage* LockFile::Find(const std::string& name) const {
  for (const LockedPackage& package : packages) {
    if (package.source.name == name) return &package;
  }
  return nullptr;
}

Problem ReadLock(const std::string& directory, LockFile* lock, bool* found) {
  const std::string path = (fs::path(directory) / kLockName).lexically_normal().string();
  std::error_code error;
  *found = fs::exists(fs::symlink_status(path, error));
  if (!*found) return {};
  std::string text;
  TN_RETURN_IF_PROBLEM(ReadTextFile(path, &text));
  const toml::parse_result parsed = toml::parse(text, path);
  const std::string remedy = "; 'tenure update' writes it anew";
  if (!parsed) {
    return Problem(StatusCode::kCorrupt,
                   path + ":" + std::to_string(parsed.error().source().begin.line) + ": " +
                       std::string(parsed.error().description()) + remedy);
  }
  const toml::table& root = parsed.table();
  const int64_t format = root["format"].value_or(int64_t{0});
  if (format > kFormat) {
    return Problem(StatusCode::kFormat, path + ": the lock has the format " +
                                            std::to_string(format) +
                                            ", which a newer tenure writes");
  }
  if (format != kFormat)
    return Problem(StatusCode::kCorrupt, path + ": this is not a lock" + remedy);
  const toml::array* packages = root["package"].as_array();
  if (packages == nullptr) return {};
  for (const toml::node& node : *packages) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return Problem(StatusCode::kCorrupt, path + ": this is not a lock" + remedy);
    const auto text_of = [table](std::string_view key) {
      return (*table)[key].value_or(std::string());
    };
    LockedPackage package;
    package.version = text_of("version");
    package.source = {text_of("name"),      text_of("path"),  text_of("git"), text_of("tag"), "",
                      text_of("directory"), text_of("branch")};
    package.commit = text_of("commit");
    package.hash = text_of("hash");
    if (package.source.tag.empty() && package.source.branch.empty())
      package.source.commit = package.commit;
    if (const toml::array* needs = (*table)["needs"].as_array()) {
      for (const toml::node& need : *needs) package.needs.push_back(need.value_or(std::string()));
    }
    if (!IsWhole(package)) {
      return Problem(StatusCode::kCorrupt, path + ":" + std::to_string(node.source().begin.line) +
                                               ": the package is not described in full" + remedy);
    }
    lock->packages.push_back(std::move(package));
  }
  std::ranges::sort(lock->packages, {}, [](const LockedPackage& package) -> const std::string& {
    return package.source.name;
  });
  return {};
}

std::string TextOfLock(const LockFile& lock) {
  std::string text =
      "# The packages that this one is built with, and the hashes of their files. Written by "
      "tenure;\n"
      "# keep it with the sources.\n"
      "format = " +
      std::to_string(kFormat) + "\n";
  for (const LockedPackage& package : lock.packages) {
    text += "\n[[package]]\n";
    for (const auto& [key, value] :
         {std::pair<const char*, const std::string&>{"name", package.source.name},
          {"version", package.version},
          {"path", package.source.path},
          {"git", package.source.git},
          {"directory", package.source.subdirectory},
          {"tag", package.source.tag},
          {"branch", package.source.branch},
          {"commit", package.commit},
          {"hash", package.hash}}) {
      if (!value.empty()) text += std::string(key) + " = " + Quoted(value) + "\n";
    }
    if (package.needs.empty()) continue;
    text += "needs = [";
    for (const std::string& name : package.needs) {
      text += (text.back() == '[' ? "" : ", ") + Quoted(name);
    }
    text += "]\n";
  }
  return text;
}

}  // namespace tenure::compiler
