#include "compiler/driver/new_command.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

#include "compiler/lex/lexer.h"
#include "compiler/package/build_file.h"
#include "compiler/package/installation.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLongestName = 64;

// In these texts NAME stands for the package's name and UNIT for its unit's.
constexpr std::string_view kManifest = R"([package]
name = "NAME"
version = "0.1.0"

[dependencies]
)";

// What builds, `tenure test --coverage` and `tenure doc` write.
constexpr std::string_view kIgnored = ".tenure/\n/coverage/\n/doc/\n";

constexpr std::string_view kMain = R"(MODULE Main;

IMPORT Greeting, IO, Params;

VAR name := "world";

BEGIN
  IF Params.Count > 1 THEN name := Params.Get(1) END;
  IO.Put(Greeting.For(name) & "\n");
END Main.
)";

constexpr std::string_view kInterface = R"((* Greetings. *)
INTERFACE UNIT;

(* A greeting of whoever has this name. *)
PROCEDURE For(name: TEXT): TEXT;

END UNIT.
)";

constexpr std::string_view kModule = R"(MODULE UNIT;

PROCEDURE For(name: TEXT): TEXT =
  BEGIN
    RETURN "Hello, " & name & "!";
  END For;

BEGIN
END UNIT.
)";

constexpr std::string_view kTest = R"(MODULE UNITTest;

IMPORT UNIT, Test;

PROCEDURE TestForNamesWhoIsGreeted(t: Test.T) =
  BEGIN
    t.equalText(UNIT.For("Ada"), "Hello, Ada!");
  END TestForNamesWhoIsGreeted;

BEGIN
END UNITTest.
)";

constexpr std::string_view kProgramReadme = R"(# NAME

    tenure run                  # Hello, world!
    tenure run -- Ada           # Hello, Ada!
    tenure test                 # the tests in tests/
    tenure build -o NAME        # the program, as the file NAME

The sources are in `src/`. `tenure.toml` has the package's name and the packages that it needs
(`tenure add`).
)";

constexpr std::string_view kLibraryReadme = R"(# NAME

    tenure build                # compiles the units in src/
    tenure test                 # the tests in tests/
    tenure doc .                # pages about the interfaces, in doc/

Another package uses the units of this one after `tenure add NAME --path DIR`, or `--git URL`. The
sources are in `src/`. `tenure.toml` has the package's name and the packages that it needs.
)";

// A name like "two-lists" becomes a unit's, each word with a capital.
std::string UnitOf(const std::string& name) {
  std::string unit;
  bool begins = true;
  for (const char c : name) {
    if (c == '-' || c == '_') {
      begins = true;
      continue;
    }
    unit += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
  return unit;
}

std::string Filled(std::string_view text, const std::string& name, const std::string& unit) {
  std::string filled;
  while (!text.empty()) {
    if (text.starts_with("NAME")) {
      filled += name;
      text.remove_prefix(4);
    } else if (text.starts_with("UNIT")) {
      filled += unit;
      text.remove_prefix(4);
    } else {
      filled += text[0];
      text.remove_prefix(1);
    }
  }
  return filled;
}

// A library's unit must not hide one of the standard library, which the program may need too.
Problem CheckUnitName(const std::string& name, const std::string& unit) {
  Installation installation;
  TN_RETURN_IF_PROBLEM(FindInstallation(&installation));
  std::error_code error;
  for (fs::recursive_directory_iterator it(installation.library_directory, error), end;
       !error && it != end; it.increment(error)) {
    if (it->path().filename() != unit + ".i3") continue;
    return Problem("the standard library has an interface " + unit +
                   ", so the library must have another name than '" + name + "'");
  }
  return Problem();
}

// Makes files, and removes them again after a failure.
class Writing {
 public:
  explicit Writing(fs::path directory) : directory_(std::move(directory)) {}

  Problem Write(const std::string& name, const std::string& text) {
    const fs::path path = directory_ / name;
    TN_RETURN_IF_PROBLEM(MakeDirectory(path.parent_path()));
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored))) {
      return Problem("'" + path.string() + "' is there already");
    }
    made_.push_back(path);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    return file ? Problem() : Problem("cannot write '" + path.string() + "'");
  }
  void TakeBack() {
    std::error_code ignored;
    for (auto it = made_.rbegin(); it != made_.rend(); ++it) fs::remove(*it, ignored);
  }

 private:
  Problem MakeDirectory(const fs::path& path) {
    std::error_code error;
    if (path.empty() || fs::is_directory(path, error)) return Problem();
    TN_RETURN_IF_PROBLEM(MakeDirectory(path.parent_path()));
    if (fs::create_directory(path, error)) made_.push_back(path);
    return error ? Problem("cannot make the directory '" + path.string() + "': " + error.message())
                 : Problem();
  }

  fs::path directory_;
  std::vector<fs::path> made_;
};

// Version control may have begun.
bool IsEmptyDirectory(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() != ".git") return false;
  }
  return !error;
}

}  // namespace

Problem CheckPackageName(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  if (name.empty() || !is_letter(name[0]) || !std::ranges::all_of(name, is_good) ||
      name.size() > kLongestName) {
    return Problem("'" + name +
                   "' is not the name of a package: a name begins with a letter, and has letters, "
                   "digits, '-' and '_', 64 at most");
  }
  if (IsLibraryPackage(name)) {
    return Problem("'" + name + "' is a package of the standard library: choose another name");
  }
  return Problem();
}

int NewPackage(const std::string& given, bool library) {
  std::error_code error;
  fs::path path = fs::absolute(given, error).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // a slash at the end
  const std::string name = path.filename().string();
  const std::string unit = library ? UnitOf(name) : "Greeting";
  Problem problem = CheckPackageName(name);
  if (problem.ok() && library) problem = CheckUnitName(name, unit);
  if (problem.ok() && FindKeyword(unit) != TokenKind::kIdentifier) {
    problem = Problem(unit + " is a keyword, so a unit, and the library, must have another name");
  }
  if (!problem.ok()) return problem.Print(kExitUsage);
  if (fs::exists(fs::symlink_status(path, error)) && !IsEmptyDirectory(path)) {
    return Problem("'" + given + "' is there already").Print(kExitUsage);
  }
  const std::map<std::string, std::string_view> files = {
      {"tenure.toml", kManifest},
      {".gitignore", kIgnored},
      {"README.md", library ? kLibraryReadme : kProgramReadme},
      {"src/" + unit + ".i3", kInterface},
      {"src/" + unit + ".m3", kModule},
      {"tests/" + unit + "Test.m3", kTest}};
  Writing writing(path);
  for (const auto& [file, text] : files) {
    if (problem.ok()) problem = writing.Write(file, Filled(text, name, unit));
  }
  if (problem.ok() && !library) problem = writing.Write("src/Main.m3", std::string(kMain));
  if (!problem.ok()) {
    writing.TakeBack();
    return problem.Print();
  }
  std::printf("made the %s %s in %s; 'tenure %s %s' %s it\n", library ? "library" : "program",
              name.c_str(), given.c_str(), library ? "test" : "run", given.c_str(),
              library ? "tests" : "runs");
  return kExitOk;
}

}  // namespace tenure::compiler
