#include "compiler/dependencies/git_repository.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "abi/fingerprint.h"
#include "base/hex.h"

extern char** environ;

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

bool is_offline = false;

// The variables of git that say how a server is reached. Git gets none of its other variables: they
// lead to another repository, change what is printed, or trace.
constexpr std::array<std::string_view, 6> kReachVariables = {
    "GIT_SSH=", "GIT_SSH_COMMAND=", "GIT_SSH_VARIANT=", "GIT_ASKPASS=", "GIT_SSL_", "GIT_HTTP_"};

// The user's settings that say how a server is reached and whose repositories are trusted. Git gets
// none of the others: they are for people (columns, colours, languages), or change what is stored.
constexpr std::array<std::string_view, 8> kReachSettings = {
    "credential.",     "http.",         "https.",       "url.",
    "core.sshcommand", "core.gitproxy", "core.askpass", "safe.directory"};

bool BeginsWithOneOf(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

// Runs a program. Returns its exit status, or -1 if it could not be started; `output` and `said`
// get its standard output and standard error.
int Run(const std::vector<std::string>& words, const std::vector<std::string>& variables,
        std::string* output, std::string* said) {
  // Files, since the two streams may be full at once; in memory, since no directory may be
  // writable.
  const int streams[2] = {memfd_create("output", MFD_CLOEXEC), memfd_create("said", MFD_CLOEXEC)};
  if (streams[0] < 0 || streams[1] < 0) {
    *said = std::string("cannot make a file in memory: ") + std::strerror(errno);
    for (const int stream : streams) {
      if (stream >= 0) close(stream);
    }
    return -1;
  }
  std::vector<char*> argv, environment;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view there = *variable;
    if (there.starts_with("GIT_") && !BeginsWithOneOf(there, kReachVariables)) continue;
    const auto is_given = [&](const std::string& given) {
      return there.starts_with(std::string_view(given).substr(0, given.find('=') + 1));
    };
    if (std::ranges::none_of(variables, is_given)) environment.push_back(*variable);
  }
  for (const std::string& variable : variables) {
    environment.push_back(const_cast<char*>(variable.c_str()));
  }
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, streams[0], 1);
  posix_spawn_file_actions_adddup2(&actions, streams[1], 2);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (error != 0) {
    *said = std::strerror(error);
  } else {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::string* const texts[2] = {output, said};
    for (int i = 0; i < 2; ++i) {
      std::array<char, 65536> part;
      ssize_t count;
      while ((count = pread(streams[i], part.data(), part.size(),
                            static_cast<off_t>(texts[i]->size()))) > 0) {
        texts[i]->append(part.data(), static_cast<size_t>(count));
      }
    }
  }
  for (const int stream : streams) close(stream);
  return status;
}

// One setting as a file of git's settings has it. `printed` is the setting as `git config -z`
// prints it: KEY newline VALUE, where KEY is section.name or section.subsection.name; a KEY alone
// means "true", and stays alone.
std::string SettingLine(const std::string& printed) {
  const size_t behind_key = std::min(printed.find('\n'), printed.size());
  const std::string key = printed.substr(0, behind_key);
  const size_t first = key.find('.'), last = key.rfind('.');
  const auto quoted = [](std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      if (c == '\n') {
        result += "\\n";
      } else {
        result += c;
      }
    }
    return result + "\"";
  };
  std::string line = "[" + key.substr(0, first);
  if (first != last)
    line += " " + quoted(std::string_view(key).substr(first + 1, last - first - 1));
  line += "]\n" + key.substr(last + 1);
  if (behind_key < printed.size())
    line += " = " + quoted(std::string_view(printed).substr(behind_key + 1));
  return line + "\n";
}

std::string WithoutEnd(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace

std::optional<std::array<uint64_t, 3>> VersionIn(std::string_view tag) {
  if (tag.starts_with('v')) tag.remove_prefix(1);
  std::array<uint64_t, 3> version;
  for (size_t i = 0; i < version.size(); ++i) {
    const auto [stop, error] = std::from_chars(tag.begin(), tag.end(), version[i]);
    if (error != std::errc() || stop == tag.begin()) return std::nullopt;
    tag.remove_prefix(static_cast<size_t>(stop - tag.begin()));
    if (i + 1 == version.size()) break;
    if (!tag.starts_with('.')) return std::nullopt;
    tag.remove_prefix(1);
  }
  if (!tag.empty()) return std::nullopt;
  return version;
}

GitRepository::GitRepository(std::string url, const std::string& cache) : url_(std::move(url)) {
  abi::FingerprintHasher hash;
  hash.Add(url_);
  // The last part of the URL is for people who look into the cache.
  std::string last = fs::path(url_).filename().string();
  if (last.ends_with(".git")) last.resize(last.size() - 4);
  std::erase_if(last, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  directory_ = cache + "/" + last.substr(0, 32) + "-" + HexOf(hash.Finish()) + ".git";
}

GitRepository::~GitRepository() {
  if (lock_ >= 0) close(lock_);
}

void GitRepository::StayOffline() { is_offline = true; }

Problem GitRepository::Git(std::vector<std::string> words, std::string* output,
                           const std::vector<std::string>& more) {
  std::vector<std::string> command = {
      "git", "--git-dir=" + directory_, "-c", "gc.auto=0",
      "-c",  "maintenance.auto=false",  "-c", "core.hooksPath=/dev/null"};
  command.insert(command.end(), words.begin(), words.end());
  // A transport of git may run any program; these do not.
  std::vector<std::string> variables = {"GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "LC_ALL=C",
                                        "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
                                        "GIT_CONFIG_GLOBAL=" + SettingsPath()};
  if (isatty(STDIN_FILENO) == 0) variables.emplace_back("GIT_TERMINAL_PROMPT=0");
  variables.insert(variables.end(), more.begin(), more.end());
  std::string printed, said;
  const int status = Run(command, variables, &printed, &said);
  if (output != nullptr) *output = WithoutEnd(printed);
  if (status < 0)
    return Problem(StatusCode::kNotFound, "cannot run the program git: " + said + " (install git)");
  if (status == 0) return {};
  return Problem(StatusCode::kIo, said.empty() ? "git ended with status " + std::to_string(status)
                                               : WithoutEnd(said));
}

Problem GitRepository::Open() {
  if (lock_ >= 0) return {};
  std::error_code error;
  fs::create_directories(fs::path(directory_).parent_path(), error);
  if (error) {
    return Problem(StatusCode::kIo,
                   "cannot make the directory '" + fs::path(directory_).parent_path().string() +
                       "': " + error.message() + " (XDG_CACHE_HOME names another place for it)");
  }
  lock_ = open((directory_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) return Problem::OfSystem("cannot write '" + directory_ + ".lock'", errno);
  while (flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
  }
  // HEAD is among the first files that git makes, `tenure` the last thing that we do.
  if (fs::exists(directory_ + "/tenure", error)) {
    // The cache removes directories that have not been used for long.
    (void)utimensat(AT_FDCWD, directory_.c_str(), nullptr, 0);
    return {};
  }
  return Make("sha1");
}

Problem GitRepository::Make(const std::string& object_format) {
  std::error_code error;
  fs::remove_all(directory_, error);
  TN_RETURN_IF_PROBLEM(Git({"init", "--quiet", "--bare",
                            "--template=", "--object-format=" + object_format, directory_}));
  const int mark = open((directory_ + "/tenure").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (mark < 0) return Problem::OfSystem("cannot write in '" + directory_ + "'", errno);
  close(mark);
  return {};
}

Problem GitRepository::TakeSettings() {
  std::string settings;
  for (const char* const scope : {"--system", "--global"}) {
    // Status 1: there is no such file.
    std::string printed, said;
    if (Run({"git", "config", scope, "--includes", "--list", "-z"}, {"LC_ALL=C"}, &printed,
            &said) != 0) {
      continue;
    }
    std::istringstream entries(printed);
    for (std::string entry; std::getline(entries, entry, '\0');) {
      if (BeginsWithOneOf(entry, kReachSettings)) settings += SettingLine(entry);
    }
  }
  // They may have passwords.
  const std::string path = SettingsPath();
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool is_written = file >= 0 && write(file, settings.data(), settings.size()) ==
                                           static_cast<ssize_t>(settings.size());
  const Problem problem =
      is_written ? Problem() : Problem::OfSystem("cannot write '" + path + "'", errno);
  if (file >= 0) close(file);
  return problem;
}

Problem GitRepository::Fetch() {
  if (fetched_) return {};
  if (is_offline)
    return Problem(StatusCode::kNotSupported, "cannot fetch '" + url_ + "': --offline forbids it");
  TN_RETURN_IF_PROBLEM(Open());
  TN_RETURN_IF_PROBLEM(TakeSettings());
  Problem problem = FetchAll();
  if (problem.text().find("mismatched algorithms") != std::string::npos) {
    // The copy must have the other side's format of objects.
    const bool is_newer = problem.text().find("server sha256") != std::string::npos;
    TN_RETURN_IF_PROBLEM(Make(is_newer ? "sha256" : "sha1"));
    TN_RETURN_IF_PROBLEM(TakeSettings());
    problem = FetchAll();
  }
  if (!problem.ok()) return problem.Behind("cannot fetch '" + url_ + "': ");
  fetched_ = true;
  return {};
}

// Old commits stay in the copy, also those of a tag that was moved. HEAD is a pattern, since the
// other side may have none: its branch may have another name, or no commit yet. The other side may
// be a copy without its older commits (--depth).
Problem GitRepository::FetchAll() {
  return Git({"fetch", "--quiet", "--force", "--prune", "--update-shallow", "--no-write-fetch-head",
              "--", url_, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*",
              "+HEAD*:refs/tenure/HEAD*"});
}

bool GitRepository::Has(const std::string& commit) {
  return Git({"cat-file", "-e", commit + "^{commit}"}).ok();
}

Problem GitRepository::CommitOfTag(const std::string& tag, std::string* commit) {
  return CommitOf("refs/tags/", "tag", tag, commit);
}

Problem GitRepository::CommitOfBranch(const std::string& branch, std::string* commit) {
  return CommitOf("refs/heads/", "branch", branch, commit);
}

Problem GitRepository::CommitOf(const std::string& folder, const std::string& kind,
                                const std::string& name, std::string* commit) {
  TN_RETURN_IF_PROBLEM(Fetch());
  if (Git({"rev-parse", "--verify", "--quiet", folder + name + "^{commit}"}, commit).ok()) {
    return {};
  }
  std::string names;
  static_cast<void>(
      Git({"for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", folder}, &names));
  std::string known;
  std::istringstream lines(names);
  int count = 0;
  for (std::string line; count < 5 && std::getline(lines, line); ++count) {
    known += (known.empty() ? "" : ", ") + line;
  }
  return Problem(
      StatusCode::kNotFound,
      "'" + url_ + "' has no " + kind + " '" + name + "'" +
          (known.empty() ? ", nor any other"
                         : "; its newest " + kind + (kind == "tag" ? "s: " : "es: ") + known));
}

Problem GitRepository::Newest(std::string* tag, std::string* commit) {
  TN_RETURN_IF_PROBLEM(Fetch());
  std::string tags;
  TN_RETURN_IF_PROBLEM(Git({"for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags/"}, &tags));
  std::optional<std::array<uint64_t, 3>> newest;
  std::istringstream lines(tags);
  tag->clear();
  for (std::string line; std::getline(lines, line);) {
    const auto version = VersionIn(line);
    if (!version || (newest && *version <= *newest)) continue;
    newest = version;
    *tag = line;
  }
  if (newest) return CommitOfTag(*tag, commit);
  if (Git({"rev-parse", "--verify", "--quiet", "refs/tenure/HEAD^{commit}"}, commit).ok()) {
    return {};
  }
  std::string branch;
  static_cast<void>(Git({"for-each-ref", "--sort=-committerdate", "--count=1",
                         "--format=%(refname:lstrip=2)", "refs/heads/"},
                        &branch));
  if (branch.empty()) return Problem(StatusCode::kNotFound, "'" + url_ + "' has no commits");
  return Problem(StatusCode::kNotFound, "'" + url_ +
                                            "' has no main branch (its HEAD leads nowhere), and no "
                                            "tag that is a version; name one of its branches: "
                                            "--branch " +
                                            branch);
}

Problem GitRepository::Provide(const std::string& commit) {
  TN_RETURN_IF_PROBLEM(Open());
  if (Has(commit)) return {};
  TN_RETURN_IF_PROBLEM(Fetch());
  if (Has(commit)) return {};
  // Many servers give out a commit that no branch leads to, if one asks for it.
  static_cast<void>(Git({"fetch", "--quiet", "--no-write-fetch-head", "--", url_, commit}));
  if (Has(commit)) return {};
  return Problem(StatusCode::kNotFound, "'" + url_ + "' has no commit " + commit);
}

Problem GitRepository::Export(const std::string& commit, const std::string& subdirectory,
                              const std::string& target) {
  TN_RETURN_IF_PROBLEM(Provide(commit));
  std::string tree = commit + "^{tree}";
  if (!subdirectory.empty()) {
    tree = commit + ":" + fs::path(subdirectory).lexically_normal().generic_string();
    if (tree.ends_with('/')) tree.pop_back();
  }
  std::string type;
  if (!Git({"cat-file", "-t", tree}, &type).ok() || type != "tree") {
    return Problem(StatusCode::kNotFound, "commit " + commit + " of '" + url_ +
                                              "' has no directory '" + subdirectory + "'");
  }
  std::string entries;
  TN_RETURN_IF_PROBLEM(Git({"ls-tree", "-r", tree}, &entries));
  if (entries.starts_with("160000 ") || entries.find("\n160000 ") != std::string::npos) {
    return Problem(StatusCode::kNotSupported,
                   "commit " + commit + " of '" + url_ + "' has submodules, which are not fetched");
  }
  // An index of its own; attributes are those of the tree.
  const std::string index = target + ".index";
  const std::vector<std::string> environment = {"GIT_INDEX_FILE=" + index};
  Problem problem = Git({"read-tree", tree}, nullptr, environment);
  if (problem.ok()) {
    problem =
        Git({"-c", "core.bare=false", "-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c",
             "core.attributesFile=/dev/null", "-c", "core.symlinks=true", "--work-tree=" + target,
             "checkout-index", "--all", "--force", "--prefix=" + target + "/"},
            nullptr, environment);
  }
  unlink(index.c_str());
  return problem.Behind("cannot take the files out of '" + directory_ + "': ");
}

}  // namespace tenure::compiler
