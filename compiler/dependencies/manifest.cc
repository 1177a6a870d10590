#include "compiler/dependencies/manifest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include "base/near_names.h"
#include "compiler/dependencies/text_file.h"
#include "compiler/dependencies/toml.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

std::string Place(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line) + ":" +
         std::to_string(source.begin.column) + ": ";
}

bool IsName(std::string_view name) {
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
         });
}

// 1.2.3, perhaps with -rc.1 or +build behind it.
bool IsVersion(std::string_view text) {
  const size_t end = std::min(text.find_first_of("-+"), text.size());
  int parts = 0;
  std::istringstream numbers{std::string(text.substr(0, end))};
  for (std::string part; std::getline(numbers, part, '.'); ++parts) {
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos) return false;
  }
  return parts == 3 && text.substr(0, end).back() != '.' && end + 1 != text.size();
}

// Reads the tables of one manifest. The first error counts.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Problem Read(const toml::table& root, Manifest* manifest) {
    CheckKeys(root, "", {"package", "dependencies", "overrides"});
    if (const toml::table* package = TableOf(root, "package")) {
      CheckKeys(*package, "package",
                {"name", "version", "description", "license", "authors", "homepage"});
      manifest->name = TextOf(*package, "name");
      manifest->version = TextOf(*package, "version");
      if (package->contains("name") && !IsName(manifest->name)) {
        Fail(*package->get("name"), "'" + manifest->name +
                                        "' is not the name of a package: a name begins with a "
                                        "letter, and has letters, digits, "
                                        "'-' and '_'");
      }
      if (package->contains("version") && !IsVersion(manifest->version)) {
        Fail(*package->get("version"),
             "'" + manifest->version + "' is not a version: write three numbers, as 1.0.0");
      }
    }
    if (const toml::table* table = TableOf(root, "dependencies")) {
      manifest->dependencies = Dependencies(*table);
    }
    if (const toml::table* table = TableOf(root, "overrides")) {
      manifest->overrides = Dependencies(*table);
    }
    if (problem_.empty()) return {};
    return Problem(StatusCode::kInvalidArgument, problem_);
  }

 private:
  void Fail(const toml::node& node, const std::string& text) {
    if (problem_.empty()) problem_ = Place(path_, node.source()) + text;
  }

  void CheckKeys(const toml::table& table, const std::string& name,
                 const std::set<std::string_view>& known) {
    for (const auto& [key, value] : table) {
      if (known.contains(key.str())) continue;
      const std::string word(key.str());
      const bool is_root = name.empty();
      NearNames near(word);
      std::string list;
      for (const std::string_view one : known) {
        near.Consider(one);
        list += (list.empty() ? "" : ", ") + std::string(one);
      }
      const std::string what = "unknown " +
                               (is_root ? (value.is_table() ? "table" : "key") : "key of " + name) +
                               " '" + word + "'";
      std::string advice = near.best().empty() ? "" : "; did you mean " + near.best() + "?";
      if (is_root && word == "project") advice = "; did you mean package?";
      if (is_root && word == "dev-dependencies") {
        advice = "; tests use what [dependencies] names";
      }
      if (is_root && !value.is_table())
        advice = "; the package's name and version stand in [package]";
      if (known.contains("tag")) advice += AdviceOnSource(word);
      // The key, not its value.
      if (problem_.empty())
        problem_ = Place(path_, key.source()) + what + advice + "; known are " + list;
    }
  }

  // Words of other tools in a dependency.
  static std::string AdviceOnSource(std::string_view word) {
    if (word == "rev" || word == "revision") return "; did you mean commit?";
    if (word == "version") return "; did you mean tag?";
    if (word == "url") return "; did you mean git?";
    return "";
  }

  const toml::table* TableOf(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node != nullptr && !node->is_table()) {
      Fail(*node, "'" + std::string(key) + "' must be a table: [" + std::string(key) + "]");
    }
    return node == nullptr ? nullptr : node->as_table();
  }

  std::string TextOf(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return "";
    const std::optional<std::string> text = node->value_exact<std::string>();
    if (!text || text->empty() || text->find('\0') != std::string::npos) {
      Fail(*node, "'" + std::string(key) + "' must be a text in quotes, and not empty");
    }
    return text.value_or("");
  }

  std::vector<Dependency> Dependencies(const toml::table& table) {
    std::vector<Dependency> found;
    for (const auto& [key, value] : table) {
      Dependency dependency;
      dependency.name = key.str();
      const std::string example =
          "{ path = \"DIR\" } or { git = \"URL\", tag = \"TAG\" }, or commit or branch in the "
          "place of tag";
      const toml::table* fields = value.as_table();
      if (fields == nullptr) {
        Fail(value, "the dependency " + dependency.name + " must be " + example);
        continue;
      }
      CheckKeys(*fields, dependency.name, {"path", "git", "tag", "commit", "branch", "directory"});
      dependency.path = TextOf(*fields, "path");
      dependency.git = TextOf(*fields, "git");
      dependency.tag = TextOf(*fields, "tag");
      dependency.commit = TextOf(*fields, "commit");
      dependency.branch = TextOf(*fields, "branch");
      dependency.subdirectory = TextOf(*fields, "directory");
      const bool has_path = !dependency.path.empty(), has_git = !dependency.git.empty();
      const int versions = int{!dependency.tag.empty()} + int{!dependency.commit.empty()} +
                           int{!dependency.branch.empty()};
      if (!IsName(dependency.name)) {
        Fail(value, "'" + dependency.name + "' is not the name of a package");
      } else if (has_path == has_git || (has_git && versions != 1) ||
                 (has_path && fields->size() != 1)) {
        Fail(value, "the dependency " + dependency.name + " must be " + example);
      } else if (dependency.tag.starts_with('-')) {
        Fail(value, "'" + dependency.tag + "' is not a tag");
      } else if (dependency.branch.starts_with('-')) {
        Fail(value, "'" + dependency.branch + "' is not a branch");
      } else if (!dependency.commit.empty() && !IsCommit(dependency.commit)) {
        Fail(value, "a commit has 40 digits (64 with SHA-256), 0 to 9 and a to f; '" +
                        dependency.commit + "' is something else");
      } else if (has_git && dependency.git[0] == '-') {
        Fail(value, "'" + dependency.git + "' is not a URL");
      }
      const fs::path inside = fs::path(dependency.subdirectory).lexically_normal();
      if (inside.is_absolute() || (!inside.empty() && *inside.begin() == "..")) {
        Fail(value, "'" + dependency.subdirectory + "' is not in the repository");
      }
      found.push_back(std::move(dependency));
    }
    std::ranges::sort(found, {}, &Dependency::name);
    return found;
  }

  std::string path_, problem_;
};

std::string PathIn(const std::string& directory) {
  return (fs::path(directory) / kManifestName).lexically_normal().string();
}

// Parses a text that is at most a manifest with errors of syntax.
Problem Parse(const std::string& path, const std::string& text, toml::table* table) {
  toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const std::string description(parsed.error().description());
    // `name = app`
    const bool is_word = description.find("could not determine value type") != std::string::npos;
    return Problem(StatusCode::kInvalidArgument,
                   Place(path, parsed.error().source()) + description +
                       (is_word ? "; a text stands in quotes: name = \"app\"" : ""));
  }
  *table = std::move(parsed).table();
  return {};
}

std::string QuotedText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// The line of a dependency, without its end.
std::string LineOf(const Dependency& dependency) {
  std::string line = dependency.name + " = { ";
  const char* separator = "";
  for (const auto& [key, value] :
       {std::pair<const char*, const std::string&>{"path", dependency.path},
        {"git", dependency.git},
        {"tag", dependency.tag},
        {"commit", dependency.commit},
        {"branch", dependency.branch},
        {"directory", dependency.subdirectory}}) {
    if (value.empty()) continue;
    line += std::string(separator) + key + " = " + QuotedText(value);
    separator = ", ";
  }
  return line + " }";
}

// Finds the lines of an existing dependency: all of them in one table in braces. False: it is
// written in another way, or several dependencies share a line.
bool LinesOf(const toml::table& root, const std::string& name, size_t* first, size_t* last) {
  const toml::node* node = root["dependencies"][name].node();
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr || !table->is_inline()) return false;
  *first = table->source().begin.line;
  *last = std::max<size_t>(table->source().end.line, *first);
  return *first != 0;
}

// What stands behind the last brace of a line that is outside of texts and comments: blanks, a
// comment, the end of the line.
std::string BehindTable(const std::string& line) {
  size_t behind = line.find_last_not_of("\r\n") + 1;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      break;
    } else if (c == '}') {
      behind = i + 1;
    }
  }
  return line.substr(behind);
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

// The line behind the last entry of [dependencies]; 0: there is no such heading.
size_t LineForNew(const std::vector<std::string>& lines) {
  size_t place = 0;
  bool inside = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t start = lines[i].find_first_not_of(" \t");
    if (start == std::string::npos || lines[i][start] == '\n' || lines[i][start] == '\r') continue;
    if (lines[i][start] == '[') {
      std::string heading;
      for (const char c : lines[i].substr(start, lines[i].find('#', start) - start)) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) heading += c;
      }
      inside = heading == "[dependencies]";
    }
    if (inside) place = i + 1;
  }
  return place;
}

// Changes the text of a manifest, unless parsing the result would give another manifest than
// intended.
Problem WriteChanged(const std::string& path, const std::string& text, const std::string& name,
                     const Dependency* wanted) {
  toml::table table;
  TN_RETURN_IF_PROBLEM(Parse(path, text, &table));
  Manifest manifest;
  Problem problem = Reader(path).Read(table, &manifest);
  const auto here = std::ranges::find(manifest.dependencies, name, &Dependency::name);
  if (problem.ok() && (wanted == nullptr || *here != *wanted)) {
    problem = Problem(StatusCode::kNotSupported,
                      path + ": cannot change the dependency " + name +
                          " in the way in which it is written: change the file by hand");
  }
  if (wanted == nullptr && here == manifest.dependencies.end()) problem = {};
  return problem.ok() ? WriteTextFile(path, text) : problem;
}

Problem Change(const std::string& directory, const std::string& name, const Dependency* wanted) {
  const std::string path = PathIn(directory);
  std::string text;
  TN_RETURN_IF_PROBLEM(ReadTextFile(path, &text));
  toml::table table;
  TN_RETURN_IF_PROBLEM(Parse(path, text, &table));
  // The ends of lines are those of the file.
  const std::string end = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  if (!text.empty() && text.back() != '\n') text += end;
  std::vector<std::string> lines = LinesOf(text);
  const std::string line = wanted == nullptr ? "" : LineOf(*wanted);
  size_t first = 0, last = 0;
  if (LinesOf(table, name, &first, &last) && last <= lines.size()) {
    const std::string behind = BehindTable(lines[last - 1]);
    lines.erase(lines.begin() + static_cast<long>(first - 1),
                lines.begin() + static_cast<long>(last));
    if (wanted != nullptr) {
      lines.insert(lines.begin() + static_cast<long>(first - 1), line + behind);
    }
  } else if (wanted != nullptr) {
    const size_t place = LineForNew(lines);
    if (place == 0) {
      lines.push_back((lines.empty() ? "" : end) + "[dependencies]" + end + line + end);
    } else {
      lines.insert(lines.begin() + static_cast<long>(place), line + end);
    }
  }
  text.clear();
  for (const std::string& one : lines) text += one;
  return WriteChanged(path, text, name, wanted);
}

}  // namespace

std::string Dependency::Version() const {
  if (!tag.empty()) return "tag " + tag;
  if (!branch.empty()) return "branch " + branch;
  return commit.empty() ? "" : "commit " + commit;
}

bool IsCommit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Problem ReadManifest(const std::string& directory, Manifest* manifest, bool* found) {
  const std::string path = PathIn(directory);
  std::error_code error;
  *found = fs::exists(fs::symlink_status(path, error));
  if (!*found) return {};
  std::string text;
  TN_RETURN_IF_PROBLEM(ReadTextFile(path, &text));
  toml::table table;
  TN_RETURN_IF_PROBLEM(Parse(path, text, &table));
  return Reader(path).Read(table, manifest);
}

Problem WriteDependency(const std::string& directory, const Dependency& dependency) {
  std::error_code error;
  const std::string path = PathIn(directory);
  if (!fs::exists(fs::symlink_status(path, error))) {
    const std::string name = fs::canonical(directory, error).filename().string();
    const std::string head =
        IsName(name) ? "[package]\nname = \"" + name + "\"\nversion = \"0.1.0\"\n\n" : "";
    if (error) return Problem::OfSystem("cannot open '" + directory + "'", error);
    return WriteChanged(path, head + "[dependencies]\n" + LineOf(dependency) + "\n",
                        dependency.name, &dependency);
  }
  return Change(directory, dependency.name, &dependency);
}

Problem RemoveDependency(const std::string& directory, const std::string& name) {
  Manifest manifest;
  bool found = false;
  TN_RETURN_IF_PROBLEM(ReadManifest(directory, &manifest, &found));
  if (std::ranges::find(manifest.dependencies, name, &Dependency::name) ==
      manifest.dependencies.end()) {
    return Problem(StatusCode::kNotFound, PathIn(directory) + " has no dependency '" + name + "'");
  }
  return Change(directory, name, nullptr);
}

}  // namespace tenure::compiler
