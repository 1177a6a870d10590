// Pieces of HTML for the pages of `tenure doc`.
#pragma once

#include <string>
#include <string_view>

namespace tenure::compiler {

// `text` with characters that HTML reserves as entities. Bytes that are not UTF-8 are Latin-1.
std::string Escape(std::string_view text);
// `text` as a literal of JavaScript, with the same reading of its bytes.
std::string ScriptText(std::string_view text);
// `text` as a link to the page of the interface, or to a name on that page.
std::string Link(const std::string& interface, const std::string& name, std::string_view text);
// `text` in one of the classes of style.css.
std::string Span(const char* style, std::string_view text);
// The common parts of the pages of one set.
struct Site {
  std::string guide;  // where the link "Guide" leads, from the folder of the pages; empty: no link
};

// The HTML before and behind the contents of each page. `up` leads from the page's folder to the
// folder of all pages: "" or "../".
std::string PageStart(const std::string& title, const Site& site, const std::string& up = "");
std::string PageEnd(const std::string& up = "");

// The contents of style.css and search.js.
std::string_view StyleSheet();
std::string_view SearchScript();

}  // namespace tenure::compiler
