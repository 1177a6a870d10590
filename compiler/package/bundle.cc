#include "compiler/package/bundle.h"

#include <cstdio>
#include <cstring>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace {

constexpr size_t kLineMax = 90;

// Written as literals joined by &, one per line; the compiler folds them into one text.
std::string Literal(const std::string& text) {
  std::string literal = "\"";
  size_t column = 0;
  for (const char c : text) {
    char escaped[8];
    switch (c) {
      case '\n': std::strcpy(escaped, "\\n"); break;
      case '\t': std::strcpy(escaped, "\\t"); break;
      case '"': std::strcpy(escaped, "\\\""); break;
      case '\\': std::strcpy(escaped, "\\\\"); break;
      default:
        if (c >= ' ' && c <= '~') {
          escaped[0] = c;
          escaped[1] = '\0';
        } else {
          std::snprintf(escaped, sizeof escaped, "\\%03o", static_cast<unsigned char>(c));
        }
    }
    literal += escaped;
    column += std::strlen(escaped);
    if (column >= kLineMax) {
      literal += "\"\n    & \"";
      column = 0;
    }
  }
  return literal + "\"";
}

}  // namespace

std::string BundleInterface(const std::string& name) {
  return "INTERFACE " + name + ";\n\nIMPORT Bundle;\n\nPROCEDURE Get(): Bundle.T;\n\nEND " + name +
         ".\n";
}

std::string BundleModule(const std::string& name,
                         const std::vector<std::pair<std::string, std::string>>& resources,
                         Problem* problem) {
  std::string names, elements;
  for (const auto& [resource, path] : resources) {
    std::string contents;
    if (const int error = ReadWholeFile(path, contents)) {
      *problem = Problem::OfSystem("cannot read the resource '" + path + "'", error);
      return "";
    }
    names += "  " + Literal(resource) + ",\n";
    elements += "  " + Literal(contents) + ",\n";
  }
  const std::string count = std::to_string(resources.size());
  return "MODULE " + name +
         ";\n\n"
         "IMPORT Bundle, BundleRep, Text;\n\n"
         "CONST Count = " +
         count +
         ";\n\n"
         "TYPE\n"
         "  Texts = ARRAY [0..Count] OF TEXT;\n"
         "  T = Bundle.T OBJECT OVERRIDES get := LookUp; getNames := Names END;\n\n"
         "CONST\n"
         "  ElementNames = Texts {\n" +
         names +
         "  NIL};\n\n"
         "  Elements = Texts {\n" +
         elements +
         "  NIL};\n\n"
         "VAR bundle: T := NIL;\n\n"
         "PROCEDURE Get(): Bundle.T =\n"
         "  BEGIN\n"
         "    IF bundle = NIL THEN bundle := NEW(T) END;\n"
         "    RETURN bundle;\n"
         "  END Get;\n\n"
         "PROCEDURE LookUp(<*UNUSED*> self: T; element: TEXT): TEXT =\n"
         "  BEGIN\n"
         "    FOR i := 0 TO Count - 1 DO\n"
         "      IF Text.Equal(ElementNames[i], element) THEN RETURN Elements[i] END;\n"
         "    END;\n"
         "    RETURN NIL;\n"
         "  END LookUp;\n\n"
         "PROCEDURE Names(<*UNUSED*> self: T): REF ARRAY OF TEXT =\n"
         "  VAR names := NEW(REF ARRAY OF TEXT, Count);\n"
         "  BEGIN\n"
         "    names^ := SUBARRAY(ElementNames, 0, Count);\n"
         "    RETURN names;\n"
         "  END Names;\n\n"
         "BEGIN\nEND " +
         name + ".\n";
}

}  // namespace tenure::compiler
