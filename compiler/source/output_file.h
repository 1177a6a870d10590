// What the compiler and the build files that it obeys write. All functions make the folders that
// are missing, and return "" or what is wrong: "cannot write 'path': No space left on device".
#pragma once

#include <string>

namespace tenure::compiler {

// Writes a file whole or not at all: a regular file is replaced when the new one is complete, so
// that nobody takes a part for the whole, and keeps its permissions. What is no regular file (a
// device, a link) stays what it is and is written in place.
std::string WriteWholeFile(const std::string& path, const std::string& contents);

// The same, but a file that has these contents is left alone, with its time.
std::string WriteIfChanged(const std::string& path, const std::string& contents);

// Appends to a file, or makes it.
std::string AppendToFile(const std::string& path, const std::string& contents);

}  // namespace tenure::compiler
