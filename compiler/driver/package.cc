#include "compiler/driver/package.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

bool IsSourceName(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".i3" || extension == ".m3" || extension == ".ig" || extension == ".mg";
}

std::vector<std::string> SourcesIn(const fs::path& directory, std::error_code& error) {
  std::vector<std::string> found;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (IsSourceName(it->path()) && it->is_regular_file(ignored))
      found.push_back(it->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The interfaces that a module's heading exports, by a scan that skips comments and pragmas. Not a
// parser: it only decides which files the checker gets to see.
std::vector<std::string> ExportsOf(std::string_view text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if ((c == '(' || c == '<') && i + 1 < text.size() && text[i + 1] == '*') {
      const char close = c == '(' ? ')' : '>';
      int depth = 0;
      while (i + 1 < text.size()) {
        if (text[i] == c && text[i + 1] == '*') {
          ++depth;
          i += 2;
        } else if (text[i] == '*' && text[i + 1] == close) {
          i += 2;
          if (--depth == 0) break;
        } else {
          ++i;
        }
      }
      if (i + 1 >= text.size()) break;
    } else if (isalpha(static_cast<unsigned char>(c))) {
      size_t end = i;
      while (end < text.size() &&
             (isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      words.emplace_back(text.substr(i, end - i));
      i = end;
    } else if (c == ';' || c == '=') {
      break;
    } else {
      ++i;
    }
  }
  size_t at = 0;
  if (at < words.size() && words[at] == "UNSAFE") ++at;
  if (at + 1 >= words.size() || words[at] != "MODULE") return {};
  const std::string name = words[at + 1];
  if (at + 2 < words.size() && words[at + 2] == "EXPORTS") {
    return {words.begin() + static_cast<long>(at) + 3, words.end()};
  }
  return {name};
}

}  // namespace

std::string FindInstallation(Installation* installation) {
  char executable[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  if (length <= 0) return "cannot tell where the compiler itself is (/proc is not mounted?)";
  executable[length] = 0;
  const fs::path prefix = fs::path(executable).parent_path().parent_path();
  std::error_code ignored;
  installation->runtime_archive = (prefix / "lib" / "libtenure_runtime.a").string();
  if (!fs::exists(installation->runtime_archive, ignored)) {
    return "the run time is missing: no " + installation->runtime_archive +
           " (build it with ninja)";
  }
  for (const fs::path& candidate : {prefix / "lib" / "stdlib", prefix.parent_path() / "stdlib"}) {
    if (fs::is_directory(candidate, ignored)) {
      installation->library_directory = candidate.string();
      break;
    }
  }
  if (const char* override_ = getenv("TENURE_STDLIB")) installation->library_directory = override_;
  if (installation->library_directory.empty()) {
    return "the standard library is missing: neither " + (prefix / "lib" / "stdlib").string() +
           " nor " + (prefix.parent_path() / "stdlib").string() + " is a directory";
  }
  installation->object_cache = (prefix / "lib" / "objects").string();
  if (fs::exists("/usr/lib/llvm-19/bin/ld.lld", ignored)) {
    installation->linker_directory = "/usr/lib/llvm-19/bin";
  }
  return "";
}

std::string PackageSource::Open(const std::string& path, const std::string& library_directory) {
  std::error_code error;
  const fs::path given = fs::absolute(path, error);
  if (error) return "cannot open '" + path + "': " + error.message();
  const fs::file_status status = fs::status(given, error);
  if (!fs::exists(status)) return "no such package: '" + path + "' does not exist";

  fs::recursive_directory_iterator library(library_directory, error);
  for (; !error && library != fs::recursive_directory_iterator(); library.increment(error)) {
    if (IsSourceName(library->path())) AddFile(library->path().string(), true);
  }
  if (error)
    return "cannot read the standard library in '" + library_directory + "': " + error.message();

  if (fs::is_regular_file(status)) {
    if (given.extension() != ".m3") return "'" + path + "' is neither a directory nor a .m3 file";
    directory_ = given.parent_path().string();
    name_ = given.stem().string();
    AddFile(path, false);
    return "";
  }
  if (!fs::is_directory(status)) return "'" + path + "' is neither a directory nor a .m3 file";
  directory_ = fs::canonical(given, error).string();
  if (error) return "cannot open '" + path + "': " + error.message();
  name_ = fs::path(directory_).filename().string();
  if (name_.empty()) name_ = "program";  // the package is the root directory
  std::vector<std::string> sources = SourcesIn(path, error);
  if (error) return "cannot read the directory '" + path + "': " + error.message();
  if (sources.empty()) {
    std::error_code no_src;
    sources = SourcesIn(fs::path(path) / "src", no_src);
  }
  if (sources.empty()) return "no Modula-3 sources (.i3 .m3 .ig .mg) in '" + path + "'";
  for (const std::string& source : sources) {
    // "./X.m3" is shown as "X.m3".
    AddFile(fs::path(source).lexically_normal().string(), false);
  }
  return "";
}

void PackageSource::AddFile(const std::string& path, bool library) {
  Entry& entry = entries_[fs::path(path).filename().string()];
  if (entry.path.empty() || entry.library) {
    entry.path = path;
    entry.library = library;
  }
}

const SourceFile* PackageSource::Load(Entry& entry) {
  if (entry.file == nullptr) {
    std::string text;
    if (const int error = ReadWholeFile(entry.path, text)) {
      problem_ = "cannot read '" + entry.path + "': " + std::strerror(error);
    }
    entry.file = std::make_unique<SourceFile>(entry.path, std::move(text));
    loaded_[entry.file.get()] = &entry;
  }
  return entry.file.get();
}

const SourceFile* PackageSource::Find(const std::string& file_name) {
  const auto it = entries_.find(file_name);
  return it == entries_.end() ? nullptr : Load(it->second);
}

std::vector<const SourceFile*> PackageSource::PackageUnits() {
  std::vector<const SourceFile*> units;
  for (auto& [file_name, entry] : entries_) {
    const std::string extension = fs::path(file_name).extension().string();
    if (!entry.library && (extension == ".i3" || extension == ".m3")) units.push_back(Load(entry));
  }
  return units;
}

bool PackageSource::IsLibraryFile(const SourceFile* file) const {
  const auto it = loaded_.find(file);
  return it != loaded_.end() && it->second->library;
}

std::vector<std::string> PackageSource::FilesRead() const {
  std::vector<std::string> paths;
  for (const auto& [file, entry] : loaded_) paths.push_back(entry->path);
  return paths;
}

const SourceFile* PackageSource::Interface(std::string_view name) {
  return Find(std::string(name) + ".i3");
}
const SourceFile* PackageSource::GenericInterface(std::string_view name) {
  return Find(std::string(name) + ".ig");
}
const SourceFile* PackageSource::GenericModule(std::string_view name) {
  return Find(std::string(name) + ".mg");
}

void PackageSource::IndexLibraryModules() {
  for (auto& [file_name, entry] : entries_) {
    if (!entry.library || fs::path(file_name).extension() != ".m3") continue;
    for (const std::string& interface : ExportsOf(Load(entry)->text())) {
      exporters_[interface].push_back(file_name);
    }
  }
}

std::vector<const SourceFile*> PackageSource::ModulesExporting(std::string_view interface) {
  // The package's own interface hides the library's, and its modules are in the program anyway.
  const auto own = entries_.find(std::string(interface) + ".i3");
  if (own != entries_.end() && !own->second.library) return {};
  if (exporters_.empty()) IndexLibraryModules();
  std::vector<const SourceFile*> modules;
  const auto it = exporters_.find(interface);
  if (it == exporters_.end()) return modules;
  for (const std::string& file_name : it->second) modules.push_back(Find(file_name));
  return modules;
}

}  // namespace tenure::compiler
