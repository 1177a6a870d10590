#include "compiler/driver/package.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// Calls `see` with the place of each word of a unit's text, until it returns false; leaves out
// comments and pragmas. Not a parser. At ; and = it is called with an empty word.
template <typename See>
void ForEachWord(std::string_view text, See see) {
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
      if (!see(i, end)) return;
      i = end;
    } else {
      if ((c == ';' || c == '=') && !see(i, i)) return;
      ++i;
    }
  }
}

SourceSpan FindWord(const SourceFile& file, std::string_view word) {
  SourceSpan found;
  ForEachWord(file.text(), [&](size_t begin, size_t end) {
    if (file.text().substr(begin, end - begin) != word) return true;
    found = {&file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    return false;
  });
  return found;
}

// The interfaces that a module's heading exports. It only decides which files the checker gets to
// see.
std::vector<std::string> ExportsOf(std::string_view text) {
  std::vector<std::string> words;
  ForEachWord(text, [&](size_t begin, size_t end) {
    if (begin == end) return false;
    words.emplace_back(text.substr(begin, end - begin));
    return true;
  });
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
  installation->boehm_archive = (prefix / "lib" / "libruntime_boehm.a").string();
  installation->explanations = (prefix / "lib" / "explanations.txt").string();
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

std::string PackageSource::Open(const std::string& path, const std::string& library_directory,
                                Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path given = fs::absolute(path, error);
  if (error) return "cannot open '" + path + "': " + error.message();
  const fs::file_status status = fs::status(given, error);
  if (!fs::exists(status)) return "no such package: '" + path + "' does not exist";

  fs::recursive_directory_iterator library(library_directory, error);
  for (; !error && library != fs::recursive_directory_iterator(); library.increment(error)) {
    const std::string file = library->path().string();
    if (IsSourceName(file)) AddFile(file, Origin::kStandard);
  }
  if (error)
    return "cannot read the standard library in '" + library_directory + "': " + error.message();

  if (fs::is_regular_file(status)) {
    if (given.extension() != ".m3") return "'" + path + "' is neither a directory nor a .m3 file";
    directory_ = given.parent_path().string();
    name_ = given.stem().string();
    reader_ = std::make_unique<PackageReader>(diagnostics, directory_ + "/.tenure/derived");
    AddFile(path, Origin::kOwn);
    return "";
  }
  if (!fs::is_directory(status)) return "'" + path + "' is neither a directory nor a .m3 file";
  directory_ = fs::canonical(given, error).string();
  if (error) return "cannot open '" + path + "': " + error.message();
  reader_ = std::make_unique<PackageReader>(diagnostics, directory_ + "/.tenure/derived");
  if (std::string problem = reader_->Read(path); !problem.empty()) return problem;
  for (const auto& package : packages()) {
    const bool is_own = package == packages().back();
    if (is_own) others_ = entries_;
    for (const std::string& unit : package->units) {
      AddFile(unit, is_own ? Origin::kOwn : Origin::kImported, package.get());
    }
  }
  const Package& own = *packages().back();
  makes_program_ = !own.has_build_file || !own.programs.empty();
  orders_ = own.programs;
  name_ = !orders_.empty() ? orders_[0].name : !own.library.empty() ? own.library : own.name;
  return "";
}

size_t PackageSource::MainProgram(const std::string& output) const {
  for (const std::string& wanted :
       {fs::path(output).filename().string(), packages().empty() ? "" : packages().back()->name}) {
    for (size_t i = 0; i < orders_.size(); ++i) {
      if (orders_[i].name == wanted) return i;
    }
  }
  return 0;
}

std::string PackageSource::objects_name() const {
  return orders_.size() > 1 ? packages().back()->name : name_;
}

std::string PackageSource::MainModuleOf(size_t index) const {
  const std::vector<std::string>& units = packages().back()->units;
  const auto mains = [&](size_t from) {
    std::vector<std::string> found;
    for (size_t i = from; i < orders_[index].units; ++i) {
      if (ExportsMain(units[i])) found.push_back(units[i]);
    }
    return found;
  };
  const std::vector<std::string> latest = mains(index == 0 ? 0 : orders_[index - 1].units);
  if (latest.size() == 1) return latest[0];
  const std::vector<std::string> all = mains(0);
  for (const std::string& module : all) {
    const std::string stem = fs::path(module).stem().string();
    const std::string& name = orders_[index].name;
    if (strcasecmp(stem.c_str(), name.c_str()) == 0 ||
        strcasecmp(stem.c_str(), (name + "Main").c_str()) == 0) {
      return module;
    }
  }
  return !all.empty() ? all.back() : "";
}

void PackageSource::UseProgram(size_t index) {
  if (orders_.empty()) return;
  name_ = orders_[index].name;
  if (orders_.size() == 1) return;
  entries_ = others_;
  exporters_.clear();
  const std::string main_module = MainModuleOf(index);
  const Package* package = packages().back().get();
  if (!main_module.empty()) AddFile(main_module, Origin::kOwn, package);
  for (size_t i = 0; i < orders_[index].units; ++i) {
    const std::string& unit = package->units[i];
    if (!ExportsMain(unit)) AddFile(unit, Origin::kOwn, package);
  }
}

bool PackageSource::ExportsMain(const std::string& path) {
  std::string text;
  if (fs::path(path).extension() != ".m3" || ReadWholeFile(path, text) != 0) return false;
  const std::vector<std::string> exports = ExportsOf(text);
  return std::find(exports.begin(), exports.end(), "Main") != exports.end();
}

std::string PackageSource::UseTest(const std::string& module) {
  std::erase_if(entries_, [](const auto& entry) {
    return entry.second->origin == Origin::kOwn && ExportsMain(entry.second->path);
  });
  std::string problem;
  for (const std::string& source : SourcesIn(fs::path(module).parent_path().string(), &problem)) {
    if (!ExportsMain(source)) AddFile(source, Origin::kOwn);
  }
  AddFile(module, Origin::kOwn);
  orders_.clear();
  name_ = "test-" + fs::path(module).stem().string();
  makes_program_ = true;
  return problem;
}

void PackageSource::AddFile(const std::string& path, Origin origin, const Package* package) {
  const std::string file_name = fs::path(path).filename().string();
  Entry*& entry = entries_[file_name];
  if (entry != nullptr && entry->origin >= origin) return;
  const std::string extension = fs::path(path).extension().string();
  if (entry != nullptr && entry->origin == Origin::kStandard &&
      (extension == ".ig" || extension == ".mg")) {
    hidden_generics_[file_name] = entry;
  }
  std::unique_ptr<Entry>& file = files_[path];
  if (file == nullptr) file = std::make_unique<Entry>(Entry{path, origin, package, nullptr});
  entry = file.get();
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
  return it == entries_.end() ? nullptr : Load(*it->second);
}

std::vector<const SourceFile*> PackageSource::PackageUnits() {
  std::vector<const SourceFile*> units;
  for (auto& [file_name, entry] : entries_) {
    const std::string extension = fs::path(file_name).extension().string();
    if (entry->origin == Origin::kOwn && (extension == ".i3" || extension == ".m3"))
      units.push_back(Load(*entry));
  }
  return units;
}

bool PackageSource::IsLibraryFile(const SourceFile* file) const {
  const auto it = loaded_.find(file);
  return it != loaded_.end() && it->second->origin != Origin::kOwn;
}

bool PackageSource::IsStandardFile(const SourceFile* file) const {
  const auto it = loaded_.find(file);
  return it != loaded_.end() && it->second->origin == Origin::kStandard;
}

void PackageSource::ReportPrivateImports(const Program& program, Diagnostics& diagnostics) const {
  for (const CheckedUnit* unit : program.units) {
    const auto importer = loaded_.find(unit->file);
    if (importer == loaded_.end() || importer->second->origin == Origin::kStandard) continue;
    for (const CheckedUnit* import : unit->imports) {
      const auto imported = loaded_.find(import->file);
      if (imported == loaded_.end()) continue;
      const Entry& entry = *imported->second;
      if (entry.package == nullptr || entry.package == importer->second->package ||
          !entry.package->private_units.contains(entry.path)) {
        continue;
      }
      // What is not in the text comes from a generic, which may be the other package's.
      const SourceSpan span = FindWord(*unit->file, import->name);
      if (!span.valid()) continue;
      diagnostics.Error(MessageId::kBuildFile, span,
                        import->name + " is private to package " + entry.package->name);
    }
  }
}

std::vector<std::string> PackageSource::FilesRead() const {
  std::vector<std::string> paths;
  for (const auto& [file, entry] : loaded_) paths.push_back(entry->path);
  return paths;
}

const SourceFile* PackageSource::Interface(std::string_view name) {
  return Find(std::string(name) + ".i3");
}

const SourceFile* PackageSource::FindGeneric(const std::string& file_name,
                                             const SourceFile* instance) {
  if (IsStandardFile(instance)) {
    const auto hidden = hidden_generics_.find(file_name);
    if (hidden != hidden_generics_.end()) return Load(*hidden->second);
  }
  return Find(file_name);
}

const SourceFile* PackageSource::GenericInterface(std::string_view name,
                                                  const SourceFile* instance) {
  return FindGeneric(std::string(name) + ".ig", instance);
}

const SourceFile* PackageSource::GenericModule(std::string_view name, const SourceFile* instance) {
  return FindGeneric(std::string(name) + ".mg", instance);
}

void PackageSource::IndexLibraryModules() {
  for (auto& [file_name, entry] : entries_) {
    if (entry->origin == Origin::kOwn || fs::path(file_name).extension() != ".m3") continue;
    for (const std::string& interface : ExportsOf(Load(*entry)->text())) {
      // A library's own program is not part of ours.
      if (interface == "Main" && entry->origin == Origin::kImported) continue;
      exporters_[interface].push_back(file_name);
    }
  }
}

std::vector<const SourceFile*> PackageSource::ModulesExporting(std::string_view interface) {
  // The package's own interface hides the library's, and its modules are in the program anyway.
  const auto own = entries_.find(std::string(interface) + ".i3");
  if (own != entries_.end() && own->second->origin == Origin::kOwn) return {};
  if (exporters_.empty()) IndexLibraryModules();
  std::vector<const SourceFile*> modules;
  const auto it = exporters_.find(interface);
  if (it == exporters_.end()) return modules;
  for (const std::string& file_name : it->second) modules.push_back(Find(file_name));
  return modules;
}

}  // namespace tenure::compiler
