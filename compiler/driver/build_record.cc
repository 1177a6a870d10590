#include "compiler/driver/build_record.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "abi/fingerprint.h"
#include "base/executable_path.h"
#include "base/hex.h"
#include "compiler/package/tool_program.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kNanoseconds = 1000000000;

int64_t TimeOf(const timespec& time) { return int64_t{time.tv_sec} * kNanoseconds + time.tv_nsec; }

bool IsSource(const std::string& name) {
  const std::string extension = fs::path(name).extension().string();
  return extension == ".i3" || extension == ".m3" || extension == ".ig" || extension == ".mg";
}

// The names of the sources in a directory; programs and databases may come and go beside them.
std::string StateOfDirectory(const std::string& path) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (IsSource(name)) names.insert(name);
  }
  abi::FingerprintHasher hash;
  for (const std::string& name : names) hash.Add(name);
  return "directory." + std::to_string(hash.Finish());
}

// The options that change a program or the messages about it.
std::string BuildWords(const Options& options) {
  std::string words;
  for (const int choice :
       {int{options.optimize}, int{options.checks}, int{options.debug}, int{options.boehm},
        int{options.faults}, static_cast<int>(options.barriers), int{options.no_warnings},
        int{options.warnings_are_errors}, int{options.verbose}, int{options.linked_static},
        int{options.locked}, int{options.coverage}}) {
    words += std::to_string(choice) + " ";
  }
  for (const std::string& warning : options.disabled_warnings) words += warning + " ";
  return words;
}

// Stands before the name of a variable of the environment, where the path of a file might be.
constexpr char kEnvironmentMark = '\x01';

// Changes when the file does. "-": it is not there. The time of the status change cannot be set
// back, as a copy does with that of the contents.
std::string StateOf(const std::string& path) {
  if (path[0] == kEnvironmentMark) {
    const char* value = std::getenv(path.c_str() + 1);
    abi::FingerprintHasher hash;
    hash.Add(std::string(value != nullptr ? value : ""));
    return "environment." + std::to_string(hash.Finish());
  }
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return "-";
  if (S_ISDIR(status.st_mode)) return StateOfDirectory(path);
  return std::to_string(status.st_dev) + "." + std::to_string(status.st_ino) + "." +
         std::to_string(status.st_size) + "." + std::to_string(TimeOf(status.st_mtim)) + "." +
         std::to_string(TimeOf(status.st_ctim));
}

// Changed after the time, or so shortly before that the file's clock cannot tell.
bool IsNewer(const std::string& path, int64_t time) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) &&
         TimeOf(status.st_ctim) >= time;
}

int64_t Now() {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock of the files' times
  return TimeOf(now);
}

std::string Line(const std::string& path) { return StateOf(path) + " " + path + "\n"; }

// The paths of such lines; none if one of them is in another state.
std::vector<std::string> PathsIfUnchanged(std::string_view lines) {
  std::vector<std::string> paths;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    const size_t blank = lines.find(' ');
    if (end == std::string_view::npos || blank > end) return {};
    paths.emplace_back(lines.substr(blank + 1, end - blank - 1));
    if (StateOf(paths.back()) != lines.substr(0, blank)) return {};
    lines.remove_prefix(end + 1);
  }
  return paths;
}

void WriteRecord(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string temporary = path + ".new" + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

}  // namespace

BuildRecord::BuildRecord(const Options& options) : begun_(Now()) {
  std::error_code error;
  using Command = Options::Command;
  const std::set<Command> recorded = {Command::kBuild, Command::kRun, Command::kTest,
                                      Command::kBench, Command::kDebug};
  if (!recorded.contains(options.command)) return;
  const fs::path package = fs::canonical(options.directory, error);
  if (error || options.dump != Dump::kNone) return;
  const fs::path directory = fs::is_directory(package, error) ? package : package.parent_path();
  const auto text_of = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  // Which tests are run does not change their program.
  const bool is_test = !options.test_module.empty() || !options.test_directory.empty();
  const std::string words = is_test ? BuildWords(options) : options.words;
  // Relative names get into the program by its line tables.
  key_ = fs::current_path(error).string() + "\n" + options.directory + "\n" + options.output +
         "\n" + words + "\n" + text_of("TENURE_STDLIB") + "\n" + text_of("TENURE_STDLIB_NAME") +
         "\n" + StateOf(ExecutableFile());
  abi::FingerprintHasher hash;
  // Builds for the debugger take turns with others in one place, and need records of their own.
  const char* purpose = options.command == Command::kDebug ? "debug\n" : "";
  hash.Add(purpose + package.string() + "\n" + options.output + "\n" + options.test_module + "\n" +
           options.test_directory);
  path_ = StateDirectory(directory.string()) + "/records/" + HexOf(hash.Finish());
}

// The record's lines: the key's, an empty one, then STATE PATH, first that of the program.
std::string BuildRecord::UpToDateProgram() const {
  std::string text;
  if (path_.empty() || ReadWholeFile(path_, text) != 0) return "";
  const std::string head = key_ + "\n\n";
  if (text.compare(0, head.size(), head) != 0) return "";
  const std::vector<std::string> paths =
      PathsIfUnchanged(std::string_view(text).substr(head.size()));
  return paths.empty() ? "" : paths[0];
}

void BuildRecord::AddInput(const std::string& path) {
  if (!path_.empty()) inputs_.emplace(path, StateOf(path));
}

void BuildRecord::AddEnvironment(const std::string& name) { AddInput(kEnvironmentMark + name); }

void BuildRecord::Write(const std::string& program) const {
  if (path_.empty()) return;
  std::string text = key_ + "\n\n" + Line(program);
  for (const auto& [input, state] : inputs_) {
    if (IsNewer(input, begun_)) {
      unlink(path_.c_str());
      return;
    }
    text += state + " " + input + "\n";
  }
  for (const std::string& output : outputs_) text += Line(output);
  WriteRecord(path_, text);
}

ObjectRecord::ObjectRecord(const std::string& object)
    : object_(object), path_(object + ".inputs"), begun_(Now()) {}

bool ObjectRecord::IsUpToDate(std::set<std::string>* inputs) const {
  std::string text;
  if (ReadWholeFile(path_, text) != 0) return false;
  const std::vector<std::string> paths = PathsIfUnchanged(text);
  if (paths.empty()) return false;
  inputs->insert(paths.begin() + 1, paths.end());
  return true;
}

void ObjectRecord::Write(const std::set<std::string>& inputs) const {
  std::string text = Line(object_);
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!fs::exists(input, ignored) || IsNewer(input, begun_)) {
      unlink(path_.c_str());
      return;
    }
    text += Line(input);
  }
  WriteRecord(path_, text);
}

}  // namespace tenure::compiler
