// Pieces of HTML for the pages of `tenure doc`.
#pragma once

#include <string>
#include <string_view>

namespace tenure::compiler {

// `text`, which is Latin-1, with characters that HTML reserves as entities.
std::string Escape(std::string_view text);
// `text` as a link to the page of the interface, or to a name on that page.
std::string Link(const std::string& interface, const std::string& name, std::string_view text);
// `text` in one of the classes of style.css.
std::string Span(const char* style, std::string_view text);
// The HTML before and behind the contents of each page.
std::string PageStart(const std::string& title);
std::string_view PageEnd();

// The contents of style.css and search.js.
std::string_view StyleSheet();
std::string_view SearchScript();

}  // namespace tenure::compiler
