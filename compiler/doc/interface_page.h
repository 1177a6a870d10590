// The page of one interface.
#pragma once

#include <string>

#include "compiler/doc/declarations.h"
#include "compiler/doc/html.h"

namespace tenure::compiler {

// The page of the interface `name`: comments between declarations as text, declarations as code,
// with links to where names are declared and to sources; below each type the methods that it
// inherits; who uses the interface. The page of an instance has the declarations of its generic,
// with the actual interfaces in the place of the formal ones.
std::string MakeInterfacePage(const std::string& name, const Declarations& declared,
                              const Site& site);

// The first sentence of the first comment; for an instance without one, the name of its generic.
std::string SummaryOf(const InterfaceSource& source);

}  // namespace tenure::compiler
