// Writing of files by the compiler and by build files. All functions make missing folders, and
// return "" or an error text: "cannot write 'path': No space left on device".
#pragma once

#include <string>

namespace tenure::compiler {

// Writes a file whole or not at all: a regular file is replaced when the new one is complete, so no
// reader sees a part of it, and keeps its permissions. Other files (a device, a link) are written
// in place.
std::string WriteWholeFile(const std::string& path, const std::string& contents);

// The same for a file whose contents are `original`; an error if they are something else by now. A
// link stays, and leads to the new contents.
std::string ReplaceFile(const std::string& path, const std::string& original,
                        const std::string& contents);

// As WriteWholeFile, but does not touch a file that already has these contents; its time stays.
std::string WriteIfChanged(const std::string& path, const std::string& contents);

// Appends to a file, or makes it.
std::string AppendToFile(const std::string& path, const std::string& contents);

}  // namespace tenure::compiler
