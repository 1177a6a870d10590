#include "compiler/doc/document.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "compiler/doc/html.h"
#include "compiler/doc/interface_page.h"
#include "compiler/doc/interface_source.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler {

namespace {

namespace fs = std::filesystem;

using Sources = std::map<std::string, const InterfaceSource*>;

std::string MakeIndex(const std::vector<DocumentedInterface>& interfaces, const Sources& sources) {
  std::map<std::string, std::vector<const DocumentedInterface*>> groups;
  for (const DocumentedInterface& interface : interfaces) {
    groups[interface.group].push_back(&interface);
  }
  std::string html = PageStart("Interfaces") + "<h1>Interfaces</h1>\n";
  for (const auto& [group, members] : groups) {
    html += "<h2>" + Escape(group) + "</h2>\n<table>\n";
    for (const DocumentedInterface* interface : members) {
      html += "<tr><td>" + Link(interface->name, "", interface->name) + "</td><td>" +
              Escape(SummaryOf(*sources.at(interface->name))) + "</td></tr>\n";
    }
    html += "</table>\n";
  }
  return html + std::string(PageEnd());
}

std::string ReadFile(const fs::path& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  *text = contents.str();
  return file.good() || file.eof() ? "" : "cannot read '" + path.string() + "'";
}

}  // namespace

std::string FindInterfaces(const std::string& directory, const std::string& group,
                           std::vector<DocumentedInterface>* interfaces) {
  std::error_code error;
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string()[0] == '.') {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
    } else if (path.extension() == ".i3" || path.extension() == ".ig") {
      paths.push_back(path);
    }
  }
  if (error) return "cannot read '" + directory + "': " + error.message();
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
  for (const fs::path& path : paths) {
    const std::string name = path.stem().string();
    if (std::any_of(interfaces->begin(), interfaces->end(),
                    [&](const DocumentedInterface& other) { return other.name == name; })) {
      continue;
    }
    std::string folder = path.parent_path().filename().string();
    DocumentedInterface interface{name, group.empty() ? folder : group, ""};
    if (std::string problem = ReadFile(path, &interface.text); !problem.empty()) return problem;
    interfaces->push_back(std::move(interface));
  }
  return "";
}

std::vector<DocumentationPage> MakeDocumentation(
    const std::vector<DocumentedInterface>& interfaces) {
  std::deque<InterfaceSource> parsed;
  Sources sources;
  for (const DocumentedInterface& interface : interfaces) {
    parsed.emplace_back(interface.name, interface.text);
    sources.emplace(interface.name, &parsed.back());
  }
  const Declarations declared(sources);
  std::string names = "const names = [\n";
  for (const DocumentedInterface& interface : interfaces) {
    names += "['" + interface.name + "', '" + interface.name + ".html'],\n";
    for (const std::string& name : sources.at(interface.name)->declared()) {
      names +=
          "['" + interface.name + "." + name + "', '" + interface.name + ".html#" + name + "'],\n";
    }
  }
  std::vector<DocumentationPage> pages;
  for (const DocumentedInterface& interface : interfaces) {
    pages.push_back({interface.name + ".html",
                     MakeInterfacePage(interface.name, *sources.at(interface.name), declared)});
  }
  pages.push_back({"index.html", MakeIndex(interfaces, sources)});
  pages.push_back({"names.js", names + "];\n"});
  pages.push_back({"search.js", std::string(SearchScript())});
  pages.push_back({"style.css", std::string(StyleSheet())});
  return pages;
}

std::string WriteDocumentation(const std::string& library_directory, const std::string& package,
                               const std::string& output) {
  std::vector<DocumentedInterface> interfaces;
  std::string problem;
  // A package's interface hides the library's interface of the same name.
  if (!package.empty()) problem = FindInterfaces(package, "The package", &interfaces);
  if (problem.empty()) problem = FindInterfaces(library_directory, "", &interfaces);
  if (!problem.empty()) return problem;
  std::error_code error;
  fs::create_directories(output, error);
  if (error) return "cannot make '" + output + "': " + error.message();
  for (const DocumentationPage& page : MakeDocumentation(interfaces)) {
    const fs::path path = fs::path(output) / page.file;
    problem = WriteWholeFile(path.string(), page.contents);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tenure::compiler
