#include "compiler/driver/c_names.h"

#include <cctype>
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

std::set<std::string> InterfacesNamedInC(std::string_view text) {
  const auto is_word = [&](size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_';
  };
  std::set<std::string> names;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_word(at)) ++at;
    const std::string_view word = text.substr(begin, at - begin);
    const size_t bars = word.find("__");
    if (bars != std::string_view::npos && bars > 0 && bars + 2 < word.size()) {
      names.emplace(word.substr(0, bars));
    }
    if (at == begin) ++at;
  }
  return names;
}

}  // namespace tenure::compiler
