// Coverage as pages in HTML.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "compiler/testing/clean_text.h"
#include "compiler/testing/coverage.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
    "charset=\"utf-8\"><title>Coverage</title><style>\n"
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}\n"
    "td,th{padding:.2em .8em;text-align:right}td:first-child,th:first-child{text-align:left}\n"
    "tr:nth-child(even){background:#f4f4f4}pre{margin:0;line-height:1.35}\n"
    ".n,.c{color:#777;display:inline-block;text-align:right}.n{width:4em}.c{width:6em;padding-"
    "right:1em}\n"
    ".hit{background:#dff5df}.miss{background:#fadcdc}.part{background:#fdf3cf}\n"
    "</style></head><body>\n";
constexpr const char* kFoot = "</body></html>\n";

std::string Ratio(size_t part, size_t whole) {
  char text[64];
  if (whole == 0) return "<td>-</td>";
  std::snprintf(text, sizeof text, "<td>%.1f %%</td>",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return "<td>" + std::to_string(part) + "/" + std::to_string(whole) + "</td>" + text;
}

// "src/Stack.m3" as a file's name.
std::string PageName(const std::string& path) {
  std::string name;
  for (const char c : path) name += c == '/' ? '-' : c;
  return name + ".html";
}

std::string Page(const std::string& shown, const std::string& path, const FileCoverage& file) {
  std::string text = std::string(kHead) + "<h1>" + CleanXml(shown) +
                     "</h1>\n<p><a href=\"index.html\">all files</a></p>\n<pre>\n";
  std::ifstream source(path, std::ios::binary);
  uint32_t number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    const auto found = file.lines.find(number);
    std::string missed;
    for (const auto& [branch, count] : file.branches) {
      if (branch.line != number || count > 0) continue;
      missed += (missed.empty() ? "never taken: way " : ", ") + std::to_string(branch.way + 1) +
                " of the choice in column " + std::to_string(branch.column);
    }
    const bool counted = found != file.lines.end();
    const char* kind = !counted             ? ""
                       : found->second == 0 ? "miss"
                       : missed.empty()     ? "hit"
                                            : "part";
    text += "<span class=\"n\" id=\"L" + std::to_string(number) + "\">" + std::to_string(number) +
            "</span><span class=\"c\">" + (counted ? std::to_string(found->second) : "") +
            "</span><span class=\"" + kind + "\"" +
            (missed.empty() ? "" : " title=\"" + missed + "\"") + ">" + CleanXml(line) +
            "</span>\n";
  }
  return text + "</pre>\n" + kFoot;
}

std::string Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return file ? std::string() : "cannot write '" + path + "': " + std::strerror(errno);
}

}  // namespace

std::string WriteCoveragePages(const std::map<std::string, FileCoverage>& files,
                               const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return "cannot make the directory '" + directory + "': " + error.message();
  std::string index = std::string(kHead) + "<h1>Coverage</h1>\n<p>" + CoverageSummary(files) +
                      "</p>\n<table><tr><th>file</th><th colspan=\"2\">lines</th>"
                      "<th colspan=\"2\">branches</th><th colspan=\"2\">procedures</th></tr>\n";
  const fs::path here = fs::current_path(error);
  for (const auto& [path, file] : files) {
    const std::string relative = fs::path(path).lexically_relative(here).string();
    const std::string shown = relative.empty() || relative.starts_with("..") ? path : relative;
    const std::string page = PageName(shown);
    index += "<tr><td><a href=\"" + CleanXml(page) + "\">" + CleanXml(shown) + "</a></td>" +
             Ratio(file.LinesHit(), file.lines.size()) +
             Ratio(file.BranchesHit(), file.branches.size()) +
             Ratio(file.ProceduresHit(), file.procedures.size()) + "</tr>\n";
    const std::string problem = Write(directory + "/" + page, Page(shown, path, file));
    if (!problem.empty()) return problem;
  }
  return Write(directory + "/index.html", index + "</table>\n" + kFoot);
}

}  // namespace tenure::compiler
