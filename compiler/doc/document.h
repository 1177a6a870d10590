// `tenure doc`: pages in HTML about interfaces, for people.
#pragma once

#include <string>
#include <vector>

#include "compiler/doc/html.h"

namespace tenure::compiler {

// One interface, ordinary or generic, or one module.
struct DocumentedUnit {
  std::string name;   // the file's name without its suffix
  std::string group;  // of the index: a folder of the library, or the package
  std::string text;   // the source
  std::string file;   // the name of the file; empty: its source has no page
};
using DocumentedInterface = DocumentedUnit;

// The .i3 and .ig files under `directory`, and the .m3 and .mg files, sorted by name, without those
// in hidden folders and those whose name is already in `interfaces` or `modules`. Their group is
// `group` or, if that is empty, their folder. Returns an error text, or an empty string.
std::string FindUnits(const std::string& directory, const std::string& group,
                      std::vector<DocumentedUnit>* interfaces,
                      std::vector<DocumentedUnit>* modules);

// Whether the directory has a build file or sources of Modula-3, itself or in `src`.
bool IsPackage(const std::string& directory);

// A file to be written.
struct DocumentationPage {
  std::string file;
  std::string contents;
};

// Makes a page for each interface (interface_page.h) and for each source; an index of all pages;
// and the script and the data with which each page searches the declared names and the comments.
// The pages need no network.
std::vector<DocumentationPage> MakeDocumentation(const std::vector<DocumentedUnit>& interfaces,
                                                 const std::vector<DocumentedUnit>& modules = {},
                                                 const Site& site = {});

// The command: writes pages for the library's interfaces, and for those of the package at `package`
// unless that is empty, to the folder `output`. Makes the folder if it does not exist. Returns an
// error text, or an empty string.
std::string WriteDocumentation(const std::string& library_directory, const std::string& package,
                               const std::string& output, const Site& site = {});

}  // namespace tenure::compiler
