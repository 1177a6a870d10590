#include "compiler/doc/html.h"

// The symbols with which files.S embeds the two files.
extern "C" {
extern const char tn_doc_style[], tn_doc_style_end[];
extern const char tn_doc_search[], tn_doc_search_end[];
}

namespace tenure::compiler {

namespace {

// The bytes of the character in UTF-8 at the start of `text`; 0 if there is none.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80   ? 1
                        : byte(0) < 0xC2 ? 0
                        : byte(0) < 0xE0 ? 2
                        : byte(0) < 0xF0 ? 3
                        : byte(0) < 0xF5 ? 4
                                         : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// The Latin-1 character `c`, from 0x80 on, in UTF-8.
std::string Latin1(char c) {
  const auto code = static_cast<unsigned char>(c);
  return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

}  // namespace

std::string Escape(std::string_view text) {
  std::string escaped;
  for (size_t at = 0; at < text.size();) {
    switch (text[at]) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default:
        if (const size_t length = Utf8Length(text.substr(at)); length > 0) {
          escaped += text.substr(at, length);
          at += length;
          continue;
        }
        escaped += Latin1(text[at]);
    }
    ++at;
  }
  return escaped;
}

std::string ScriptText(std::string_view text) {
  std::string literal = "\"";
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t length = Utf8Length(text.substr(at));
    if (c == '"' || c == '\\') {
      literal += std::string("\\") + c;
    } else if (c == '<') {  // no "</script>"
      literal += "\\x3c";
    } else if (static_cast<unsigned char>(c) < ' ') {
      literal += ' ';
    } else if (length > 0) {
      literal += text.substr(at, length);
      at += length;
      continue;
    } else {
      literal += Latin1(c);
    }
    ++at;
  }
  return literal + "\"";
}

std::string Link(const std::string& interface, const std::string& name, std::string_view text) {
  return "<a href=\"" + interface + ".html" + (name.empty() ? "" : "#" + name) + "\">" +
         Escape(text) + "</a>";
}

std::string Span(const char* style, std::string_view text) {
  return std::string("<span class=\"") + style + "\">" + Escape(text) + "</span>";
}

std::string PageStart(const std::string& title, const Site& site, const std::string& up) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" +
                     Escape(title) +
                     "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<link rel=\"stylesheet\" href=\"" +
                     up + "style.css\">\n</head><body data-up=\"" + up + "\">\n<nav><a href=\"" +
                     up + "index.html\">Interfaces</a> ";
  if (!site.guide.empty()) {
    html += "<a href=\"" + up + Escape(site.guide) + "\">Guide</a> ";
  }
  return html +
         "<input id=\"search\" type=\"search\" placeholder=\"Search names and comments\" "
         "autocomplete=\"off\"><ul id=\"found\"></ul></nav>\n<main>\n";
}

std::string PageEnd(const std::string& up) {
  std::string html = "</main>\n";
  for (const char* script : {"names.js", "comments.js", "search.js"}) {
    html += "<script src=\"" + up + script + "\"></script>\n";
  }
  return html + "</body></html>\n";
}

std::string_view StyleSheet() { return {tn_doc_style, tn_doc_style_end}; }

std::string_view SearchScript() { return {tn_doc_search, tn_doc_search_end}; }

}  // namespace tenure::compiler
