#include "compiler/package/build_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/near_names.h"
#include "compiler/package/build_commands.h"
#include "compiler/package/classic_commands.h"
#include "compiler/package/tool_program.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBuildFileName = "m3makefile";

// Packages of the classic distributions whose interfaces are in our own library.
bool IsOwnLibrary(const std::string& name) {
  static const std::set<std::string> names = {"m3core",      "libm3",      "set",        "m3gc",
                                              "persistence", "libpersist", "libpm3",     "store",
                                              "m3bundle",    "bundleintf", "parseparams"};
  return names.count(name) != 0;
}

// Packages whose units our library has as well. If such a package is found, it is used instead of
// the library's units, because it is often part of the tree that is built.
bool IsReplaceable(const std::string& name) { return name == "tcp"; }

std::vector<std::string> SearchPath() {
  std::vector<std::string> directories;
  const char* path = std::getenv("TENURE_PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) directories.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return directories;
}

// The text of a build file; sets `problem` if it cannot be read.
std::string TextOf(const std::string& build_file, Problem* problem) {
  std::error_code error;
  std::string text;
  const fs::file_status status = fs::status(build_file, error);
  int failure = error.value();
  if (!error) {
    // Only regular files: from others, a pipe for example, no data may ever come.
    const bool is_readable = fs::is_regular_file(status) || fs::is_directory(status);
    failure = is_readable ? ReadWholeFile(build_file, text) : EINVAL;
  }
  if (failure != 0) *problem = Problem::OfSystem("cannot read '" + build_file + "'", failure);
  return text;
}

// Whether the text of a build file is nothing but comments.
bool IsBlank(const std::string& text) {
  std::istringstream file(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size())
                                                           : text);
  std::string line;
  while (std::getline(file, line)) {
    const size_t first = line.find_first_not_of(" \t\r\f");
    if (first != std::string::npos && line[first] != '%') return false;
  }
  return true;
}

// Commands run in the folder of generated files; old build files write ../src/F there.
void LinkSources(const std::string& build_file, const std::string& directory) {
  std::error_code error;
  const fs::path sources = fs::canonical(fs::path(build_file).parent_path(), error);
  if (error || sources.filename() != "src") return;
  const fs::path link = fs::path(directory) / "src";
  if (fs::read_symlink(link, error) == sources) return;
  fs::create_directories(directory, error);
  fs::remove(link, error);
  fs::create_symlink(sources, link, error);
}

fs::path FolderAround(const Package& package) {
  const fs::path around = fs::path(package.directory).parent_path();
  return fs::path(package.directory).filename() == "src" ? around.parent_path() : around;
}

}  // namespace

bool IsLibraryPackage(const std::string& name) { return IsOwnLibrary(name) || IsReplaceable(name); }

PackageReader::PackageReader(Diagnostics& diagnostics, std::string derived_directory)
    : diagnostics_(diagnostics), derived_directory_(std::move(derived_directory)) {}

std::string PackageReader::BuildFileIn(const std::string& directory) {
  std::error_code ignored;
  for (const fs::path& candidate :
       {fs::path(directory) / kBuildFileName, fs::path(directory) / "src" / kBuildFileName}) {
    // Also an entry that cannot be read, such as a dangling link: it must not be ignored.
    if (fs::exists(fs::symlink_status(candidate, ignored))) {
      return candidate.lexically_normal().string();
    }
  }
  return "";
}

Problem PackageReader::Read(const std::string& directory) {
  std::error_code error;
  const fs::path absolute = fs::canonical(directory, error);
  if (error) return Problem::OfSystem("cannot open '" + directory + "'", error);
  fs::path named = absolute;
  // The sources may have been given instead of the package around them.
  if (named.filename() == "src" && named.has_parent_path()) named = named.parent_path();
  std::string name = named.filename().string();
  if (name.empty()) name = "program";  // the root directory
  Problem problem;
  ReadPackage(directory, name, &problem);
  if (problem.ok()) problem = TwoOfOneName();
  const std::string build_file = BuildFileIn(directory);
  if (problem.ok() && !build_file.empty() && IsBlank(TextOf(build_file, &problem))) {
    problem = Problem(
        StatusCode::kInvalidArgument,
        "'" + build_file + "' has no commands: name the sources (implementation(\"Main\")) and " +
            "the program (program(\"" + name + "\")), or remove the file to compile all sources");
  }
  if (problem.ok() && !diagnostics_.has_errors()) WarnOfNothingMade(*packages_.back(), name);
  return problem;
}

// Warns of a build file that names units and makes no program or library of them.
void PackageReader::WarnOfNothingMade(const Package& package, const std::string& name) {
  if (!package.has_build_file || package.units.empty() || !package.programs.empty() ||
      !package.library.empty() || !package.end_of_build_file.valid()) {
    return;
  }
  diagnostics_.Warning(MessageId::kBuildFileWarning, package.end_of_build_file,
                       "the build file makes no program and no library; did you mean program(\"" +
                           name + "\") or library(\"" + name + "\")?");
}

Package* PackageReader::ReadPackage(const std::string& directory, const std::string& name,
                                    Problem* problem) {
  auto owned = std::make_unique<Package>();
  Package* package = owned.get();
  std::error_code ignored;
  ManifestFacts facts;
  if (find_manifest_) *problem = find_manifest_(directory, &facts);
  package->name = name;
  // The name of another package is the one by which it was imported.
  if (!facts.name.empty() && in_progress_.empty()) package->name = facts.name;
  package->has_manifest = facts.has_manifest;
  needs_[package] = std::move(facts.needs);
  search_.paths.merge(facts.inputs);
  package->directory = fs::canonical(directory, ignored).string();
  in_progress_.insert(package);
  by_name_.emplace(name, package);
  by_directory_[package->directory] = package;
  // Two packages of one name do not generate files in one folder.
  const int others = of_this_name_[name]++;
  const std::string folder = others == 0 ? name : name + "." + std::to_string(others + 1);

  const std::string build_file = BuildFileIn(directory);
  if (problem->ok() && !build_file.empty()) TextOf(build_file, problem);
  if (!problem->ok()) {
    // The error was already reported.
  } else if (!build_file.empty()) {
    package->has_build_file = true;
    interpreters_.push_back(std::make_unique<quake::Interpreter>(diagnostics_));
    quake::Interpreter& interpreter = *interpreters_.back();
    const std::string derived = derived_directory_ + "/" + folder + "/" + kTargetName;
    LinkSources(build_file, derived_directory_ + "/" + folder);
    interpreter.set_working_directory(derived);
    interpreter.set_place_finder([this](const std::string& path) { return PlaceOfMade(path); });
    const std::function<void()> report_unmade = DefineBuildCommands(
        interpreter, *package, derived,
        [this, package](const quake::Call& call) -> const Package* {
          return Import(call, *package);
        },
        [this](const std::string& what, const std::string& where) { overrides_[what] = where; });
    ReadOverrides(build_file, *package, derived);
    interpreter.set_tool_finder([this, package](const quake::Call& call, const std::string& word) {
      return FindTool(call, *package, word);
    });
    interpreter.Run(build_file);
    report_unmade();
    package->end_of_build_file = interpreter.EndOfFile();
    // The options that the build file added to the command that compiles C.
    std::istringstream command(interpreter.Get("SYSTEM_CC").text());
    std::string word;
    for (command >> word; command >> word;) package->c_options.push_back(word);
  } else {
    package->units = SourcesIn(directory, problem);
    Problem no_src;
    const std::vector<std::string> more =
        SourcesIn((fs::path(directory) / "src").string(), &no_src);
    package->units.insert(package->units.end(), more.begin(), more.end());
    if (problem->ok() && package->units.empty()) {
      *problem = Problem(StatusCode::kNotFound,
                         "no Modula-3 sources (.i3 .m3 .ig .mg) in '" + directory + "'");
    }
  }
  if (problem->ok()) ImportNeeded(*package, problem);
  in_progress_.erase(package);
  packages_.push_back(std::move(owned));
  return package;
}

Package* PackageReader::FindNeeded(const ManifestFacts::Need& need, const Package& importer,
                                   Problem* problem) {
  std::error_code error;
  const auto here = by_directory_.find(fs::canonical(need.directory, error).string());
  if (here == by_directory_.end()) return ReadPackage(need.directory, need.name, problem);
  if (in_progress_.count(here->second) == 0) return here->second;
  *problem = Problem(StatusCode::kConflict,
                     "packages import each other: " + need.name + " imports " + importer.name);
  return nullptr;
}

void PackageReader::ImportNeeded(Package& importer, Problem* problem) {
  const std::vector<ManifestFacts::Need>& needs = needs_[&importer];
  for (const ManifestFacts::Need& need : needs) {
    const Package* needed = FindNeeded(need, importer, problem);
    if (!problem->ok()) return;
    if (std::ranges::find(importer.imports, needed) == importer.imports.end()) {
      importer.imports.push_back(needed);
    }
  }
  if (needs.empty()) return;
  // An interface that two of them offer, or one of them and the package itself, whether it is used
  // or not.
  std::map<std::string, std::pair<const Package*, std::string>> offers;
  const auto offer = [&](const Package& package, bool also_private) {
    for (const std::string& unit : package.units) {
      const fs::path path = unit;
      const bool is_interface = path.extension() == ".i3" || path.extension() == ".ig";
      if (!is_interface || (!also_private && package.private_units.contains(unit))) continue;
      const auto [other, fresh] = offers.insert({path.filename().string(), {&package, unit}});
      if (fresh || other->second.first == &package) continue;
      *problem = Problem(StatusCode::kConflict,
                         "two units have the name " + path.stem().string() + " for the package " +
                             importer.name + " in '" + importer.directory + "': '" +
                             other->second.second + "' of " + other->second.first->name +
                             ", and '" + unit + "' of " + package.name);
    }
  };
  for (const Package* import : importer.imports) offer(*import, /*also_private=*/false);
  offer(importer, /*also_private=*/true);
}

Problem PackageReader::TwoOfOneName() const {
  const auto is_empty = [](const auto& entry) { return entry.second.empty(); };
  if (std::ranges::all_of(needs_, is_empty)) return {};
  std::map<std::string, const Package*> first;
  for (const auto& package : packages_) {
    const auto [other, fresh] = first.insert({package->name, package.get()});
    if (fresh || other->second->directory == package->directory) continue;
    return Problem(StatusCode::kConflict, "two packages have the name '" + package->name + "': '" +
                                              other->second->directory + "' and '" +
                                              package->directory + "'");
  }
  return {};
}

void PackageReader::ReadOverrides(const std::string& build_file, const Package& package,
                                  const std::string& derived) {
  const std::string path = (fs::path(build_file).parent_path() / "m3overrides").string();
  std::error_code ignored;
  search_.paths.insert(path);
  if (!fs::is_regular_file(path, ignored)) return;
  of_overrides_.emplace_back();
  packages_of_overrides_.push_back(package);
  interpreters_.push_back(std::make_unique<quake::Interpreter>(of_overrides_.back()));
  quake::Interpreter& interpreter = *interpreters_.back();
  interpreter.set_working_directory(derived);
  DefineBuildCommands(
      interpreter, packages_of_overrides_.back(), derived,
      [](const quake::Call&) -> const Package* { return nullptr; },
      [this](const std::string& what, const std::string& where) {
        overrides_.emplace(what, where);
      });
  interpreter.Run(path);
}

std::string PackageReader::PlaceOfMade(const std::string& path) const {
  // PACKAGE/TARGET/FILE, where reading of the package has begun.
  const std::string target = std::string("/") + kTargetName;
  for (size_t at = path.find(target); at != std::string::npos; at = path.find(target, at + 1)) {
    const size_t end = at + target.size();
    if (end != path.size() && path[end] != '/') continue;
    std::error_code ignored;
    if (fs::exists(path, ignored)) return "";
    const std::string directory = path.substr(0, at);
    for (const auto& [name, package] : by_name_) {
      if (package->directory != directory) continue;
      return derived_directory_ + "/" + name + target + path.substr(end);
    }
  }
  return "";
}

BuildFileInputs PackageReader::inputs() const {
  BuildFileInputs all = search_;
  for (const auto& interpreter : interpreters_) {
    all.paths.insert(interpreter->inputs().begin(), interpreter->inputs().end());
    all.environment.insert(interpreter->environment().begin(), interpreter->environment().end());
    if (interpreter->had_effects()) all.complete = false;
  }
  if (const char* path = std::getenv("TENURE_PATH")) {
    all.environment["TENURE_PATH"] = path;
  } else {
    all.environment["TENURE_PATH"] = "";
  }
  return all;
}

Package* PackageReader::Import(const quake::Call& call, Package& importer) {
  Package* package = FindImport(call, importer);
  if (package != nullptr) importer.imports.push_back(package);
  return package;
}

Package* PackageReader::FindImport(const quake::Call& call, const Package& importer) {
  const std::string& name = call.Text(0);
  for (const ManifestFacts::Need& need : needs_[&importer]) {
    if (need.name != name) continue;
    Problem problem;
    Package* package = FindNeeded(need, importer, &problem);
    if (!problem.ok()) call.Fail(problem.text());
    if (diagnostics_.has_errors()) call.interpreter.Stop();
    return package;
  }
  if (IsOwnLibrary(name)) return nullptr;
  const auto known = [&](Package* package) -> Package* {
    if (in_progress_.count(package) == 0) return package;
    call.Fail("packages import each other: " + name + " imports " + importer.name);
    return nullptr;
  };
  std::vector<std::string> places = NearPlacesOf(name, importer);
  const size_t near = places.size();
  for (size_t at = 0;; ++at) {
    if (at == near) {
      // Other packages may have a package of this name beside them; then each importer uses its
      // own. A package farther away is shared by all importers.
      if (const auto found = by_name_.find(name); found != by_name_.end())
        return known(found->second);
      for (std::string& place : FarPlacesOf(name, importer)) places.push_back(std::move(place));
    }
    if (at == places.size()) break;
    const std::string place = places[at];
    for (const char* part : {"", "/m3makefile", "/src", "/src/m3makefile"}) {
      search_.paths.insert(place + part);
    }
    Problem problem;
    const bool has_build_file = !BuildFileIn(place).empty();
    Problem ignored;
    if (!has_build_file && SourcesIn(place, &ignored).empty() &&
        SourcesIn(place + "/src", &ignored).empty()) {
      continue;
    }
    // The package may later appear in another folder beside this one.
    if (at >= near) search_.complete = false;
    std::error_code error;
    const auto here = by_directory_.find(fs::canonical(place, error).string());
    if (here != by_directory_.end()) return known(here->second);
    Package* package = ReadPackage(place, name, &problem);
    if (!problem.ok()) call.Fail(problem.text());
    if (diagnostics_.has_errors()) call.interpreter.Stop();
    return package;
  }
  if (IsReplaceable(name)) return nullptr;
  std::string looked;
  for (const std::string& place : places) looked += (looked.empty() ? "" : ", ") + place;
  NearNames similar(name);
  std::error_code ignored;
  for (fs::directory_iterator it(FolderAround(importer), ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    if (it->is_directory(ignored)) similar.Consider(it->path().filename().string());
  }
  call.Fail("there is no package '" + name + "'" +
            (similar.best().empty() ? "" : "; did you mean \"" + similar.best() + "\"?") +
            ": looked for " + looked + " (TENURE_PATH names more directories)");
  return nullptr;
}

std::vector<std::string> PackageReader::NearPlacesOf(const std::string& name,
                                                     const Package& importer) const {
  std::vector<std::string> places;
  if (const auto found = overrides_.find(name); found != overrides_.end()) {
    places.push_back(found->second + "/" + name);
  }
  const fs::path around = FolderAround(importer);
  places.push_back((around / name).string());
  // A test of the package that is tested lies below it.
  for (fs::path above = around; above.has_relative_path(); above = above.parent_path()) {
    if (above.filename() == name) places.push_back(above.string());
  }
  return places;
}

std::vector<std::string> PackageReader::FarPlacesOf(const std::string& name,
                                                    const Package& importer) {
  std::vector<std::string> places;
  const fs::path around = FolderAround(importer);
  // The sources of a tree of packages often lie one folder deeper.
  if (around.has_parent_path()) {
    std::error_code ignored;
    for (fs::directory_iterator it(around.parent_path(), ignored), end; !ignored && it != end;
         it.increment(ignored)) {
      if (!BuildFileIn((it->path() / name).string()).empty()) {
        places.push_back((it->path() / name).string());
      }
    }
  }
  for (const std::string& directory : SearchPath()) {
    places.push_back((fs::path(directory) / name).string());
  }
  return places;
}

std::string PackageReader::FindTool(const quake::Call& call, const Package& importer,
                                    const std::string& command) {
  const std::string name = fs::path(command).filename().string();
  if (name.empty() || IsBuildingTool(name)) return "";
  std::string directory;
  for (const auto& package : packages_) {
    for (const ProgramOrder& program : package->programs) {
      if (program.name == name) directory = package->directory;
    }
  }
  std::vector<std::string> places = NearPlacesOf(name, importer);
  for (std::string& place : FarPlacesOf(name, importer)) places.push_back(std::move(place));
  for (const std::string& place : places) {
    if (directory.empty() && !BuildFileIn(place).empty()) directory = place;
  }
  if (directory.empty()) return "";
  std::string path;
  const Problem problem = BuildToolProgram(
      directory, name, (fs::path(derived_directory_).parent_path() / "tools" / name).string(),
      &path);
  if (!problem.ok()) call.Fail("there is no program '" + command + "': " + problem.text());
  return path;
}

}  // namespace tenure::compiler
