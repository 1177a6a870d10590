#include "compiler/driver/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "commands/advice.h"
#include "commands/table.h"
#include "compiler/driver/version.h"

namespace tenure::compiler {

namespace {

constexpr const char* kAbout = "tenure: Modula-3 whose heap does not die";

constexpr const char* kMore =
    "'tenure COMMAND --help' tells more about a command.\n"
    "\n"
    "Exit status: 0 done, 1 errors in the source, 2 wrong usage, 3 a problem with tools, files or "
    "disk.\n"
    "`tenure run` passes on the program's own status; a run-time error of the program is status "
    "4.\n"
    "Programs take run-time flags; run one with @M3help to see them.";

constexpr const char* kPackages =
    "DIR is a package: what its m3makefile, or src/m3makefile, says, or without one the .i3 .m3 "
    ".ig .mg files\n"
    "in it and in its src; or a single .m3 file. Imported packages are looked for beside it and "
    "along\n"
    "TENURE_PATH.";

constexpr const char* kTests =
    "A test is a procedure TestNAME(t: Test.T) in a module of DIR/tests or of the package; the "
    "interface Test tells\n"
    "more, and docs/testing.md. Each test runs in a process of its own. A module in DIR/tests that "
    "exports Main, and a\n"
    "package in a directory of DIR/tests, is a test as a whole: it passes when it ends with status "
    "0.\n"
    "Without a FILTER all tests run; with some, those whose names (QueueTest.TestPush) contain one "
    "of them. What stands\n"
    "behind a slash in a FILTER selects subtests.";

constexpr const char* kDebugging =
    "DIR may also be a program that was built with -g. Without -O2 the package is built with -O0. "
    "What follows '--'\n"
    "goes to the program. docs/debugging.md tells what gdb shows and which commands it has besides "
    "its own.";

constexpr const char* kBenchmarks =
    "A benchmark is a procedure BenchNAME(b: Test.Bench) that does its work b.n times, in a module "
    "of DIR/tests or of\n"
    "the package. Each runs in a process of its own, one after the other: first with growing n, "
    "then 15 times with an\n"
    "n that takes 20 ms or more. A line has the median of an iteration's time, the least, half of "
    "the distance between\n"
    "the quartiles as a part of the median, and with --compare the former median.";

constexpr const char* kFixing =
    "Applies the fixes of errors and warnings that do not overlap, and checks again, until none is "
    "left. A file whose\n"
    "fix does not remove its message gets its text back. With a file in place of DIR only that "
    "file changes. -w leaves\n"
    "warnings alone. Sources of other packages, of the library and of build files stay as they "
    "are.";

constexpr const char* kFormatting =
    "Changes blanks and line ends alone: indentation, blanks between tokens, runs of empty lines, "
    "and where a line that\n"
    "is too long breaks. The author's line ends stay where the style allows them. A source that "
    "does not parse stays as\n"
    "it is, with the messages. With - the result goes to standard output. docs/guide/editors.md "
    "has the style.";

bool IsWarningCode(std::string_view code) {
  for (int i = 0; i < MessageCount(); ++i) {
    const MessageInfo& info = GetMessageInfo(static_cast<MessageId>(i));
    if (info.severity == Severity::kWarning && info.code == code) return true;
  }
  return false;
}

CLI::Validator NotEmpty(const char* what) {
  return {[what](std::string& text) {
            return text.empty() ? std::string(what) + " is empty" : std::string();
          },
          ""};
}

// The command line of `tenure`. Parsing fills the options given to the constructor.
class CommandLine {
 public:
  explicit CommandLine(Options& options) : options_(options), app_(kAbout, "tenure") {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", VersionText());
    app_.add_flag(kCommandTableOption)->group("");
    app_.footer(kMore);
    // The last of several counts.
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);

    using Command = Options::Command;
    CLI::App* build = Add("build", "compile a package to a program", Command::kBuild);
    CLI::App* run =
        Add("run", "build a package, then run it: tenure run DIR -- ARGUMENT...", Command::kRun);
    CLI::App* test = Add("test", "run the tests of a package", Command::kTest);
    CLI::App* check =
        Add("check", "say what is wrong with a package's sources, or with a database's types",
            Command::kCheck);
    for (CLI::App* command : {build, run, check}) {
      AddOutput(command, "where the program goes (default: DIR/.tenure/bin/NAME)");
    }
    check
        ->add_option("--db", options.database,
                     "build the program, and compare its types with those of the store, or of one "
                     "database of it; without this option nothing is built")
        ->option_text("STORE[:NAME]")
        ->check(NotEmpty("the store's name"));
    CLI::App* fix =
        Add("fix", "apply the fixes that messages about a package's sources have", Command::kFix);
    fix->add_flag("--dry-run", options.dry_run,
                  "print the changes as a diff and write nothing; status 1 if there are any");
    AddDependencies(fix);
    fix->footer(kFixing);
    AddFormat(AddPlain("fmt", "lay out sources in the style of the library", Command::kFormat));
    CLI::App* document =
        Add("doc", "make pages about the library's interfaces and the package's", Command::kDoc);
    AddOutput(document, "where the pages go (default: doc)");
    document
        ->add_option("--guide", options.guide,
                     "a link \"Guide\" on each page leads there, from the folder of the pages")
        ->option_text("ADDRESS")
        ->check(NotEmpty("the guide's address"));
    CLI::App* bench = Add("bench", "run the benchmarks of a package", Command::kBench);
    CLI::App* debug =
        Add("debug", "build a package with -g and run gdb on the program", Command::kDebug);
    AddDebugger(debug);
    AddTests(test);
    AddSelection(bench, "benchmarks");
    AddTimeout(bench, "benchmark");
    bench->add_option("--save", options.test.save, "write the results to FILE, for --compare")
        ->option_text("FILE")
        ->check(NotEmpty("the name of the file"));
    bench->add_option("--compare", options.test.compare, "compare with the results in FILE")
        ->option_text("FILE")
        ->check(NotEmpty("the name of the file"));
    bench->footer(kBenchmarks);
    for (CLI::App* command : {build, run, test, bench, debug, check}) AddCompilation(command);
    for (CLI::App* command : {build, run, test, bench, debug, check, fix, document}) {
      AddReports(command);
    }
    test->footer(kTests);

    CLI::App* explain =
        AddPlain("explain", "the rule behind a diagnostic, with an example", Command::kExplain);
    explain->add_flag("--list", options.list_codes, "the codes of all messages");
    explain
        ->add_option("CODE", options.code,
                     "a message's code, for example M0304, or a rule's number, for example 8.1")
        ->type_name("");
    CLI::App* heap = AddPlain("heap", "who keeps what alive in a program's heap", Command::kHeap);
    heap->add_option("FILE", options.snapshot, "what a program wrote with @M3heapsnapshot=FILE")
        ->type_name("")
        ->required();
    heap->add_option("--type", options.snapshot_type, "only objects of this type")
        ->option_text("NAME")
        ->check(NotEmpty("the type's name"));
    heap->add_option("--top", options.snapshot_top, "how many are listed")
        ->option_text("N")
        ->check(WholeNumber(1));

    for (const auto command :
         {PackageCommand::kNew, PackageCommand::kClean, PackageCommand::kAdd,
          PackageCommand::kRemove, PackageCommand::kUpdate, PackageCommand::kVendor}) {
      AddPackageCommand(app_, command, options.package, options.directory)
          ->callback([this, command] {
            options_.command = Command::kPackage;
            options_.package_command = command;
          });
    }

    // Listed for the help; another program executes them (main.cc).
    app_.add_subcommand("db", "look after databases");
    app_.add_subcommand("serve", "let several programs use the databases of a store at once");
    app_.add_subcommand("node", "serve stores that several machines keep (PostgreSQL)");
  }

  // Throws what CLI::App::parse does.
  void Parse(const std::vector<std::string>& words) {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    SettleCoverage();
    options_.test.filters.insert(options_.test.filters.end(), positional_filters_.begin(),
                                 positional_filters_.end());
    if (!range_.empty()) {
      FormatOptions& format = options_.format_options;
      ReadRange(range_, &format.first_line, &format.last_line);
    }
    const bool debugs = options_.command == Options::Command::kDebug;
    if (debugs) options_.debug = true;
    if (level_ == "0" || (debugs && level_.empty())) options_.optimize = false;
    if (collector_ == "boehm") options_.boehm = true;
    for (const std::string& warning : warnings_) {
      if (warning == "error") {
        options_.warnings_are_errors = true;
      } else {
        options_.disabled_warnings.push_back(warning.substr(kNo.size()));
      }
    }
  }

  // The command that was probably meant by `word`; quoted, or empty.
  std::string Meant(const std::string& word) const {
    // What other tools call it.
    static const OtherNames kOtherNames = {
        {"compile", "build"},      {"make", "build"},        {"exec", "run"},
        {"start", "run"},          {"docs", "doc"},          {"document", "doc"},
        {"tests", "test"},         {"server", "serve"},      {"database", "db"},
        {"why", "explain"},        {"errors", "explain"},    {"init", "new"},
        {"create", "new"},         {"install", "add"},       {"get", "add"},
        {"require", "add"},        {"uninstall", "remove"},  {"rm", "remove"},
        {"lint", "check"},         {"vet", "check"},         {"format", "fmt"},
        {"indent", "fmt"},         {"pretty", "fmt"},        {"repair", "fix"},
        {"gdb", "debug"},          {"benchmark", "bench"},   {"coverage", "test"},
        {"repl", "db shell"},      {"stat", "db stat"},      {"verify", "db verify"},
        {"schema", "db schema"},   {"show", "db show"},      {"query", "db query"},
        {"set", "db set"},         {"shell", "db shell"},    {"dump", "db dump"},
        {"export", "db export"},   {"import", "db import"},  {"gc", "db gc"},
        {"compact", "db compact"}, {"forget", "db forget"},  {"salvage", "db salvage"},
        {"backup", "db backup"},   {"restore", "db restore"}};
    if (word == "upgrade") return "'update' (of packages) or 'db upgrade'";
    const std::string meant = CommandMeant(app_, word, kOtherNames);
    return meant.empty() ? "" : "'" + meant + "'";
  }
  // Describes an error in the last parsed line.
  std::string Describe(const CLI::ParseError& error) const {
    // The names of options in other compilers.
    static const OtherNames kOtherOptions = {{"--release", "-O 2"},
                                             {"--optimize", "-O 2"},
                                             {"--optimise", "-O 2"},
                                             {"--debug", "-g"},
                                             {"--output", "-o"},
                                             {"--out", "-o"},
                                             {"--jobs", "-j"},
                                             {"-V", "--version"},
                                             {"--Werror", "-Werror"},
                                             {"--opt", "-O 2"},
                                             {"--optimization", "-O 2"},
                                             {"--parallel", "-j"},
                                             {"--threads", "-j"},
                                             {"--processes", "-j"},
                                             {"--match", "--filter"},
                                             {"--run", "--filter"},
                                             {"-k", "--filter"},
                                             {"--race", "--stress"},
                                             {"--junitxml", "--junit"},
                                             {"--cov", "--coverage"},
                                             {"--random", "--shuffle"},
                                             {"--quiet", "-w"},
                                             {"--json", "--error-format=json"}};
    return DescribeParseError(app_, error, kOtherOptions);
  }

  bool Has(const std::string& command) const {
    return !app_.get_subcommands([&](const CLI::App* it) { return it->check_name(command); })
                .empty();
  }
  // Whether the line has the option, also with the value that is the default.
  bool IsGiven(const std::string& option) const {
    const std::vector<const CLI::App*> commands =
        app_.get_subcommands([](const CLI::App* it) { return it->parsed(); });
    if (commands.empty()) return false;
    const CLI::Option* const found = commands.front()->get_option_no_throw(option);
    return found != nullptr && found->count() > 0;
  }
  std::string Table() const { return CommandTable(app_).dump(1); }
  std::string Help(const std::string& topic) const {
    return topic.empty() ? app_.help() : app_.get_subcommand(topic)->help("tenure");
  }

 private:
  static constexpr std::string_view kNo = "no-";

  // `tenure test --coverage DIR`, where DIR is the package: the pages do not belong there.
  void SettleCoverage() {
    std::string& pages = options_.test.coverage;
    options_.coverage = !pages.empty();
    if (!options_.directory.empty() && options_.directory != ".") return;
    const auto has = [&pages](const char* name) {
      std::error_code ignored;
      return std::filesystem::exists(std::filesystem::path(pages) / name, ignored);
    };
    if (options_.coverage &&
        (has("tests") || has("src") || has("m3makefile") || has("tenure.toml"))) {
      options_.directory = pages;
      pages = kCoverageDirectory;
    }
  }
  static constexpr const char* kCoverageDirectory = "coverage";

  CLI::App* AddPlain(const char* name, const char* what, Options::Command command) {
    return app_.add_subcommand(name, what)->callback([this, command] {
      options_.command = command;
    });
  }

  // A command that takes a package.
  CLI::App* Add(const char* name, const char* what, Options::Command command) {
    CLI::App* added = AddPlain(name, what, command);
    added->add_option("DIR", options_.directory, "the package (default: the current directory)")
        ->type_name("")
        ->check(NotEmpty("the package's name"));
    added->footer(kPackages);
    return added;
  }

  void AddOutput(CLI::App* command, const char* what) {
    command->add_option("-o", options_.output, what)
        ->option_text("FILE")
        ->check(NotEmpty("the name of the file"));
  }

  void AddSelection(CLI::App* command, const std::string& what) {
    TestOptions& test = options_.test;
    const auto add_names = [&](const char* name, std::vector<std::string>& list,
                               const std::string& text) {
      command->add_option(name, list, text)
          ->option_text("TEXT")
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    };
    command
        ->add_option("FILTER", positional_filters_,
                     "run the " + what + " whose names contain FILTER")
        ->type_name("")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_names("--filter", test.filters,
              "only " + what + " whose names contain this; may stand several times");
    add_names("--skip", test.skips, "not the " + what + " whose names contain TEXT");
    command->add_flag("--list", test.list, "print the names of the " + what + ", and run none");
  }

  void AddDebugger(CLI::App* command) {
    command->add_flag_callback(
        "--batch", [this] { options_.debugger_words.push_back("-batch"); },
        "gdb only carries out the commands, and ends");
    const auto pass = [this](const char* option) {
      return [this, option](const std::string& text) {
        options_.debugger_words.push_back(option);
        options_.debugger_words.push_back(text);
      };
    };
    command
        ->add_option_function<std::string>("-x", pass("-x"), "gdb carries out the commands in FILE")
        ->option_text("FILE")
        ->check(NotEmpty("the name of the file"))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse();
    command->add_option_function<std::string>("--ex", pass("-ex"), "gdb carries out COMMAND")
        ->option_text("COMMAND")
        ->check(NotEmpty("the command"))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse();
    command->footer(kDebugging);
  }

  void AddTimeout(CLI::App* command, const std::string& what) {
    command
        ->add_option("--timeout", options_.test.seconds,
                     "end a " + what + " after N seconds (default: 60)")
        ->option_text("N")
        ->check(PositiveNumber());
  }

  // How tests are chosen and run.
  void AddTests(CLI::App* command) {
    TestOptions& test = options_.test;
    AddSelection(command, "tests");
    AddTimeout(command, "test");
    command
        ->add_option("--disk", test.most_megabytes,
                     "end a test whose temporary directory takes more than N MB (default: 1024)")
        ->option_text("N")
        ->check(PositiveNumber());
    command->add_flag("--fail-fast", test.fail_fast, "begin no more tests after one has failed");
    command->add_flag("--shuffle", test.shuffle, "begin the tests in random order");
    command
        ->add_option_function<uint64_t>(
            "--seed",
            [&test](const uint64_t& seed) {
              test.seed = seed;
              test.shuffle = true;
            },
            "in the random order of this number, which --shuffle prints")
        ->option_text("N")
        ->check(WholeNumber(0));
    command->add_flag("--stress", test.stress,
                      "collect often, move all objects, and check heap and stores meanwhile");
    command
        ->add_option("--coverage", test.coverage,
                     "count what is executed; DIR gets coverage.lcov and pages (default: coverage)")
        ->option_text("DIR")
        ->expected(0, 1)
        ->default_str(kCoverageDirectory);
    command->add_option("--junit", test.junit, "write the results as JUnit's XML")
        ->option_text("FILE")
        ->check(NotEmpty("the name of the file"));
  }

  void AddCompilation(CLI::App* command) {
    command->add_option("-O", level_, "without (0) or with optimisation (2, the default)")
        ->option_text("0|2")
        ->check([](const std::string& level) {
          return level == "0" || level == "2"
                     ? ""
                     : "there is no level '" + level + "': -O0 does not optimise, -O2 does";
        });
    command->add_flag("-g", options_.debug,
                      "types and variables for debuggers (lines are always there)");
    command->add_flag_callback(
        "--no-checks", [this] { options_.checks = false; }, "leave out range and subscript checks");
    command
        ->add_option("--gc", collector_,
                     "the collector: Tenure's own (the default), or libgc, without databases")
        ->option_text("tenure|boehm")
        ->check(OneOf({"tenure", "boehm"}));
    AddChoice(command, "--barriers", options_.barriers,
              {{"trap", abi::StoreBarriers::kTrap},
               {"hybrid", abi::StoreBarriers::kHybrid},
               {"software", abi::StoreBarriers::kSoftware}},
              "how stores to persistent objects are noticed: by traps (the default), with fewer "
              "signals, or by code at each store");
    // For tests of crashes. Without a group the help does not list it.
    command->add_flag("--faults", options_.faults, "the program takes @M3dbfail=POINT:N")
        ->group("");
    AddChoice(command, "--dump", options_.dump, {{"ast", Dump::kAst}, {"llvm", Dump::kLlvm}},
              "print the units' syntax trees, or their LLVM code, and stop");
    command->add_flag("--static", options_.linked_static,
                      "put the system's libraries into the program (docs/install.md)");
    AddDependencies(command);
    command->add_option("-j", options_.processes, "use N processors (default: all)")
        ->option_text("N")
        ->check(WholeNumber(1));
  }

  void AddDependencies(CLI::App* command) {
    command->add_flag(
        "--locked", options_.locked,
        "an error if tenure.lock does not say all about the packages that are needed");
    command->add_flag("--offline", options_.offline, "fetch no packages");
  }

  void AddFormat(CLI::App* command) {
    FormatOptions& format = options_.format_options;
    command
        ->add_option("FILE", format.places,
                     "files, directories with all that is in them, or - for standard input "
                     "(default: the current directory)")
        ->type_name("")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(NotEmpty("the name of the file"));
    command->add_flag("--check", format.check,
                      "write nothing; list the files that would change, with status 1");
    command->add_flag("--diff", format.diff,
                      "write nothing; print the changes as a diff, with status 1 if there are any");
    command->add_option("--range", range_, "change only lines FIRST to LAST of one file")
        ->option_text("FIRST:LAST")
        ->check([](const std::string& text) {
          int first = 0, last = 0;
          return ReadRange(text, &first, &last)
                     ? std::string()
                     : "'" + text + "' is no range of lines: --range 10:20 means lines 10 to 20";
        });
    command->footer(kFormatting);
  }

  static bool ReadRange(const std::string& text, int* first, int* last) {
    char behind = 0;
    return std::sscanf(text.c_str(), "%9d:%9d%c", first, last, &behind) == 2 && *first > 0 &&
           *first <= *last;
  }

  // How a package's diagnostics are printed.
  void AddReports(CLI::App* command) {
    AddChoice(command, "--error-format", options_.format,
              {{"text", DiagnosticFormat::kText}, {"json", DiagnosticFormat::kJson}},
              "diagnostics for people (the default), or one JSON object a line");
    AddChoice(command, "--color", options_.color,
              {{"auto", DiagnosticColor::kAuto},
               {"always", DiagnosticColor::kAlways},
               {"never", DiagnosticColor::kNever}},
              "colours in diagnostics (auto, the default: on a terminal)");
    command
        ->add_option("--max-errors", options_.max_errors, "print N errors at most (default: 500)")
        ->option_text("N")
        ->check(WholeNumber(1));
    command
        ->add_option("--max-warnings", options_.max_warnings,
                     "print N warnings at most (default: 100, and all with --error-format=json)")
        ->option_text("N")
        ->check(WholeNumber(1));
    command->add_flag("-w", options_.no_warnings, "no warnings");
    command
        ->add_option("-W", warnings_,
                     "warnings count as errors (-Werror); not the warning with this code "
                     "(-Wno-W0301)")
        ->option_text("error|no-CODE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->check([](const std::string& text) {
          if (text == "error") return std::string();
          if (!text.starts_with(kNo)) {
            return "there is no '-W" + text +
                   "': -Werror makes errors of warnings, -Wno-CODE drops one";
          }
          const std::string code = text.substr(kNo.size());
          if (IsWarningCode(code)) return std::string();
          NearNames near(code.starts_with("W") ? code : "");
          for (int i = 0; i < MessageCount(); ++i) {
            const MessageInfo& info = GetMessageInfo(static_cast<MessageId>(i));
            if (info.severity == Severity::kWarning) near.Consider(info.code);
          }
          return "no warning has the code '" + code + "'" +
                 (near.best().empty() ? "" : "; did you mean -Wno-" + near.best() + "?");
        });
    command->add_flag("-v,--verbose", options_.verbose, "say what is being done");
  }

  template <typename Choice>
  static void AddChoice(CLI::App* command, const char* name, Choice& choice,
                        const std::map<std::string, Choice>& choices, const char* what) {
    std::string names;
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) {
      names += (names.empty() ? "" : "|") + word;
      words.push_back(word);
    }
    command
        ->add_option_function<std::string>(
            name, [&choice, choices](const std::string& word) { choice = choices.at(word); }, what)
        ->option_text(names)
        ->check(OneOf(words));
  }

  Options& options_;
  CLI::App app_;
  std::string level_, collector_, range_;
  std::vector<std::string> warnings_, positional_filters_;
};

// Which of the options has no effect beside the others, and why; empty if each has one.
std::string OptionWithoutEffect(const Options& options, const CommandLine& line) {
  const TestOptions& test = options.test;
  using Command = Options::Command;
  const bool checks = options.command == Options::Command::kCheck && options.database.empty();
  if (!options.output.empty() && checks) {
    return "-o says where a program goes, and 'tenure check' makes a program only with --db";
  }
  if (!options.output.empty() && options.dump != Dump::kNone) {
    return "-o says where a program goes, and --dump makes none";
  }
  const bool makes_no_program = options.command == Command::kBuild || checks;
  if (options.dump != Dump::kNone && !makes_no_program) {
    return "--dump prints the units and makes no program to run: it belongs to 'tenure build' and "
           "'tenure check'";
  }
  for (const char* const of_programs :
       {"-g", "-O", "--no-checks", "--gc", "--barriers", "--static", "--faults"}) {
    if (checks && options.dump == Dump::kNone && line.IsGiven(of_programs)) {
      return std::string(of_programs) +
             " is about a program, and 'tenure check' makes a program only with --db";
    }
  }
  if (!test.list) return "";
  const std::pair<const char*, bool> of_runs[] = {{"--junit", !test.junit.empty()},
                                                  {"--coverage", options.coverage},
                                                  {"--fail-fast", test.fail_fast},
                                                  {"--shuffle", test.shuffle},
                                                  {"--stress", test.stress},
                                                  {"--save", !test.save.empty()},
                                                  {"--compare", !test.compare.empty()},
                                                  {"--disk", line.IsGiven("--disk")},
                                                  {"--timeout", test.seconds > 0}};
  for (const auto& [name, is_given] : of_runs) {
    if (is_given) return std::string(name) + " is about running, and --list runs nothing";
  }
  return "";
}

}  // namespace

std::string HelpText(const std::string& topic) {
  Options options;
  return CommandLine(options).Help(topic);
}

std::string CommandTableText() {
  Options options;
  return CommandLine(options).Table();
}

OrProblem<Options> ParseOptions(int argc, char** argv) {
  Options options;
  auto fail = [&](const std::string& what, const std::string& about = "") {
    return Problem(what + "\nTry 'tenure" + (about.empty() ? about : " " + about) + " --help'.");
  };
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return fail("no command given");
  std::string& command = words[0];
  if (command == "help" || command == "version") command = "--" + command;
  if (command == kCommandTableOption) {
    options.command = Options::Command::kCommandTable;
    return options;
  }
  const bool is_option = command.starts_with("-");
  const std::string topic = is_option ? "" : command;
  CommandLine line(options);
  if (!is_option && !line.Has(command)) {
    const std::string meant = line.Meant(command);
    return fail("unknown command '" + command + "'" +
                (meant.empty() ? "" : "; did you mean " + meant + "?"));
  }
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes != words.end()) {
    if (command != "run" && command != "debug") {
      return fail("'--' belongs to 'tenure run' and 'tenure debug'");
    }
    options.program_arguments.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  for (size_t i = 1; i < words.size(); ++i) options.words += words[i] + " ";
  try {
    line.Parse(words);
  } catch (const CLI::CallForHelp&) {
    options.command = Options::Command::kHelp;
    options.help_topic = topic;
  } catch (const CLI::CallForVersion&) {
    options.command = Options::Command::kVersion;
  } catch (const CLI::ParseError& error) {
    const bool has_extras = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    return fail(
        line.Describe(error) +
            (has_extras && command == "run" ? "; what follows '--' goes to the program" : ""),
        topic);
  }
  if (options.command == Options::Command::kExplain && options.list_codes != options.code.empty()) {
    return fail("'tenure explain' takes a CODE, for example M0304 or 8.1, or --list", topic);
  }
  if (const std::string why = OptionWithoutEffect(options, line); !why.empty())
    return fail(why, topic);
  return options;
}

}  // namespace tenure::compiler
