#include "compiler/driver/options.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/version.h"

namespace tenure::compiler {
namespace {

struct Parsed {
  std::optional<Options> options;
  std::string problem;
};

Parsed Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "tenure");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  OrProblem<Options> parsed = ParseOptions(static_cast<int>(words.size()), argv.data());
  // There is either a result or an error, never both or neither.
  EXPECT_EQ(parsed.ok(), parsed.problem().ok());
  if (parsed.ok()) return {*parsed, ""};
  return {std::nullopt, parsed.problem().text()};
}

Options Good(const std::vector<std::string>& words) {
  const Parsed parsed = Parse(words);
  EXPECT_TRUE(parsed.options.has_value()) << parsed.problem;
  return parsed.options.value_or(Options{});
}

using Command = Options::Command;

TEST(OptionsTest, BuildHasItsDefaults) {
  const Options options = Good({"build"});
  EXPECT_EQ(options.command, Command::kBuild);
  EXPECT_EQ(options.directory, ".");
  EXPECT_EQ(options.output, "");
  EXPECT_TRUE(options.optimize);
  EXPECT_TRUE(options.checks);
  EXPECT_FALSE(options.verbose);
  EXPECT_EQ(options.dump, Dump::kNone);
  EXPECT_EQ(options.format, DiagnosticFormat::kText);
  EXPECT_FALSE(options.no_warnings);
  EXPECT_FALSE(options.warnings_are_errors);
}

TEST(OptionsTest, OptionsMayStandBeforeAndBehindTheDirectory) {
  const Options options =
      Good({"build", "-O0", "some/dir", "-o", "out", "--no-checks", "-v", "-w", "-Werror"});
  EXPECT_EQ(options.directory, "some/dir");
  EXPECT_EQ(options.output, "out");
  EXPECT_FALSE(options.optimize);
  EXPECT_FALSE(options.checks);
  EXPECT_TRUE(options.verbose);
  EXPECT_TRUE(options.no_warnings);
  EXPECT_TRUE(options.warnings_are_errors);
}

TEST(OptionsTest, TheLastOfContradictingOptionsCounts) {
  EXPECT_TRUE(Good({"build", "-O0", "-O2"}).optimize);
  EXPECT_FALSE(Good({"build", "-O2", "-O0"}).optimize);
  EXPECT_EQ(Good({"build", "-o", "a", "-o", "b"}).output, "b");
}

TEST(OptionsTest, WarningsMayBeTurnedOffOneByOne) {
  const Options options = Good({"build", "-Wno-W0301", "dir", "-Wno-W0401"});
  EXPECT_EQ(options.directory, "dir");
  EXPECT_EQ(options.disabled_warnings, (std::vector<std::string>{"W0301", "W0401"}));
  EXPECT_FALSE(options.warnings_are_errors);
}

TEST(OptionsTest, NumbersMayStandApart) {
  EXPECT_EQ(Good({"build", "-j3"}).processes, 3);
  EXPECT_EQ(Good({"build", "-j", "4"}).processes, 4);
  EXPECT_EQ(Good({"build", "--max-errors", "7"}).max_errors, 7);
}

TEST(OptionsTest, WhatToDumpAndHowToReport) {
  EXPECT_EQ(Good({"build", "--dump=ast"}).dump, Dump::kAst);
  EXPECT_EQ(Good({"build", "--dump=llvm"}).dump, Dump::kLlvm);
  EXPECT_EQ(Good({"build", "--error-format=json"}).format, DiagnosticFormat::kJson);
  EXPECT_EQ(Good({"build", "--error-format=json", "--error-format=text"}).format,
            DiagnosticFormat::kText);
}

TEST(OptionsTest, WhatFollowsTheDashesIsTheProgramsOwn) {
  const Options options = Good({"run", "dir", "--", "-o", "--help", "@M3gcstats", "--", "", "x"});
  EXPECT_EQ(options.command, Command::kRun);
  EXPECT_EQ(options.directory, "dir");
  EXPECT_EQ(options.output, "");
  EXPECT_EQ(options.program_arguments,
            (std::vector<std::string>{"-o", "--help", "@M3gcstats", "--", "", "x"}));
  EXPECT_TRUE(Good({"run", "--"}).program_arguments.empty());
  EXPECT_EQ(Good({"run", "--", "a"}).directory, ".");
}

TEST(OptionsTest, HelpAndVersionInTheirForms) {
  for (const char* word : {"--help", "-h", "help"})
    EXPECT_EQ(Good({word}).command, Command::kHelp) << word;
  for (const char* word : {"--version", "version"})
    EXPECT_EQ(Good({word}).command, Command::kVersion) << word;
  const Options of_build = Good({"build", "dir", "--help"});
  EXPECT_EQ(of_build.command, Command::kHelp);
  EXPECT_EQ(of_build.help_topic, "build");
  EXPECT_EQ(Good({"run", "-h"}).help_topic, "run");
}

TEST(OptionsTest, DocIsAboutTheCurrentDirectoryUnlessAnotherIsNamed) {
  EXPECT_EQ(Good({"doc"}).command, Command::kDoc);
  EXPECT_EQ(Good({"doc"}).directory, ".");
  EXPECT_EQ(Good({"doc", "--guide", "../guide.html"}).guide, "../guide.html");
  EXPECT_EQ(Good({"doc", "dir", "-o", "pages"}).directory, "dir");
  EXPECT_EQ(Good({"doc", "dir", "-o", "pages"}).output, "pages");
}

TEST(OptionsTest, WrongUsageSaysWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "no command"},
      {{"compile"}, "'compile'"},
      {{""}, "''"},
      {{"biuld"}, "did you mean 'build'?"},
      {{"build", "--fast"}, "--fast"},
      {{"build", "--junit", "x"}, "--junit belongs to 'tenure test'"},
      {{"build", "--gc=boem"}, "did you mean boehm?"},
      {{"explain", "--lst"}, "did you mean --list?"},
      {{"--versoin"}, "did you mean --version?"},
      {{"query"}, "did you mean 'db query'?"},
      {{"heap"}, "FILE is required: what a program wrote"},
      {{"build", "-O3"}, "-O"},
      {{"build", "-o"}, "-o"},
      {{"build", "-o", ""}, "-o"},
      {{"build", "a", "b"}, "not expected: b"},
      {{"build", ""}, "empty"},
      {{"build", "--dump"}, "--dump"},
      {{"build", "--dump=types"}, "'types' is none of ast and llvm"},
      {{"build", "--error-format=xml"}, "'xml' is none of json and text"},
      {{"build", "-Wno-W9999"}, "no warning has the code 'W9999'"},
      {{"build", "-Wall"}, "-Wall"},
      {{"build", "-j0"}, "-j"},
      {{"add", "--path", "a", "--git", "b"}, "--git"},
      {{"new"}, "NAME"},
      {{"explain"}, "CODE"},
      {{"test", "-o", "x"}, "-o"},
      {{"build", "--", "x"}, "tenure run"},
      {{"run", "a", "b", "--", "c"}, "not expected: b"},
  };
  for (const auto& [words, expected] : cases) {
    const Parsed parsed = Parse(words);
    EXPECT_FALSE(parsed.options.has_value()) << expected;
    EXPECT_NE(parsed.problem.find(expected), std::string::npos) << parsed.problem;
  }
}

TEST(OptionsTest, ASingleDashIsAName) { EXPECT_EQ(Good({"build", "-"}).directory, "-"); }

TEST(OptionsTest, HelpTellsOfEveryOption) {
  const std::string all = HelpText(""), build = HelpText("build");
  for (const char* word : {"build", "run", "db", "serve", "--help", "--version", "@M3help"}) {
    EXPECT_NE(all.find(word), std::string::npos) << word;
  }
  for (const char* word :
       {"DIR", "-o FILE", "-O 0|2", "--no-checks", "--dump ast|llvm", "--error-format", "-w",
        "-Werror", "-Wno-", "-v", "--gc tenure|boehm", "--help"}) {
    EXPECT_NE(build.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(all.back(), '\n');
  EXPECT_EQ(VersionText().rfind("tenure ", 0), 0u);
}

}  // namespace
}  // namespace tenure::compiler
