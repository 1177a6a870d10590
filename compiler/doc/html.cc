#include "compiler/doc/html.h"

// The symbols with which files.S embeds the two files.
extern "C" {
extern const char tn_doc_style[], tn_doc_style_end[];
extern const char tn_doc_search[], tn_doc_search_end[];
}

namespace tenure::compiler {

std::string Escape(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x80) {
          escaped += c;
        } else {  // Latin-1
          escaped += "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
        }
    }
  }
  return escaped;
}

std::string Link(const std::string& interface, const std::string& name, std::string_view text) {
  return "<a href=\"" + interface + ".html" + (name.empty() ? "" : "#" + name) + "\">" +
         Escape(text) + "</a>";
}

std::string Span(const char* style, std::string_view text) {
  return std::string("<span class=\"") + style + "\">" + Escape(text) + "</span>";
}

std::string PageStart(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" +
         Escape(title) +
         "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
         "<link rel=\"stylesheet\" href=\"style.css\">\n</head><body>\n"
         "<nav><a href=\"index.html\">Interfaces</a> <input id=\"search\" type=\"search\" "
         "placeholder=\"Search names\" autocomplete=\"off\"><ul id=\"found\"></ul></nav>\n<main>\n";
}

std::string_view PageEnd() {
  return "</main>\n<script src=\"names.js\"></script>\n<script src=\"search.js\"></script>\n"
         "</body></html>\n";
}

std::string_view StyleSheet() { return {tn_doc_style, tn_doc_style_end}; }

std::string_view SearchScript() { return {tn_doc_search, tn_doc_search_end}; }

}  // namespace tenure::compiler
