// The command line of `tenure`.
#pragma once

#include <string>
#include <vector>

#include "abi/program.h"
#include "base/exit_status.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/package_options.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

enum class Dump : uint8_t { kNone, kAst, kLlvm };

// The options of `tenure test` and `tenure bench` besides those of a build.
struct TestOptions {
  std::vector<std::string> filters;  // run the tests whose names contain one of these; none: all
  std::vector<std::string> skips;    // but not those whose names contain one of these
  bool list = false;                 // --list: only print the names
  double seconds = 0;                // --timeout of each test; 0: the default
  uint64_t most_megabytes = 1024;    // --disk: what a test's temporary directory may take
  bool shuffle = false;              // --shuffle: in random order
  uint64_t seed = 0;                 // --seed of the order; 0: a new one
  std::string junit;                 // --junit FILE
  bool fail_fast = false;            // --fail-fast: no more tests begin after a failure
  std::string coverage;              // --coverage: a directory; empty: none
  bool stress = false;               // --stress: with the run time's checks of itself
  std::string save;                  // --save FILE of `tenure bench`
  std::string compare;               // --compare FILE of `tenure bench`
};

// The options of `tenure fmt`.
struct FormatOptions {
  std::vector<std::string> places;  // files, directories, or "-"; none: the current directory
  bool check = false;               // --check: only list what is not formatted
  bool diff = false;                // --diff: only print the changes
  int first_line = 0;               // --range FIRST:LAST; 0: all lines
  int last_line = 0;
};

struct Options {
  enum class Command : uint8_t {
    kBuild,
    kRun,
    kTest,
    kBench,
    kDebug,
    kCheck,
    kFix,
    kFormat,
    kDoc,
    kExplain,
    kHeap,
    kHelp,
    kVersion,
    kCommandTable,
    kPackage  // what package_command says
  } command = Command::kHelp;
  PackageCommand package_command = PackageCommand::kNew;
  PackageOptions package;       // of that command
  std::string help_topic;       // `tenure build --help`
  std::string code;             // `tenure explain CODE`: a message's code or a rule's number
  bool list_codes = false;      // `tenure explain --list`
  std::string database;         // --db DIR of `tenure check`; empty: the sources are checked
  std::string directory = ".";  // the package, or one .m3 file
  std::string guide;            // doc: where the link to a guide leads; empty: no link
  std::string output;           // -o; empty: .tenure/bin/NAME in the package; for doc: doc
  // A module that exports Main and takes the place of the package's own: one test of the package.
  std::string test_module;
  // The program is that of the named tests in this directory and in the package; "-": only in the
  // package; empty: it is the package's own.
  std::string test_directory;
  TestOptions test;
  bool dry_run = false;  // --dry-run of `tenure fix`
  FormatOptions format_options;
  std::string snapshot;        // FILE of `tenure heap`
  std::string snapshot_type;   // --type NAME; empty: objects of all types
  int snapshot_top = 10;       // --top N types and objects
  bool optimize = true;        // -O2 (default), -O0
  bool checks = true;          // --no-checks
  bool debug = false;          // -g
  bool verbose = false;        // -v
  bool boehm = false;          // --gc=boehm: libgc instead of our collector
  bool linked_static = false;  // --static: with the system's libraries in the program
  bool locked = false;         // --locked: tenure.lock may not change
  bool offline = false;        // --offline: no package is fetched
  bool faults = false;         // --faults: the program takes @M3dbfail
  bool coverage = false;       // --coverage of `tenure test`: the program counts what it executes
  abi::StoreBarriers barriers = abi::StoreBarriers::kTrap;  // --barriers=MODE
  Dump dump = Dump::kNone;
  DiagnosticFormat format = DiagnosticFormat::kText;
  DiagnosticColor color = DiagnosticColor::kAuto;  // --color=WHEN
  bool no_warnings = false;                        // -w
  bool warnings_are_errors = false;                // -Werror
  std::vector<std::string> disabled_warnings;      // -Wno-CODE
  int max_errors = 500;  // --max-errors=N; the limit is against what is not Modula-3 at all
  int max_warnings = 0;  // --max-warnings=N; 0: 100 for people, all for programs
  int processes = 0;     // -jN; 0: as many as there are processors
  std::string words;     // the options as they were given, for comparing builds
  std::vector<std::string> program_arguments;  // after --
  std::vector<std::string> debugger_words;     // of `tenure debug`: what gdb gets
};

// Parses argv. Wrong usage is a problem, whose text also says where to find help.
OrProblem<Options> ParseOptions(int argc, char** argv);

// The text of --help, of the whole command or of one subcommand.
std::string HelpText(const std::string& topic);
// The table of commands and options, as JSON, for tools/command_pages.py.
std::string CommandTableText();

}  // namespace tenure::compiler
