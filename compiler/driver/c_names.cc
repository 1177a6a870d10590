#include "compiler/driver/c_names.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

Problem WriteCNames(const Program& program, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return Problem("cannot write '" + path + "': " + std::strerror(errno));
  for (const CheckedUnit* unit : program.units) {
    for (const Procedure* procedure : unit->procedures) {
      const std::string& symbol = procedure->symbol;
      // The interface's name: without the package's in front (`pkg:Unit.Proc`).
      const size_t dot = symbol.rfind('.');
      if (!procedure->exported || !procedure->has_body || dot == std::string::npos) continue;
      const size_t colon = symbol.rfind(':', dot);
      const size_t begin = colon == std::string::npos ? 0 : colon + 1;
      std::fprintf(file, "PROVIDE(%s__%s = \"%s\");\n", symbol.substr(begin, dot - begin).c_str(),
                   procedure->name.c_str(), symbol.c_str());
    }
  }
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed) {
    return Problem("cannot write '" + path + "': " + std::strerror(errno));
  }
  return Problem();
}

}  // namespace tenure::compiler
