#include "compiler/doc/document.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/removed_by_signals.h"
#include "compiler/doc/comment_index.h"
#include "compiler/doc/declarations.h"
#include "compiler/doc/html.h"
#include "compiler/doc/interface_page.h"
#include "compiler/doc/interface_source.h"
#include "compiler/doc/source_page.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler {

namespace {

namespace fs = std::filesystem;

using Sources = std::map<std::string, const InterfaceSource*>;

std::string MakeIndex(const std::vector<DocumentedInterface>& interfaces, const Sources& sources,
                      const Site& site) {
  std::map<std::string, std::vector<const DocumentedInterface*>> groups;
  for (const DocumentedInterface& interface : interfaces) {
    groups[interface.group].push_back(&interface);
  }
  std::string html = PageStart("Interfaces", site) + "<h1>Interfaces</h1>\n";
  for (const auto& [group, members] : groups) {
    html += "<h2>" + Escape(group) + "</h2>\n<table>\n";
    for (const DocumentedInterface* interface : members) {
      html += "<tr><td>" + Link(interface->name, "", interface->name) + "</td><td>" +
              Escape(SummaryOf(*sources.at(interface->name))) + "</td></tr>\n";
    }
    html += "</table>\n";
  }
  return html + PageEnd();
}

std::string ReadFile(const fs::path& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  *text = contents.str();
  return file.good() || file.eof() ? "" : "cannot read '" + path.string() + "'";
}

// Adds the unit in the file at `path` unless one of its name is there already.
std::string AddUnit(const fs::path& path, const std::string& group,
                    std::vector<DocumentedUnit>* units) {
  const std::string name = path.stem().string();
  if (std::any_of(units->begin(), units->end(),
                  [&](const DocumentedUnit& other) { return other.name == name; })) {
    return "";
  }
  const std::string folder = path.parent_path().filename().string();
  DocumentedUnit unit{name, group.empty() ? folder : group, "", path.filename().string()};
  if (std::string problem = ReadFile(path, &unit.text); !problem.empty()) return problem;
  units->push_back(std::move(unit));
  return "";
}

bool IsInterface(const fs::path& path) {
  return path.extension() == ".i3" || path.extension() == ".ig";
}

bool IsModule(const fs::path& path) {
  return path.extension() == ".m3" || path.extension() == ".mg";
}

// The data of the search: full names with their places. Those of instances come last, since they
// repeat those of the generic.
std::string NamesScript(const std::vector<DocumentedUnit>& interfaces,
                        const Declarations& declared) {
  std::string names = "const names = [\n";
  std::string of_instances;
  for (const DocumentedUnit& interface : interfaces) {
    std::string& text = declared.GenericOf(interface.name).empty() ? names : of_instances;
    text += "['" + interface.name + "', '" + interface.name + ".html'],\n";
    for (const std::string& name : declared.Contents(interface.name).declared()) {
      text +=
          "['" + interface.name + "." + name + "', '" + interface.name + ".html#" + name + "'],\n";
    }
  }
  return names + of_instances + "];\n";
}

// Comments with the names that they are about, and their places.
std::string CommentsScript(const std::vector<DocumentedUnit>& interfaces, const Sources& sources) {
  std::string comments = "const comments = [\n";
  for (const DocumentedUnit& interface : interfaces) {
    for (const CommentText& comment : CommentsOf(*sources.at(interface.name))) {
      const bool is_whole = comment.name.empty();
      comments += "[" + ScriptText(interface.name + (is_whole ? "" : "." + comment.name)) + ", " +
                  ScriptText(interface.name + ".html" + (is_whole ? "" : "#" + comment.name)) +
                  ", " + ScriptText(comment.text) + "],\n";
    }
  }
  return comments + "];\n";
}

}  // namespace

bool IsPackage(const std::string& directory) {
  for (const fs::path& folder : {fs::path(directory), fs::path(directory) / "src"}) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const fs::path& path = entry->path();
      if (path.filename() == "m3makefile" || IsInterface(path) || IsModule(path)) return true;
    }
  }
  return false;
}

std::string FindUnits(const std::string& directory, const std::string& group,
                      std::vector<DocumentedUnit>* interfaces,
                      std::vector<DocumentedUnit>* modules) {
  std::error_code error;
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string()[0] == '.') {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
    } else if (IsInterface(path) || IsModule(path)) {
      paths.push_back(path);
    }
  }
  if (error) return "cannot read '" + directory + "': " + error.message();
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
  for (const fs::path& path : paths) {
    const std::string problem = AddUnit(path, group, IsInterface(path) ? interfaces : modules);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::vector<DocumentationPage> MakeDocumentation(const std::vector<DocumentedUnit>& interfaces,
                                                 const std::vector<DocumentedUnit>& modules,
                                                 const Site& site) {
  std::deque<InterfaceSource> parsed;
  Sources sources;
  std::map<std::string, std::string> files;
  std::vector<DocumentedModule> parsed_modules;
  std::vector<DocumentationPage> pages;
  for (const DocumentedUnit& interface : interfaces) {
    parsed.emplace_back(interface.name, interface.text);
    sources.emplace(interface.name, &parsed.back());
    if (!interface.file.empty()) files.emplace(interface.name, interface.file);
  }
  for (const DocumentedUnit& module : modules) {
    parsed.emplace_back(module.name, module.text);
    parsed_modules.push_back({module.file, &parsed.back()});
  }
  const Declarations declared(sources, files, parsed_modules);
  for (const DocumentedUnit& interface : interfaces) {
    pages.push_back({interface.name + ".html", MakeInterfacePage(interface.name, declared, site)});
  }
  for (const auto& [name, file] : files) {
    pages.push_back({SourceAddress(file), MakeSourcePage(file, *sources.at(name), site)});
  }
  for (const DocumentedModule& module : parsed_modules) {
    pages.push_back(
        {SourceAddress(module.file), MakeSourcePage(module.file, *module.source, site)});
  }
  pages.push_back({"index.html", MakeIndex(interfaces, sources, site)});
  pages.push_back({"names.js", NamesScript(interfaces, declared)});
  pages.push_back({"comments.js", CommentsScript(interfaces, sources)});
  pages.push_back({"search.js", std::string(SearchScript())});
  pages.push_back({"style.css", std::string(StyleSheet())});
  return pages;
}

std::string WriteDocumentation(const std::string& library_directory, const std::string& package,
                               const std::string& output, const Site& site) {
  std::vector<DocumentedUnit> interfaces, modules;
  std::string problem;
  // A package's interface hides the library's interface of the same name.
  if (!package.empty()) problem = FindUnits(package, "The package", &interfaces, &modules);
  if (problem.empty()) problem = FindUnits(library_directory, "", &interfaces, &modules);
  if (!problem.empty()) return problem;
  std::error_code error;
  // A new folder appears with all of its pages, or not at all.
  std::optional<RemovedBySignals> removed;
  if (!fs::exists(output, error)) {
    removed.emplace(output);
    RemovedBySignals::HandleEnd();
  }
  fs::create_directories(fs::path(output) / kSourceFolder, error);
  if (error) return "cannot make '" + output + "': " + error.message();
  for (const DocumentationPage& page : MakeDocumentation(interfaces, modules, site)) {
    const fs::path path = fs::path(output) / page.file;
    problem = WriteWholeFile(path.string(), page.contents);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tenure::compiler
