#include "compiler/package/package_source.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/near_names.h"
#include "compiler/package/tool_program.h"

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

// The interfaces that a module's heading exports. The result only decides which files the checker
// reads.
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

// Whether the procedure is named as a test is: the prefix, then no small letter.
bool IsTestName(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) &&
         (name.size() == prefix.size() || name[prefix.size()] < 'a' || name[prefix.size()] > 'z');
}

// The problem of two files of a package with one name. Modules that export Main may share a
// name: each program chooses one.
Problem TwoOfOneName(const Package& package) {
  std::map<std::string, std::string> path_of;
  for (const std::string& unit : package.units) {
    const auto [first, fresh] = path_of.insert({fs::path(unit).filename().string(), unit});
    std::error_code ignored;
    if (fresh || fs::equivalent(first->second, unit, ignored)) continue;
    if (PackageSource::ExportsMain(unit) || PackageSource::ExportsMain(first->second)) continue;
    return Problem(StatusCode::kConflict, "package '" + package.name + "' has the unit " +
                                              first->first + " twice: in '" + first->second +
                                              "' and in '" + unit + "'");
  }
  return {};
}

// "; did you mean 'NAME'?" of a directory or source beside the path, or nothing.
std::string Meant(const fs::path& path) {
  NearNames near(path.filename().string());
  std::error_code error;
  for (fs::directory_iterator it(path.parent_path(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.') && (it->is_directory(ignored) || IsSourceName(name))) {
      near.Consider(name);
    }
  }
  return near.best().empty() ? "" : "; did you mean '" + near.best() + "'?";
}

}  // namespace

Problem PackageSource::Open(const std::string& path, const std::string& library_directory,
                            Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path given = fs::absolute(path, error);
  if (error) return Problem::OfSystem("cannot open '" + path + "'", error);
  const fs::file_status status = fs::status(given, error);
  if (status.type() == fs::file_type::none)
    return Problem::OfSystem("cannot open '" + path + "'", error);
  if (!fs::exists(status))
    return Problem(StatusCode::kNotFound,
                   "no such package: '" + path + "' does not exist" + Meant(given));

  library_directory_ = library_directory;
  if (library_name_.empty()) library_name_ = library_directory;
  fs::recursive_directory_iterator library(library_directory, error);
  for (; !error && library != fs::recursive_directory_iterator(); library.increment(error)) {
    const std::string file = library->path().string();
    if (IsSourceName(file)) AddFile(file, &standard_);
  }
  if (error) {
    return Problem::OfSystem("cannot read the standard library in '" + library_directory + "'",
                             error);
  }

  if (fs::is_regular_file(status)) {
    if (given.extension() != ".m3")
      return Problem(StatusCode::kInvalidArgument,
                     "'" + path + "' is neither a directory nor a .m3 file");
    directory_ = given.parent_path().string();
    name_ = given.stem().string();
    reader_ = std::make_unique<PackageReader>(diagnostics, StateDirectory(directory_) + "/derived");
    own_.name = name_;
    AddFile(path, &own_);
    return {};
  }
  if (!fs::is_directory(status))
    return Problem(StatusCode::kInvalidArgument,
                   "'" + path + "' is neither a directory nor a .m3 file");
  directory_ = fs::canonical(given, error).string();
  if (error) return Problem::OfSystem("cannot open '" + path + "'", error);
  reader_ = std::make_unique<PackageReader>(diagnostics, StateDirectory(directory_) + "/derived");
  reader_->set_manifest_finder(find_manifest_);
  TN_RETURN_IF_PROBLEM(reader_->Read(path));
  std::map<const Package*, Group*> group_of;
  for (const auto& package : packages()) {
    const bool is_own = package == packages().back();
    Group& group = is_own ? own_ : imported_.emplace_back();
    group.name = package->name;
    group.package = package.get();
    if (!is_own) group.prefix = package->name + ":";
    group_of[package.get()] = &group;
    std::vector<Group*>& all = group.all_imports;
    const auto add = [&all](Group* import) {
      if (std::ranges::find(all, import) == all.end()) all.push_back(import);
    };
    for (const Package* import : package->imports) {
      group.imports.push_back(group_of.at(import));
      add(group_of.at(import));
      for (Group* further : group_of.at(import)->all_imports) add(further);
    }
    for (const std::string& unit : package->units) AddFile(unit, &group);
    TN_RETURN_IF_PROBLEM(TwoOfOneName(*package));
  }
  const Package& own = *packages().back();
  makes_program_ = own.has_build_file ? !own.programs.empty() : !own.has_manifest || HasMain();
  orders_ = own.programs;
  if (!own.library.empty()) own_.prefix = own.library + ":";
  MakePrefixesDistinct();
  name_ = !orders_.empty() ? orders_[0].name : !own.library.empty() ? own.library : own.name;
  return {};
}

// Link names depend neither on the order in which packages are found nor on the place of their
// tree, unless only that distinguishes two of them.
void PackageSource::MakePrefixesDistinct() {
  std::map<std::string, std::vector<Group*>> groups_of;
  groups_of[own_.prefix].push_back(&own_);
  for (Group& group : imported_) groups_of[group.prefix].push_back(&group);
  for (const auto& [prefix, groups] : groups_of) {
    if (groups.size() == 1) continue;
    std::set<std::string> taken;
    for (Group* group : groups) {
      if (group != &own_) {
        fs::path around = fs::path(group->package->directory).parent_path();
        if (around.filename() == "src") around = around.parent_path();
        group->prefix = around.filename().string() + "/" + prefix;
      }
      for (int i = 2; !taken.insert(group->prefix).second; ++i)
        group->prefix = std::to_string(i) + "/" + prefix;
    }
  }
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
  own_.entries.clear();
  exporters_.clear();
  asked_.clear();
  const std::string main_module = MainModuleOf(index);
  const Package* package = packages().back().get();
  if (!main_module.empty()) AddFile(main_module, &own_);
  for (size_t i = 0; i < orders_[index].units; ++i) {
    const std::string& unit = package->units[i];
    if (!ExportsMain(unit)) AddFile(unit, &own_);
  }
}

bool PackageSource::ExportsMain(const std::string& path) {
  std::string text;
  if (fs::path(path).extension() != ".m3" || ReadWholeFile(path, text) != 0) return false;
  const std::vector<std::string> exports = ExportsOf(text);
  return std::find(exports.begin(), exports.end(), "Main") != exports.end();
}

bool PackageSource::HasMain() const {
  return std::ranges::any_of(own_.entries,
                             [](const auto& entry) { return ExportsMain(entry.second->path); });
}

Problem PackageSource::UseTest(const std::string& module) {
  std::erase_if(own_.entries, [](const auto& entry) { return ExportsMain(entry.second->path); });
  Problem problem;
  for (const std::string& source : SourcesIn(fs::path(module).parent_path().string(), &problem)) {
    if (!ExportsMain(source)) AddFile(source, &own_);
  }
  AddFile(module, &own_);
  orders_.clear();
  name_ = "test-" + fs::path(module).stem().string();
  makes_program_ = true;
  return problem;
}

bool PackageSource::HasTests(const std::string& path) {
  std::string text;
  if (fs::path(path).extension() != ".m3" || ReadWholeFile(path, text) != 0) return false;
  bool found = false, after_procedure = false, mentions_test = false;
  ForEachWord(text, [&](size_t begin, size_t end) {
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    mentions_test |= word == "Test";
    found |= after_procedure && (IsTestName(word, "Test") || IsTestName(word, "Bench"));
    after_procedure = word == "PROCEDURE";
    return !(found && mentions_test);
  });
  return found && mentions_test;
}

Problem PackageSource::UseTests(const std::string& tests) {
  std::erase_if(own_.entries, [](const auto& entry) { return ExportsMain(entry.second->path); });
  Problem problem;
  if (!tests.empty()) {
    for (const std::string& source : SourcesIn(tests, &problem)) {
      if (ExportsMain(source)) continue;
      AddFile(source, &own_);
    }
  }
  std::vector<std::string> without_interface;
  for (const auto& [name, entry] : own_.entries) {
    if (!HasTests(entry->path)) continue;
    const std::string unit = fs::path(name).stem().string();
    const std::vector<std::string> exports = ExportsOf(Load(*entry)->text());
    if (exports == std::vector{unit} && !own_.entries.contains(unit + ".i3")) {
      without_interface.push_back(entry->path);
    }
  }
  for (const std::string& module : without_interface) {
    const std::string unit = fs::path(module).stem().string();
    AddGenerated(fs::path(module).replace_extension(".i3").string(),
                 "INTERFACE " + unit + "; END " + unit + ".\n");
  }
  const std::string main = "TestProgram";
  AddGenerated((fs::path(directory_) / (main + ".m3")).string(),
               "MODULE " + main + " EXPORTS Main; IMPORT TestMain; BEGIN TestMain.Run() END " +
                   main + ".\n");
  orders_.clear();
  name_ = "tests-" + name_;
  makes_program_ = true;
  return problem;
}

void PackageSource::AddGenerated(const std::string& path, std::string text) {
  AddFile(path, &own_);
  Entry& entry = *own_.entries.at(fs::path(path).filename().string());
  entry.file = std::make_unique<SourceFile>(path, std::move(text), false);
  loaded_[entry.file.get()] = &entry;
}

void PackageSource::AddFile(const std::string& path, Group* group) {
  Entry*& entry = group->entries[fs::path(path).filename().string()];
  if (entry != nullptr) return;
  std::unique_ptr<Entry>& file = files_[path];
  if (file == nullptr) {
    const bool is_private =
        group->package != nullptr && group->package->private_units.contains(path);
    file = std::make_unique<Entry>(Entry{path, group, is_private, nullptr});
  }
  entry = file.get();
}

std::string PackageSource::ShownPath(const Entry& entry) const {
  if (entry.group != &standard_ || library_name_ == library_directory_) return entry.path;
  return library_name_ + entry.path.substr(library_directory_.size());
}

const std::string* PackageSource::TextOf(const Entry& entry) const {
  if (texts_ == nullptr || entry.group != &own_) return nullptr;
  std::error_code ignored;
  const auto found = texts_->find(fs::weakly_canonical(entry.path, ignored).string());
  return found == texts_->end() ? nullptr : &found->second;
}

const SourceFile* PackageSource::Load(Entry& entry) {
  if (entry.file == nullptr) {
    std::string text;
    const std::string* given = TextOf(entry);
    if (given != nullptr) text = *given;
    const int error = given != nullptr ? 0 : ReadWholeFile(entry.path, text);
    if (error != 0 && error != EFBIG) {
      problem_ = Problem::OfSystem("cannot read '" + entry.path + "'", error);
    }
    entry.file = std::make_unique<SourceFile>(ShownPath(entry), std::move(text), error == EFBIG);
    loaded_[entry.file.get()] = &entry;
  }
  return entry.file.get();
}

const PackageSource::Entry* PackageSource::EntryOf(const SourceFile* file) const {
  const auto found = loaded_.find(file);
  return found == loaded_.end() ? nullptr : found->second;
}

std::vector<PackageSource::Entry*> PackageSource::Offered(const std::vector<Group*>& groups,
                                                          const std::string& file_name) {
  std::vector<Entry*> found;
  for (const Group* group : groups) {
    const auto it = group->entries.find(file_name);
    if (it != group->entries.end() && !it->second->is_private) found.push_back(it->second);
  }
  return found;
}

PackageSource::Meaning PackageSource::FindFor(Group* group, const std::string& file_name) {
  const auto in = [&](Group* other) -> Entry* {
    const auto it = other->entries.find(file_name);
    return it == other->entries.end() ? nullptr : it->second;
  };
  if (Entry* own = in(group)) return {own};
  if (group != &standard_) {
    std::vector<Entry*> found = Offered(group->imports, file_name);
    if (found.empty()) found = Offered(group->all_imports, file_name);
    if (!found.empty()) return {found[0], found.size() > 1 ? found[1] : nullptr};
  }
  if (Entry* standard = in(&standard_)) return {standard};
  // A package may also use the packages that its importers import.
  Meaning hidden;
  for (Group& other : imported_) {
    Entry* entry = in(&other);
    if (entry != nullptr && !entry->is_private) return {entry};
    if (entry != nullptr) hidden = {entry};
  }
  if (group == &standard_) return {};
  if (Entry* own = in(&own_)) return {own};
  return hidden;
}

const SourceFile* PackageSource::Find(const std::string& file_name, const SourceFile* importer) {
  const Entry* from = EntryOf(importer);
  const Meaning meaning = FindFor(from == nullptr ? &standard_ : from->group, file_name);
  if (from != nullptr) asked_[{from, file_name}] = meaning;
  return meaning.entry == nullptr ? nullptr : Load(*meaning.entry);
}

std::vector<const SourceFile*> PackageSource::PackageUnits() {
  std::vector<const SourceFile*> units;
  for (auto& [file_name, entry] : own_.entries) {
    const std::string extension = fs::path(file_name).extension().string();
    if (extension == ".i3" || extension == ".m3") units.push_back(Load(*entry));
  }
  return units;
}

bool PackageSource::IsLibraryFile(const SourceFile* file) const {
  const Entry* entry = EntryOf(file);
  return entry != nullptr && entry->group != &own_;
}

bool PackageSource::IsStandardFile(const SourceFile* file) const {
  const Entry* entry = EntryOf(file);
  return entry != nullptr && entry->group == &standard_;
}

std::string PackageSource::WritablePath(const SourceFile* file) const {
  const Entry* entry = EntryOf(file);
  std::error_code error;
  if (entry == nullptr || entry->group != &own_) return "";
  const fs::path path = fs::canonical(entry->path, error);
  if (error) return "";  // a unit without a file
  const fs::path made = fs::weakly_canonical(StateDirectory(directory_), error);
  const bool is_made =
      std::mismatch(made.begin(), made.end(), path.begin(), path.end()).first == made.end();
  return is_made ? "" : path.string();
}

void PackageSource::ReportImports(Diagnostics& diagnostics) {
  for (const auto& [asked, meaning] : asked_) {
    const Entry& importer = *asked.first;
    const Entry* entry = meaning.entry;
    if (entry == nullptr || !asked.second.ends_with(".i3")) continue;
    const bool is_private = entry->is_private && entry->group != importer.group;
    if (!is_private && meaning.other == nullptr) continue;
    const std::string name = fs::path(asked.second).stem().string();
    const SourceSpan span = FindWord(*importer.file, name);
    if (!span.valid()) continue;  // a generic needs it
    if (is_private) {
      diagnostics.Error(MessageId::kBuildFile, span,
                        name + " is private to package " + entry->group->name);
    } else {
      diagnostics.Error(MessageId::kBuildFile, span,
                        "packages " + entry->group->name + " and " + meaning.other->group->name +
                            " both have a unit " + name + ": '" + entry->path + "' and '" +
                            meaning.other->path + "'");
    }
  }
  asked_.clear();
}

std::vector<const SourceFile*> PackageSource::VisibleInterfaces(const SourceFile* importer) {
  const Entry* from = EntryOf(importer);
  Group* group = from == nullptr ? &standard_ : from->group;
  std::set<std::string> names;
  const auto collect = [&names](const Group& other, bool also_private) {
    for (const auto& [file_name, entry] : other.entries) {
      if (file_name.ends_with(".i3") && (also_private || !entry->is_private))
        names.insert(file_name);
    }
  };
  collect(*group, true);
  for (const Group* imported : group->all_imports) collect(*imported, false);
  collect(standard_, false);
  std::vector<const SourceFile*> files;
  for (const std::string& name : names) {
    if (Entry* entry = FindFor(group, name).entry; entry != nullptr) files.push_back(Load(*entry));
  }
  return files;
}

const void* PackageSource::PackageOf(const SourceFile* file) {
  const Entry* entry = EntryOf(file);
  return entry == nullptr ? nullptr : entry->group;
}

std::string PackageSource::LinkPrefix(const SourceFile* file) {
  const Entry* entry = EntryOf(file);
  if (entry == nullptr || entry->group == &standard_) return "";
  const std::string file_name = fs::path(entry->path).filename().string();
  const auto also_in = [&](const Group& group) {
    return &group != entry->group && group.entries.contains(file_name);
  };
  bool shared = also_in(standard_);
  // The programs of imported packages are not part of this one.
  if (file_name != "Main.m3") {
    shared = shared || also_in(own_) || std::ranges::any_of(imported_, also_in);
  }
  return shared ? entry->group->prefix : "";
}

std::vector<std::string> PackageSource::FilesRead() const {
  std::vector<std::string> paths;
  for (const auto& [file, entry] : loaded_) paths.push_back(entry->path);
  return paths;
}

const SourceFile* PackageSource::Interface(std::string_view name, const SourceFile* importer) {
  return Find(std::string(name) + ".i3", importer);
}

const SourceFile* PackageSource::GenericInterface(std::string_view name,
                                                  const SourceFile* instance) {
  return Find(std::string(name) + ".ig", instance);
}

const SourceFile* PackageSource::GenericModule(std::string_view name, const SourceFile* instance) {
  return Find(std::string(name) + ".mg", instance);
}

void PackageSource::IndexModules() {
  const auto index = [&](Group& group) {
    for (auto& [file_name, entry] : group.entries) {
      if (!file_name.ends_with(".m3")) continue;
      for (const std::string& interface : ExportsOf(Load(*entry)->text())) {
        // A library's own program is not part of ours.
        if (interface == "Main" && &group != &standard_) continue;
        exporters_[interface].push_back(entry);
      }
    }
  };
  index(standard_);
  for (Group& group : imported_) index(group);
}

std::vector<const SourceFile*> PackageSource::ModulesExporting(std::string_view name,
                                                               const SourceFile* interface) {
  // The modules of the package's own interface are in the program anyway.
  const Entry* exported = EntryOf(interface);
  if (exported != nullptr && exported->group == &own_) return {};
  if (exporters_.empty()) IndexModules();
  std::vector<const SourceFile*> modules;
  const auto it = exporters_.find(name);
  if (it == exporters_.end()) return modules;
  const std::string file_name = std::string(name) + ".i3";
  for (Entry* module : it->second) {
    if (exported != nullptr && FindFor(module->group, file_name).entry != exported) continue;
    // The package may have its own module for an interface of the library: a module with the
    // library module's name that exports the interface. Any other module of that name does not
    // replace the library's.
    const auto own = own_.entries.find(fs::path(module->path).filename().string());
    if (own != own_.entries.end() && FindFor(&own_, file_name).entry == exported) {
      const std::vector<std::string> exports = ExportsOf(Load(*own->second)->text());
      if (std::ranges::find(exports, name) != exports.end()) continue;
    }
    modules.push_back(Load(*module));
  }
  return modules;
}

}  // namespace tenure::compiler
