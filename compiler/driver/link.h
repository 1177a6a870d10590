// Linking the objects of a program with the run time, by the system's compiler driver.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/package/installation.h"
#include "compiler/package/package.h"

namespace tenure::compiler {

struct LinkInputs {
  std::vector<std::string> objects;
  std::vector<std::string> arguments;  // more objects, -lNAME, -LDIR of the build files
  bool boehm = false;                  // with libgc as the collector
};

// Compiles the C sources of a package, unless they and all that they include are as they were the
// last time, into `directory`. Headers of the library (m3core.h) are found after the package's.
// Adds the objects, and what they were made from. Returns an empty string, or what is wrong.
std::string CompileForeign(const Package& package, const Installation& installation,
                           const std::string& directory, bool verbose,
                           std::vector<std::string>* objects, std::set<std::string>* inputs);

// Makes one object file of the parts, which it removes. Returns an empty string, or what is wrong.
std::string LinkParts(const std::vector<std::string>& parts, const Installation& installation,
                      const std::string& path);

// Returns an empty string, or what is wrong. The output appears whole or not at all.
std::string Link(const LinkInputs& inputs, const Installation& installation,
                 const std::string& output, bool verbose);

}  // namespace tenure::compiler
