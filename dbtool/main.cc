// The command `tenure db`: looks after stores and databases.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/exit_status.h"
#include "base/inherited_signals.h"
#include "base/removed_by_signals.h"
#include "base/standard_descriptors.h"
#include "base/terminal_text.h"
#include "commands/advice.h"
#include "commands/table.h"
#include "dbtool/passed_output.h"
#include "dbtool/serve/serve.h"
#include "dbtool/store_commands.h"
#include "dbtool/stored/copies.h"
#include "dbtool/stored/stored_objects.h"
#include "dbtool/values/json.h"
#include "store/bdb/bdb_version.h"
#include "store/directory/store_directory.h"
#include "store/files/store_format.h"
#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_protocol.h"
#include "store/server/store_faults.h"
#include "store/server/store_path.h"

namespace tenure::dbtool {

namespace {

constexpr const char* kAbout = "Looks after databases.";
constexpr const char* kMore =
    "DIR is a store: a directory, or tenure://HOSTS/NAME for one of a cluster. DIR:NAME is one\n"
    "database of it (main, where one is needed and none is named). A store that is served can be\n"
    "read, collected and imported to, which holds up programs that write; the rest needs a store\n"
    "that is not in use.\n"
    "Exit status: 0 done, 1 problems found or things lost, 2 wrong usage, 3 it could not be done.";

// The flag of a program that is linked with faults.
constexpr std::string_view kFailFlag = "@M3dbfail=";

// The message if a signal ends the command.
std::string interruption;

extern "C" void SayInterrupted(int signal) {
  RemovedBySignals::RemoveAll();
  (void)!write(STDERR_FILENO, interruption.data(), interruption.size());
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// From now on a signal that ends the command reports which files are left, and removes what the
// command removes when it fails. After SIGKILL the store is whole all the same.
void TellWhenInterrupted(const std::string& command, const Arguments& arguments) {
  if (!arguments.target.empty()) {
    interruption = "\ntenure db: interrupted: " + arguments.target +
                   " was not made; the incomplete files are in " +
                   PlaceOfPart(arguments.target, kPartial) +
                   (command == "salvage" ? " and " + PlaceOfPart(arguments.target, kCopy) : "") +
                   ", and the next " + command + " to that place removes them\n";
  } else if (command == "export") {
    interruption = "\ntenure db: interrupted: ";
    interruption +=
        arguments.file.empty() ? "the export is not whole" : arguments.file + " was not made";
    interruption += "\n";
  } else if (command == "compact" || command == "upgrade" || command == "import") {
    interruption =
        "\ntenure db: interrupted: store " + arguments.store +
        " is whole and unchanged; if its files were being replaced already, the next opening "
        "completes that\n";
  } else if (command == "gc") {
    interruption = "\ntenure db: interrupted: store " + arguments.store +
                   " is whole; freed places stay free, and the next gc frees the rest\n";
  } else {
    return;
  }
  const bool prints = command == "export" && arguments.file.empty();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    // A reader that goes away has read enough, and wants no word about that.
    if (signal == SIGPIPE && prints) continue;
    if (std::signal(signal, SayInterrupted) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

using Run = int (*)(const Arguments&);

// A colon without a name, or with an impossible name, is a slip. The source of a copy may have any
// path.
Status CheckPlace(const Arguments& arguments) {
  const bool is_copied = !arguments.target.empty();
  return arguments.named && !is_copied ? store::CheckDatabaseName(arguments.database)
                                       : Status::Ok();
}

// The commands with their arguments and options; `chosen` becomes the one that was parsed.
class CommandLine {
 public:
  CommandLine() : app_(kAbout, "tenure db") {
    app_.require_subcommand(1);
    app_.footer(kMore);
    // Listed for the help only; Main prints the version.
    app_.add_flag_callback("--version", [] {}, "the formats of stores that this program reads");
    Add("stat", "what is in the store, by database and type; who uses it", Statistics)
        ->add_flag("--clients", given_.clients,
                   "of a served store only its clients, what they hold, and who waits for whom; "
                   "does not wait itself");
    Add("verify", "checks pages, objects and references", VerifyAll);
    Add("schema", "the stored types as a Modula-3 interface", Schema, kStore);
    CLI::App* show = Add("show", "the value at a path: root.people[\"Ada\"].name", ShowAt);
    show->add_option("PATH", given_.look.expression,
                     "from root, a name or PAGE:OFFSET on (default: the root and the names)")
        ->type_name("");
    CLI::Option* const limit = show->add_option("--limit", given_.look.limit,
                                                "show at most N entries and elements (default: 20)")
                                   ->type_name("N")
                                   ->check(WholeNumber(0));
    show->add_flag("--all", given_.all, "show all of them")->excludes(limit);
    AddViews(show);
    CLI::App* query = Add("query", "the rows that an expression asks for", QueryAll);
    query
        ->add_option("EXPRESSION", given_.look.expression,
                     "from SOURCE where CONDITION select COLUMNS group by ... sort by ... limit N; "
                     "SOURCE is a path or a type")
        ->type_name("")
        ->required();
    query->add_option("--format", given_.look.format, "table (default), jsonl or csv")
        ->type_name("FORMAT")
        ->check(OneOf({"table", "jsonl", "csv"}));
    CLI::Option* const json = query->get_option("--json")->description("JSON lines");
    CLI::Option* const csv = query->add_flag("--csv", given_.csv, "CSV")->excludes(json);
    query->get_option("--format")->excludes(json)->excludes(csv);
    query->add_flag("--stats", given_.look.statistics,
                    "say on the standard error how the rows were found and how many pages were "
                    "read");
    AddViews(query);
    CLI::App* set = Add("set", "changes one value, in a transaction", SetAt);
    set->add_option("PATH", given_.look.expression, "a field, an element or an entry, as in show")
        ->type_name("")
        ->required();
    set->add_option("VALUE", given_.look.value,
                    "12, 1.5, \"text\", TRUE, Green, NIL, PAGE:OFFSET, a path, [Mo, Tu]; JSON for "
                    "a record")
        ->type_name("")
        ->required();
    set->add_flag("--dry-run", given_.dry_run, "checks all, and changes nothing");
    AddViews(set);
    AddViews(Add("shell", "paths, queries and changes, one after the other", ShellOf));
    CLI::App* browse =
        Add("browse", "a page for a web browser of this machine, until it is interrupted", Browse);
    browse->add_option("--port", given_.port, "the port of the page (default: any free one)")
        ->type_name("N")
        ->check(CLI::Range(0, 65535));
    browse->add_flag("--read-write", given_.read_write, "the page can change values");
    AddViews(browse);
    Add("dump", "the objects, in lines", DumpAll)
        ->add_option("PAGE", given_.page, "only the objects of this page")
        ->type_name("")
        // CLI11 takes -1 and numbers that are too large for other ones.
        ->check([](const std::string& page) {
          uint64_t number = 0;
          const char* end = page.data() + page.size();
          const auto [stop, error] = std::from_chars(page.data(), end, number);
          return error == std::errc() && stop == end && number != 0
                     ? ""
                     : "'" + page + "' is not a page number: the first page is 1";
        });
    CLI::App* why = Add("why", "what keeps an object: the path of references to it", Why);
    why->add_option("PAGE:OFFSET", given_.object, "the object, as dump shows it")
        ->type_name("")
        ->required();
    CLI::App* exported = Add("export", "writes JSON lines", ExportAll);
    exported->add_option("FILE", given_.file, "a new file (default: standard output)")
        ->type_name("");
    exported
        ->add_option("--csv", given_.look.expression,
                     "instead, the objects of this type and its subtypes as CSV")
        ->type_name("TYPE");
    exported->add_flag("--all", given_.all,
                       "all databases of the store; FILE is a new directory for them");
    CLI::App* imported = Add("import", "makes a database of such lines", ImportAll);
    imported->add_option("FILE", given_.file, "the lines (default: standard input)")->type_name("");
    imported->add_flag("--all", given_.all,
                       "all databases that an export --all has written to the directory FILE");
    Add("gc", "frees unreachable objects", CollectAll);
    Add("compact", "rewrites in order of traversal", Compact);
    CLI::App* check = Add("check", "whether a program can read the store", CheckAll);
    check->add_option("PROGRAM", given_.program, "the program's file")->type_name("")->required();
    CLI::App* upgrade = Add("upgrade", "converts objects to a program's types", UpgradeAll, kStore);
    upgrade->add_option("PROGRAM", given_.program, "the program that knows the new types")
        ->type_name("")
        ->required();
    upgrade
        ->add_option("CONVERTER", given_.converter,
                     "a program that converts what no rule can (see DatabaseConverter.i3)")
        ->type_name("");
    upgrade
        ->add_option("--rename-type", given_.renamed_types,
                     "a type that has another name in the program; again for more")
        ->type_name("TYPE=NEW")
        ->allow_extra_args(false);
    upgrade
        ->add_option("--rename-field", given_.renamed_fields,
                     "the same for a field, of the type and its subtypes, as they are stored")
        ->type_name("TYPE.FIELD=NEW")
        ->allow_extra_args(false);
    upgrade
        ->add_option("--drop-field", given_.dropped_fields,
                     "a field whose values may be lost, since the program does not have it; again "
                     "for more")
        ->type_name("TYPE.FIELD")
        ->allow_extra_args(false);
    upgrade->add_flag("--drop", given_.drop_all, "the values of all such fields may be lost");
    upgrade
        ->add_option("--rebuild", given_.rebuilt,
                     "a type of containers whose keys may get another order or hash: the program "
                     "makes them anew; again for more")
        ->type_name("TYPE")
        ->allow_extra_args(false);
    upgrade->add_flag("--dry-run", given_.dry_run,
                      "does everything except the writing, and ends with the same status");
    Add("forget", "gives up a database whose file is gone", Forget, "DIR:NAME");
    AddCopy("salvage", "saves what is readable of a damaged store", SalvageAll, "DIR", "TARGET");
    AddCopy("backup", "copies the whole store", Copy, "DIR", "TARGET");
    AddCopy("restore", "makes a store of such a copy", Copy, "COPY", "DIR");
    // The parsers of these say what they expect.
    RefuseEmptyValues(app_, {"EXPRESSION", "PATH", "VALUE"});
  }

  // Throws what CLI::App::parse does.
  Run Parse(const std::vector<std::string>& words, Arguments* arguments) {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const store::StorePath split = store::SplitStorePath(given_.place);
    given_.named = split.named;
    given_.store = split.store;
    given_.database = split.database;
    // The name is the directory's also with a slash behind it.
    while (given_.target.size() > 1 && given_.target.ends_with('/')) given_.target.pop_back();
    *arguments = given_;
    return chosen_;
  }

  bool Has(const std::string& command) const {
    return !app_.get_subcommands([&](const CLI::App* it) { return it->check_name(command); })
                .empty();
  }
  // The command that was probably meant by `word`; may be empty.
  std::string Meant(const std::string& word) const {
    // What other tools call it.
    static const OtherNames kOtherNames = {
        {"ls", "show"},          {"list", "show"},       {"cat", "show"},
        {"get", "show"},         {"tree", "show"},       {"print", "show"},
        {"browse", "show"},      {"info", "stat"},       {"status", "stat"},
        {"size", "stat"},        {"fsck", "verify"},     {"validate", "verify"},
        {"integrity", "verify"}, {"types", "schema"},    {"describe", "schema"},
        {"select", "query"},     {"sql", "query"},       {"find", "query"},
        {"put", "set"},          {"edit", "set"},        {"repl", "shell"},
        {"vacuum", "compact"},   {"defrag", "compact"},  {"collect", "gc"},
        {"copy", "backup"},      {"snapshot", "backup"}, {"migrate", "upgrade"},
        {"convert", "upgrade"},  {"repair", "salvage"},  {"recover", "salvage"},
        {"delete", "forget"},    {"drop", "forget"},     {"load", "import"},
        {"save", "export"}};
    return CommandMeant(app_, word, kOtherNames);
  }
  std::string Describe(const CLI::ParseError& error) const {
    return DescribeParseError(app_, error);
  }
  std::string Help() const { return app_.help(); }
  Json Table() const { return CommandTable(app_); }

 private:
  static constexpr const char* kStore = "DIR";

  CLI::App* Add(const char* name, const char* what, Run run, const char* place = "DIR[:NAME]") {
    CLI::App* command = app_.add_subcommand(name, what);
    command->add_option(place, given_.place, "the store, or one database of it")
        ->type_name("")
        ->required();
    command->add_flag("--json", given_.json, "one JSON value instead of text");
    command->callback([this, run] { chosen_ = run; });
    return command;
  }
  void AddViews(CLI::App* command) {
    command
        ->add_option("--views", given_.look.views,
                     "a file with views of a program's own containers; again for more")
        ->type_name("FILE")
        ->allow_extra_args(false);
  }
  void AddCopy(const char* name, const char* what, Run run, const char* from, const char* to) {
    Add(name, what, run, from)
        ->add_option(to, given_.target, "a new directory")
        ->type_name("")
        ->check([](const std::string& path) {
          return path.empty() ? "the name of the new directory is empty" : "";
        })
        ->required();
  }

  CLI::App app_;
  Arguments given_;
  Run chosen_ = nullptr;
};

// Nothing has been lost by then that a crash would not lose.
[[noreturn]] void EndWith(const char* problem) {
  for (const std::string_view part : {"tenure db: ", problem, "\n"}) {
    (void)!write(STDERR_FILENO, part.data(), part.size());
  }
  _exit(kExitEnvironment);
}

[[noreturn]] void EndWithoutMemory() { EndWith("out of memory"); }

// Ends after an uncaught exception, mostly a thread that could not be started.
[[noreturn]] void EndWithException() {
  try {
    if (std::exception_ptr uncaught = std::current_exception()) std::rethrow_exception(uncaught);
  } catch (const std::exception& problem) {
    EndWith(problem.what());
  } catch (...) {
  }
  EndWith("an unknown failure");
}

// The formats that this program reads and writes, and the library that it stores with.
void PrintVersion() {
  printf("store format %d (reads %d to %d), server protocol %u, Berkeley DB %s\n",
         store::kStoreFormatVersion, store::kOldestStoreFormatVersion, store::kStoreFormatVersion,
         store::kProtocolVersion, store::BerkeleyDbVersion().c_str());
}

// A command on a served store may wait until another program's transaction ends.
void TellOfWait(const std::string& store, int64_t process) {
  if (process == 0) {
    fprintf(stderr, "tenure db: waiting for a transaction at store %s\n", store.c_str());
  } else if (store::StoreDirectory::IsHeldElsewhere(store)) {
    fprintf(stderr,
            "tenure db: waiting for a transaction of process %lld, as the server in another "
            "container counts, at store %s\n",
            static_cast<long long>(process), store.c_str());
  } else {
    fprintf(stderr, "tenure db: waiting for a transaction of process %lld at store %s\n",
            static_cast<long long>(process), store.c_str());
  }
}

int Main(int argc, char** argv) {
  OpenStandardDescriptors(ClosedOutput::kFails);
  ResetInheritedSignals();
  // A limit on the size of files is an error of the write, no signal.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(EndWithoutMemory);
  std::set_terminate(EndWithException);
  std::vector<std::string> words;
  for (const std::string_view word : std::span(argv + 1, static_cast<size_t>(argc - 1))) {
    const store::FaultOption* const option = store::LinkedFaultOption();
    if (option == nullptr || !word.starts_with(kFailFlag)) {
      words.emplace_back(word);
      continue;
    }
    const auto faults = option->parse(word.substr(kFailFlag.size()));
    if (!faults.ok()) return Usage(faults.status().text());
    if (!(*faults)->PlanFileFault()) PlanFailure(*faults);
  }
  if (words.empty()) return Usage("no command given");
  // All commands but a server end soon, so other programs wait for them.
  store::StoreDirectory::DescribeHolder(
      words[0] == "serve" ? "tenure serve" : "tenure db " + words[0], words[0] != "serve");
  if (words[0] == "serve") return Serve({words.begin() + 1, words.end()});
  store::RemotePageServer::ReportWaits(TellOfWait);
  CommandLine line;
  if (words[0] == kCommandTableOption) {
    const Json commands = {line.Table(), ServeTable()};
    printf("%s\n", commands.dump(1).c_str());
    return fflush(stdout) == 0 ? kExitOk : kExitEnvironment;
  }
  if (words[0] == "--version") {
    PrintVersion();
    return fflush(stdout) == 0 ? kExitOk : kExitEnvironment;
  }
  if (words[0] == "help") words[0] = "--help";
  if (!words[0].starts_with("-") && !line.Has(words[0])) {
    const std::string meant = words[0] == "server" ? "tenure serve" : line.Meant(words[0]);
    return Usage("there is no command '" + words[0] + "'" +
                 (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  }
  Arguments arguments;
  std::unique_ptr<PassedOutput> output;
  int status = kExitOk;
  try {
    const Run run = line.Parse(words, &arguments);
    if (const Status place = CheckPlace(arguments); !place.ok()) {
      return Usage(place.text(), words[0]);
    }
    TellWhenInterrupted(words[0], arguments);
    if (const Status random = store::CheckRandomSource(); !random.ok()) return Failed(random);
    // While the user reads the output in a pager, other programs can use the store again. These two
    // commands are interactive.
    if (words[0] != "shell" && words[0] != "browse") output = PassedOutput::Start();
    status = run(arguments);
  } catch (const CLI::CallForHelp&) {
    fputs(ForTerminal(STDOUT_FILENO, line.Help()).c_str(), stdout);
  } catch (const CLI::ParseError& problem) {
    return Usage(line.Describe(problem), words[0].starts_with("-") ? "" : words[0]);
  }
  const bool is_passed = output == nullptr || output->End();
  if (is_passed && fflush(stdout) == 0 && ferror(stdout) == 0) return status;
  fprintf(stderr, "tenure db: cannot write to standard output\n");
  return kExitEnvironment;
}

}  // namespace

}  // namespace tenure::dbtool

int main(int argc, char** argv) { return tenure::dbtool::Main(argc, argv); }
