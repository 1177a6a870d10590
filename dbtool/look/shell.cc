#include "dbtool/look/shell.h"

#include <editline/readline.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "base/exit_status.h"
#include "base/terminal_text.h"
#include "base/utf8.h"
#include "dbtool/look/set.h"
#include "dbtool/look/show.h"
#include "dbtool/query/results.h"

namespace tenure::dbtool {

namespace {

constexpr char kHelp[] =
    "A path shows what is there:      root.people[\"Ada\"].address\n"
    "A query shows rows:              from root.people where age > 30 select name, age\n"
    "                                 Main.Person sort by age desc limit 10\n"
    "A change of one value:           set root.people[\"Ada\"].age := 37\n"
    "types                            the stored types\n"
    "format table | jsonl | csv       how rows are shown\n"
    "help, quit\n";

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Where the lines of earlier shells are kept; empty: nowhere.
std::string HistoryFile() {
  if (const char* named = std::getenv("TENURE_HISTORY")) return named;
  std::string state;
  if (const char* named = std::getenv("XDG_STATE_HOME"); named != nullptr && *named == '/') {
    state = named;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    state = std::string(home) + "/.local/state";
  } else {
    return "";
  }
  const std::string folder = state + "/tenure";
  for (size_t at = folder.find('/', 1);; at = folder.find('/', at + 1)) {
    (void)mkdir(folder.substr(0, at).c_str(), 0700);
    if (at == std::string::npos) break;
  }
  return folder + "/shell_history";
}

// SIGINT on a terminal, since the last prompt.
volatile std::sig_atomic_t interrupts = 0;

void NoteInterrupt(int signal) {
  if (interrupts != 0) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  interrupts = 1;
}

// The next character of the terminal; a line end where a signal has come, so that the editor
// returns; EOF at the end.
int NextCharacter(FILE* from) {
  std::string bytes;
  while (interrupts == 0) {
    char byte;
    const ssize_t count = read(fileno(from), &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return EOF;
    bytes += byte;
    size_t at = 0;
    if (const std::optional<uint32_t> code = TakeUtf8(bytes, &at)) return static_cast<int>(*code);
    constexpr size_t kLongest = 4;  // bytes of a character
    if (bytes.size() == kLongest) return '?';
  }
  return '\n';
}

class Shell {
 public:
  Shell(OpenedStore& store, const std::string& path, const std::string& database,
        const Views& views, bool json)
      : store_(store), path_(path), database_(database), views_(views), json_(json) {
    if (json) format_ = RowFormat::kJsonLines;
  }

  int Run() {
    const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    // A database that cannot be opened is reported at once.
    const auto view = DatabaseView::Open(store_, database_, views_);
    if (!view.ok()) {
      fprintf(stderr, "tenure db: %s\n", view.status().text());
      return kExitEnvironment;
    }
    return terminal ? RunOnTerminal() : RunOnLines();
  }

  std::vector<std::string> Complete(const std::string& text) {
    std::vector<std::string> found;
    const Status status = ReadAtOneMoment(store_, [&]() -> Status {
      TN_ASSIGN_OR_RETURN(const auto view, DatabaseView::Open(store_, database_, views_));
      found = CompletionsOf(*view, text);
      return Status::Ok();
    });
    return status.ok() ? found : std::vector<std::string>();
  }

 private:
  int RunOnLines() {
    char* line = nullptr;
    size_t capacity = 0;
    bool good = true;
    while (getline(&line, &capacity, stdin) >= 0 && !ended_) good = Carry(line) && good;
    free(line);
    return good ? kExitOk : kExitProblems;
  }

  int RunOnTerminal();

  // False: the line is wrong, which has been said.
  bool Carry(const std::string& typed) {
    const std::string line = Trimmed(typed);
    if (line.empty() || line.starts_with("#") || line.starts_with("--")) return true;
    const std::string word = line.substr(0, line.find_first_of(" \t"));
    const std::string rest = Trimmed(line.substr(word.size()));
    if (line == "quit" || line == "exit" || line == ".quit" || line == ".exit") {
      ended_ = true;
      return true;
    }
    if (line == "help" || line == ".help" || line == "?") {
      fputs(kHelp, stdout);
      return true;
    }
    if (word == "format" && !rest.empty()) {
      const auto format = RowFormatNamed(rest);
      if (!format) return Say("the formats are table, jsonl and csv");
      format_ = *format;
      return true;
    }
    if (word == "complete") {
      for (const std::string& found : Complete(rest)) printf("%s\n", found.c_str());
      return true;
    }
    bool good = true;
    const Status status = ReadAtOneMoment(store_, [&]() -> Status {
      // A set may have added types.
      TN_ASSIGN_OR_RETURN(const auto view, DatabaseView::Open(store_, database_, views_));
      std::string out;
      TN_ASSIGN_OR_RETURN(good, CarryWith(*view, line, word, rest, &out));
      fwrite(out.data(), 1, out.size(), stdout);
      fflush(stdout);
      for (const std::string& problem : view->problems()) {
        fprintf(stderr, "damaged, left out: %s\n", problem.c_str());
        good = false;
      }
      return Status::Ok();
    });
    if (!status.ok()) return Say(status.text());
    return good;
  }

  bool Say(const std::string& problem) {
    fflush(stdout);
    fprintf(stderr, "%s\n", problem.c_str());
    return false;
  }

  Result<bool> CarryWith(DatabaseView& view, const std::string& line, const std::string& word,
                         const std::string& rest, std::string* out) {
    if (line == "types") {
      std::set<std::string> listed;  // a type may have had several forms
      for (const StoredType& type : store_.types.all()) {
        const bool fresh = type.procedure.empty() && listed.insert(type.name).second;
        if (fresh) *out += type.name + "\n";
      }
      return true;
    }
    if (word == "set") {
      const size_t middle = rest.find(":=");
      if (middle == std::string::npos) return Say("a change is: set PATH := VALUE");
      SetProblem problem;
      TN_ASSIGN_OR_RETURN(const std::optional<SetResult> set,
                          SetValue(store_, view, Trimmed(rest.substr(0, middle)),
                                   Trimmed(rest.substr(middle + 2)), false, &problem));
      if (!set) return Say(ShowProblem(problem.problem, problem.text));
      *out += set->before + " -> " + set->after + "\n";
      return true;
    }
    const bool shown = word == "show" && !rest.empty();
    QueryProblem ignored;
    const ExprPtr expr = ParseExpression(shown ? rest : line, &ignored);
    // A path that is not the name of a type.
    Checker checker(view.values(), view.views(), view.beginnings());
    QueryProblem problem;
    ShowOptions options;
    options.json = json_;
    if (expr != nullptr && (shown || checker.TypesNamed(*expr).empty())) {
      TN_ASSIGN_OR_RETURN(const bool good,
                          ShowPath(view, shown ? rest : line, options, out, &problem));
      return good || Say(ShowProblem(problem, shown ? rest : line));
    }
    QueryRun run(view.values(), views_, view.beginnings());
    if (!run.Prepare(line, &problem)) return Say(ShowProblem(problem, line));
    run.set_is_interrupted([] { return interrupts != 0; });
    const std::unique_ptr<RowWriter> writer =
        RowWriter::Make(format_, view.values(), out, {}, TerminalColumns(STDOUT_FILENO));
    TN_RETURN_IF_ERROR(run.Run(*writer, [&](const Status& damage) { view.Report(damage); }));
    writer->End();
    return true;
  }

  OpenedStore& store_;
  const std::string& path_;
  const std::string& database_;
  const Views& views_;
  const bool json_;
  RowFormat format_ = RowFormat::kTable;
  bool ended_ = false;
};

// The line editor calls functions without arguments of ours.
Shell* shell_of_editor = nullptr;
std::vector<std::string>* completions = nullptr;

char* NextCompletion(const char*, int state) {
  static size_t at = 0;
  if (state == 0) at = 0;
  return at < completions->size() ? strdup((*completions)[at++].c_str()) : nullptr;
}

char** CompleteLine(const char* text, int, int end) {
  static std::vector<std::string> found;
  const std::string line(rl_line_buffer,
                         std::min<size_t>(strlen(rl_line_buffer), static_cast<size_t>(end)));
  found = shell_of_editor->Complete(line);
  completions = &found;
  rl_attempted_completion_over = 1;  // never names of files
  return found.empty() ? nullptr : rl_completion_matches(text, NextCompletion);
}

int Shell::RunOnTerminal() {
  shell_of_editor = this;
  rl_getc_function = NextCharacter;
  rl_readline_name = "tenure";
  rl_attempted_completion_function = CompleteLine;
  static char breaks[] = " \t\n,()=<>#+-*/&.[]\"'";
  rl_basic_word_break_characters = breaks;
  rl_completer_word_break_characters = breaks;
  rl_completion_append_character = '\0';
  const std::string history = HistoryFile();
  using_history();
  stifle_history(2000);
  if (!history.empty()) read_history(history.c_str());
  printf("store %s, database %s; help says what can be typed\n", path_.c_str(), database_.c_str());
  std::string last;
  struct sigaction action = {};  // reads do not go on by themselves
  action.sa_handler = NoteInterrupt;
  sigaction(SIGINT, &action, nullptr);
  while (!ended_) {
    interrupts = 0;
    char* const line = readline("tenure> ");
    if (line == nullptr) {
      printf("\n");
      if (interrupts != 0) continue;
      break;
    }
    const std::string typed = interrupts != 0 ? "" : Trimmed(line);
    free(line);
    if (!typed.empty() && typed != last) {
      add_history(typed.c_str());
      last = typed;
    }
    (void)Carry(typed);
  }
  if (!history.empty()) write_history(history.c_str());
  return kExitOk;
}

}  // namespace

int RunShell(OpenedStore& store, const std::string& path, const std::string& database,
             const Views& views, bool json) {
  return Shell(store, path, database, views, json).Run();
}

}  // namespace tenure::dbtool
