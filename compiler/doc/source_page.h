// The page of one source file: its text, coloured, with a target for each line.
#pragma once

#include <string>

#include "compiler/doc/html.h"
#include "compiler/doc/interface_source.h"

namespace tenure::compiler {

// The folder of these pages, below that of the others.
inline constexpr const char* kSourceFolder = "source";

// The address of a line's page from the folder of all pages; line 0: of the page.
std::string SourceAddress(const std::string& file, uint32_t line = 0);

std::string MakeSourcePage(const std::string& file, const InterfaceSource& source,
                           const Site& site);

}  // namespace tenure::compiler
