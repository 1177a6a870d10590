// Tables of mistakes with the messages about them: tests/mistakes/README.md has the format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/check/check.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/options.h"
#include "compiler/package/package_source.h"
#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

struct Mistake {
  std::string title;
  std::vector<std::pair<std::string, std::string>> files;  // name and text, in the table's order
  std::string output;
};

struct Table {
  std::string introduction;
  std::vector<Mistake> mistakes;
};

fs::path Root() {
  for (fs::path root = fs::current_path(); root != root.root_path(); root = root.parent_path()) {
    if (fs::is_directory(root / "tests" / "mistakes")) return root;
  }
  return {};
}

Table ReadTable(const fs::path& path) {
  Table table;
  std::ifstream stream(path);
  std::string* text = &table.introduction;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("== ")) {
      table.mistakes.push_back({line.substr(3), {{"Main.m3", ""}}, ""});
      text = &table.mistakes.back().files.back().second;
    } else if (line.starts_with("-- file ") && !table.mistakes.empty()) {
      table.mistakes.back().files.push_back({line.substr(8), ""});
      text = &table.mistakes.back().files.back().second;
    } else if (line == "-- output" && !table.mistakes.empty()) {
      text = &table.mistakes.back().output;
    } else {
      *text += line + "\n";
    }
  }
  for (Mistake& mistake : table.mistakes) {
    // The empty line before the next title.
    while (mistake.output.ends_with("\n\n")) mistake.output.pop_back();
    if (mistake.output == "\n") mistake.output.clear();
    if (mistake.files.front().second.empty()) mistake.files.erase(mistake.files.begin());
  }
  return table;
}

void WriteTable(const fs::path& path, const Table& table) {
  std::ofstream stream(path);
  stream << table.introduction;
  const char* between = "";
  for (const Mistake& mistake : table.mistakes) {
    stream << between << "== " << mistake.title << "\n";
    between = "\n";
    for (const auto& [name, text] : mistake.files) {
      if (name != "Main.m3" || &mistake.files.front().first != &name) {
        stream << "-- file " << name << "\n";
      }
      stream << text;
    }
    stream << "-- output\n" << mistake.output;
  }
}

// The files of a package, by their path in it.
using Files = std::map<std::string, std::string>;

// A message, without its place: fixes of other messages move it.
using MessageKey = std::pair<MessageId, std::string>;

struct Compiled {
  std::string output;
  std::multiset<MessageKey> errors_without_fix, errors_with_fix;
  Files fixed;  // the files after all fixes
  bool has_fixes = false;
};

std::string Replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  for (size_t at = 0; (at = text.find(old_part, at)) != std::string::npos; at += new_part.size()) {
    text.replace(at, old_part.size(), new_part);
  }
  return text;
}

// Applies the fixes of all messages to the package's files. The first of two fixes that overlap is
// applied.
void ApplyFixes(const Diagnostics& diagnostics, Compiled* compiled) {
  std::map<std::string, std::vector<DiagnosticFix>> fixes;
  for (const Diagnostic* diagnostic : diagnostics.Sorted()) {
    for (const DiagnosticFix& fix : diagnostic->fixes) {
      fixes[fs::path(fix.span.file->path()).lexically_normal().string()].push_back(fix);
      compiled->has_fixes = true;
    }
  }
  for (auto& [path, list] : fixes) {
    const auto file = compiled->fixed.find(path);
    if (file == compiled->fixed.end()) {
      ADD_FAILURE() << "a fix of " << path << ", which is not a file of the package";
      continue;
    }
    std::stable_sort(list.begin(), list.end(), [](const DiagnosticFix& a, const DiagnosticFix& b) {
      return a.span.begin < b.span.begin;
    });
    std::string text;
    size_t done = 0;
    const DiagnosticFix* last = nullptr;
    for (const DiagnosticFix& fix : list) {
      if (fix.span.begin < done) continue;
      if (last != nullptr && last->span == fix.span && last->replacement == fix.replacement)
        continue;
      text += file->second.substr(done, fix.span.begin - done) + fix.replacement;
      done = fix.span.end;
      last = &fix;
    }
    file->second = text + file->second.substr(done);
  }
}

// Checks the package as `tenure build .` does in its directory.
Compiled Compile(const Files& files, const std::string& library) {
  TemporaryDirectory directory;
  for (const auto& [name, text] : files) directory.Write("mistake/" + name, text);
  const fs::path before = fs::current_path();
  fs::current_path(directory / "mistake");
  Compiled compiled;
  compiled.fixed = files;
  Diagnostics diagnostics;
  PackageSource package;
  std::vector<std::unique_ptr<Program>> programs;
  const std::string problem = package.Open(".", library, diagnostics).text();
  if (!problem.empty()) compiled.output = "tenure: " + problem + "\n";
  if (problem.empty() && !diagnostics.has_errors()) {
    for (size_t i = 0; i < package.program_count(); ++i) {
      package.UseProgram(i);
      CheckOptions check;
      check.program_name = package.name();
      check.units = package.PackageUnits();
      check.needs_main = package.makes_program();
      programs.push_back(CheckProgram(package, check, diagnostics));
      package.ReportImports(diagnostics);
    }
  }
  compiled.output += diagnostics.Render(DiagnosticFormat::kText);
  compiled.output = Replaced(compiled.output, directory / "mistake", "PACKAGE");
  compiled.output = Replaced(compiled.output, directory.path(), "AROUND");
  compiled.output = Replaced(compiled.output, library, "LIBRARY");
  for (const Diagnostic* diagnostic : diagnostics.Sorted()) {
    if (diagnostic->severity != Severity::kError) continue;
    auto& errors =
        diagnostic->fixes.empty() ? compiled.errors_without_fix : compiled.errors_with_fix;
    errors.emplace(diagnostic->id, diagnostic->text);
  }
  ApplyFixes(diagnostics, &compiled);
  fs::current_path(before);
  return compiled;
}

// The message of `tenure WORDS` about its command line.
std::string ProblemOfCommand(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const OrProblem<Options> options = ParseOptions(static_cast<int>(argv.size()), argv.data());
  return options.ok() ? "" : "tenure: " + options.problem().text() + "\n";
}

void CheckMistake(const Mistake& mistake, const std::string& library, std::string* output) {
  const std::string& first = mistake.files.front().second;
  if (first.starts_with("$ tenure")) {
    *output = ProblemOfCommand(first.substr(2));
    return;
  }
  const Files files(mistake.files.begin(), mistake.files.end());
  const Compiled compiled = Compile(files, library);
  *output = compiled.output;
  if (!compiled.has_fixes) return;
  // The corrected program has only errors that had no fix.
  const Compiled corrected = Compile(compiled.fixed, library);
  std::multiset<MessageKey> allowed = compiled.errors_without_fix;
  for (const auto& errors : {corrected.errors_without_fix, corrected.errors_with_fix}) {
    for (const MessageKey& error : errors) {
      const auto found = allowed.find(error);
      if (found != allowed.end()) {
        allowed.erase(found);
        continue;
      }
      ADD_FAILURE() << "the corrected program still has the error: " << error.second << "\n"
                    << corrected.output;
    }
  }
}

class MistakesTest : public testing::TestWithParam<std::string> {};

TEST_P(MistakesTest, AreReportedWithTheseWordsAndTheirFixesAreRight) {
  const fs::path root = Root();
  ASSERT_FALSE(root.empty()) << "run this test in the project's folder";
  const fs::path path = root / "tests" / "mistakes" / GetParam();
  const std::string library = root / "stdlib";
  Table table = ReadTable(path);
  ASSERT_FALSE(table.mistakes.empty());
  std::set<std::string> titles;
  const bool update = std::getenv("TENURE_UPDATE_MISTAKES") != nullptr;
  for (Mistake& mistake : table.mistakes) {
    SCOPED_TRACE(GetParam() + ": " + mistake.title);
    EXPECT_TRUE(titles.insert(mistake.title).second) << "two mistakes have this title";
    ASSERT_FALSE(mistake.files.empty());
    std::string output;
    CheckMistake(mistake, library, &output);
    EXPECT_NE(output, "") << "no message";
    if (update) {
      mistake.output = output;
    } else {
      EXPECT_EQ(output, mistake.output);
    }
  }
  if (update) WriteTable(path, table);
}

std::vector<std::string> Tables() {
  std::vector<std::string> tables;
  const fs::path folder = Root() / "tests" / "mistakes";
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".txt") {
      tables.push_back(fs::relative(entry.path(), folder).string());
    }
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

INSTANTIATE_TEST_SUITE_P(Tables, MistakesTest, testing::ValuesIn(Tables()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = fs::path(info.param).replace_extension().string();
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MistakesTest);

}  // namespace
}  // namespace tenure::compiler
