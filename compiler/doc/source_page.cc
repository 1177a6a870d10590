#include "compiler/doc/source_page.h"

namespace tenure::compiler {

std::string SourceAddress(const std::string& file, uint32_t line) {
  return std::string(kSourceFolder) + "/" + file + ".html" +
         (line == 0 ? "" : "#L" + std::to_string(line));
}

std::string MakeSourcePage(const std::string& file, const InterfaceSource& source,
                           const Site& site) {
  std::string html = PageStart(file, site, "../") + "<h1>" + Escape(file) +
                     "</h1>\n<pre class=\"source\"><span id=\"L1\">";
  int line = 1;
  // A colour ends with its line, since each line is an element.
  for (const Piece& piece : source.pieces()) {
    const char* style = "";
    switch (piece.kind) {
      case PieceKind::kKeyword: style = "k"; break;
      case PieceKind::kLiteral: style = "l"; break;
      case PieceKind::kComment:
      case PieceKind::kPragma: style = "c"; break;
      default: break;
    }
    for (size_t at = 0; at <= piece.text.size();) {
      const size_t end = std::min(piece.text.find('\n', at), piece.text.size());
      const std::string_view part = piece.text.substr(at, end - at);
      if (!part.empty()) html += *style == '\0' ? Escape(part) : Span(style, part);
      if (end < piece.text.size()) {
        html += "</span>\n<span id=\"L" + std::to_string(++line) + "\">";
      }
      at = end + 1;
    }
  }
  return html + "</span></pre>\n" + PageEnd("../");
}

}  // namespace tenure::compiler
