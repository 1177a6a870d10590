#include "compiler/driver/options.h"

#include <charconv>
#include <string_view>
#include <system_error>

namespace tenure::compiler {

namespace {

constexpr const char* kVersion = "0.1.0";

constexpr const char* kHelp =
    "tenure: Modula-3 whose heap does not die\n"
    "\n"
    "usage: tenure build [DIR] [options]          compile a package to a program\n"
    "       tenure run   [DIR] [options] [-- ARG...]  build, then run with the arguments\n"
    "       tenure db COMMAND ...                 look after databases; see 'tenure db --help'\n"
    "       tenure test  [DIR] [options]          build and run the programs in DIR/tests\n"
    "       tenure heap FILE [--type=NAME] [--top=N]  who keeps what alive: the heap that a "
    "program "
    "wrote with\n"
    "                                             @M3heapsnapshot=FILE\n"
    "       tenure check --db STORE[:NAME] [DIR] [options]   compare the program's types with a "
    "database's\n"
    "       tenure explain CODE                  the rule behind a diagnostic, with an example\n"
    "       tenure doc   [DIR] [-o DIR]          pages about the library's interfaces and the "
    "package's\n"
    "       tenure --help | --version\n"
    "\n"
    "DIR is a package (default: the current directory): what its m3makefile, or src/m3makefile, "
    "says, or\n"
    "without one the .i3 .m3 .ig .mg files in it and in its src; or a single .m3 file. Imported "
    "packages are\n"
    "looked for beside it and along TENURE_PATH. A test is a module in DIR/tests that exports "
    "Main, "
    "or a\n"
    "package in a directory of DIR/tests; it passes when it ends with status 0.\n"
    "\n"
    "options\n"
    "  -o FILE               where the program goes (default: DIR/.tenure/bin/NAME), or the pages "
    "(doc)\n"
    "  -O0 | -O2             without or with optimisation (default: -O2)\n"
    "  -g                    types and variables for debuggers (lines are always there)\n"
    "  --no-checks           leave out range and subscript checks\n"
    "  --gc=tenure|boehm     the collector: Tenure's own, or libgc, without databases (default: "
    "tenure)\n"
    "  --dump=ast|llvm       print the syntax trees, or the LLVM code, of the package's units and "
    "stop\n"
    "  --error-format=text|json   diagnostics for people, or one JSON object a line\n"
    "  --color=auto|always|never  colours in diagnostics (default: on a terminal)\n"
    "  --max-errors=N        print N errors at most (default: 500)\n"
    "  -w, -Werror           no warnings; warnings count as errors\n"
    "  -Wno-CODE             not the warning with this code, for example -Wno-W0301\n"
    "  -jN                   use N processors (default: all)\n"
    "  -v                    say what is being done\n"
    "\n"
    "exit status: 0 done, 1 errors in the source, 2 wrong usage, 3 a problem with tools, files or "
    "disk.\n"
    "`tenure run` passes on the program's own status; a run-time error of the program is status "
    "4.\n"
    "Programs take run-time flags; run one with @M3help to see them.\n";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// A positive number behind `before`, if that is not 0.
bool ParseCount(std::string_view text, char before, int* count) {
  if (before != '\0') {
    if (text.empty() || text[0] != before) return false;
    text.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *count);
  return error == std::errc() && end == text.data() + text.size() && *count > 0;
}

bool IsWarningCode(std::string_view code) {
  for (int i = 0; i < MessageCount(); ++i) {
    const MessageInfo& info = GetMessageInfo(static_cast<MessageId>(i));
    if (info.severity == Severity::kWarning && info.code == code) return true;
  }
  return false;
}

}  // namespace

std::string HelpText(const std::string&) { return kHelp; }

std::string VersionText() {
  return std::string("tenure ") + kVersion + " (LLVM 19, Berkeley DB 5.3)\n";
}

std::optional<Options> ParseOptions(int argc, char** argv, std::string* problem) {
  Options options;
  auto fail = [&](const std::string& what) {
    *problem = what;
    return std::nullopt;
  };
  if (argc < 2) return fail("no command given");
  const std::string_view command = argv[1];
  if (command == "--help" || command == "-h" || command == "help") return options;
  if (command == "--version" || command == "version") {
    options.command = Options::Command::kVersion;
    return options;
  }
  if (command == "explain") {
    if (argc != 3) return fail("explain takes the code of a diagnostic, for example M0304");
    const std::string_view word = argv[2];
    options.command = Options::Command::kExplain;
    if (word == "--help" || word == "-h") options.command = Options::Command::kHelp;
    options.code = std::string(word);
    return options;
  }
  if (command == "heap") {
    options.command = Options::Command::kHeap;
    for (int i = 2; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--help" || word == "-h") {
        options.command = Options::Command::kHelp;
        return options;
      }
      if (StartsWith(word, "--type=")) {
        options.heap.type = word.substr(7);
      } else if (StartsWith(word, "--top")) {
        if (!ParseCount(word.substr(5), '=', &options.heap.top)) {
          return fail("--top takes a number from 1: --top=20");
        }
      } else if (StartsWith(word, "-") || !options.heap.file.empty()) {
        return fail("heap takes one file, --type=NAME and --top=N");
      } else {
        options.heap.file = word;
      }
    }
    if (options.heap.file.empty()) return fail("heap takes the file of a snapshot");
    return options;
  }
  if (command == "build") {
    options.command = Options::Command::kBuild;
  } else if (command == "run") {
    options.command = Options::Command::kRun;
  } else if (command == "test") {
    options.command = Options::Command::kTest;
  } else if (command == "check") {
    options.command = Options::Command::kCheck;
  } else if (command == "doc") {
    options.command = Options::Command::kDoc;
    options.directory.clear();
  } else {
    return fail("unknown command '" + std::string(command) + "'");
  }
  bool has_directory = false;
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") {
      if (options.command != Options::Command::kRun) return fail("'--' belongs to 'tenure run'");
      options.program_arguments.assign(argv + i + 1, argv + argc);
      break;
    }
    options.words += std::string(word) + " ";
    if (word == "--help" || word == "-h") {
      options.help_topic = std::string(command);
      options.command = Options::Command::kHelp;
      return options;
    }
    if (word == "--db") {
      if (i + 1 == argc) return fail("--db needs a store");
      if (options.command != Options::Command::kCheck)
        return fail("--db belongs to 'tenure check'");
      options.database = argv[++i];
    } else if (word == "-o") {
      if (i + 1 == argc) return fail("-o needs a file name");
      if (options.command == Options::Command::kTest) return fail("-o has no meaning for tests");
      options.output = argv[++i];
      if (options.output.empty()) return fail("-o needs a file name");
    } else if (word == "-O0") {
      options.optimize = false;
    } else if (word == "-O2") {
      options.optimize = true;
    } else if (word == "-g") {
      options.debug = true;
    } else if (word == "--gc=tenure" || word == "--gc=boehm") {
      options.boehm = word == "--gc=boehm";
    } else if (StartsWith(word, "--gc")) {
      return fail("--gc takes tenure or boehm");
    } else if (word == "--no-checks") {
      options.checks = false;
    } else if (word == "-v" || word == "--verbose") {
      options.verbose = true;
    } else if (StartsWith(word, "-Wno-")) {
      const std::string code(word.substr(5));
      if (!IsWarningCode(code)) return fail("no warning has the code '" + code + "'");
      options.disabled_warnings.push_back(code);
    } else if (StartsWith(word, "--max-errors")) {
      if (!ParseCount(word.substr(12), '=', &options.max_errors)) {
        return fail("--max-errors takes a number from 1: --max-errors=20");
      }
    } else if (StartsWith(word, "-j")) {
      const bool separate = word == "-j" && i + 1 < argc;
      if (!ParseCount(separate ? argv[++i] : word.substr(2), '\0', &options.processes)) {
        return fail("-j takes a number from 1: -j2");
      }
    } else if (word == "--color=auto" || word == "--color=always" || word == "--color=never") {
      options.color = word == "--color=always"  ? DiagnosticColor::kAlways
                      : word == "--color=never" ? DiagnosticColor::kNever
                                                : DiagnosticColor::kAuto;
    } else if (StartsWith(word, "--color")) {
      return fail("--color takes auto, always or never");
    } else if (word == "-w") {
      options.no_warnings = true;
    } else if (word == "-Werror") {
      options.warnings_are_errors = true;
    } else if (word == "--dump=ast") {
      options.dump = Dump::kAst;
    } else if (word == "--dump=llvm") {
      options.dump = Dump::kLlvm;
    } else if (StartsWith(word, "--dump")) {
      return fail("--dump takes ast or llvm");
    } else if (word == "--error-format=text") {
      options.format = DiagnosticFormat::kText;
    } else if (word == "--error-format=json") {
      options.format = DiagnosticFormat::kJson;
    } else if (StartsWith(word, "--error-format")) {
      return fail("--error-format takes text or json");
    } else if (StartsWith(word, "-") && word.size() > 1) {
      return fail("unknown option '" + std::string(word) + "'");
    } else if (has_directory) {
      return fail("more than one package: '" + options.directory + "' and '" + std::string(word) +
                  "'");
    } else if (word.empty()) {
      return fail("the package's name is empty");
    } else {
      options.directory = std::string(word);
      has_directory = true;
    }
  }
  if (options.command == Options::Command::kCheck && options.database.empty()) {
    return fail("check needs a database: --db DIR");
  }
  return options;
}

}  // namespace tenure::compiler
