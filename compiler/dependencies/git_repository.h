// Repositories that packages come from, fetched by the program git.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// The version that a tag is: v1.2.3 or 1.2.3; no other tag is a version.
std::optional<std::array<uint64_t, 3>> VersionIn(std::string_view tag);

// A repository's copy in the user's cache. Processes that use one copy take turns.
class GitRepository {
 public:
  // `url` is what git understands: an absolute path, if it is a path. Copies are in `cache`, which
  // is made when needed.
  GitRepository(std::string url, const std::string& cache);
  ~GitRepository();
  GitRepository(const GitRepository&) = delete;
  GitRepository& operator=(const GitRepository&) = delete;

  // The commit that a tag names at the other side, or the newest one of a branch there; fetches.
  Problem CommitOfTag(const std::string& tag, std::string* commit);
  Problem CommitOfBranch(const std::string& branch, std::string* commit);
  // The newest tag that is a version (v1.2.3 or 1.2.3), or the newest commit of the main branch if
  // there is none: then `tag` is empty. Fetches.
  Problem Newest(std::string* tag, std::string* commit);
  // Sees to it that the copy has the commit: fetches only if it does not.
  Problem Provide(const std::string& commit);
  // Writes the files of a commit, or of one of its directories, to `target`, an existing empty
  // directory. The files are those of the commit, whatever the user's settings are.
  Problem Export(const std::string& commit, const std::string& subdirectory,
                 const std::string& target);

  // From now on functions that would have to fetch fail instead.
  static void StayOffline();

 private:
  Problem Open();
  // Makes the copy anew, empty. `object_format`: "sha1" or "sha256".
  Problem Make(const std::string& object_format);
  Problem Fetch();
  Problem FetchAll();
  // Writes those of the user's settings that say how a server is reached to SettingsPath, the only
  // settings that git has besides ours.
  Problem TakeSettings();
  std::string SettingsPath() const { return directory_ + "/tenure.settings"; }
  bool Has(const std::string& commit);
  // Sets `commit` to the one that the reference FOLDER/NAME has. `kind` is "tag" or "branch".
  Problem CommitOf(const std::string& folder, const std::string& kind, const std::string& name,
                   std::string* commit);
  // Runs git on the copy.
  Problem Git(std::vector<std::string> words, std::string* output = nullptr,
              const std::vector<std::string>& environment = {});

  std::string url_, directory_;
  int lock_ = -1;
  bool fetched_ = false;
};

}  // namespace tenure::compiler
