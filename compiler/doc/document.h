// `tenure doc`: pages in HTML about interfaces, for people.
#pragma once

#include <string>
#include <vector>

namespace tenure::compiler {

// One interface, ordinary or generic.
struct DocumentedInterface {
  std::string name;
  std::string group;  // of the index: a folder of the library, or the package
  std::string text;   // the source
};

// The .i3 and .ig files under `directory`, sorted by name, without those in hidden folders and
// those whose interface is already in `interfaces`. Their group is `group` or, if that is empty,
// their folder. Returns an error text, or an empty string.
std::string FindInterfaces(const std::string& directory, const std::string& group,
                           std::vector<DocumentedInterface>* interfaces);

// A file to be written.
struct DocumentationPage {
  std::string file;
  std::string contents;
};

// A page for each interface, with its comments as text and its declarations with links to the named
// declarations; an index of all pages; and the script and the data with which each page searches
// the declared names. Nothing is needed from the network.
std::vector<DocumentationPage> MakeDocumentation(
    const std::vector<DocumentedInterface>& interfaces);

// The command: writes pages for the library's interfaces, and for those of the package at `package`
// unless that is empty, to the folder `output`. Makes the folder if it does not exist. Returns an
// error text, or an empty string.
std::string WriteDocumentation(const std::string& library_directory, const std::string& package,
                               const std::string& output);

}  // namespace tenure::compiler
