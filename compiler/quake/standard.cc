// The procedures that every build file may call.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/shell_word.h"
#include "compiler/quake/interpreter.h"
#include "compiler/source/output_file.h"
#include "compiler/source/source_file.h"

extern char** environ;

namespace tenure::compiler::quake {

namespace fs = std::filesystem;

namespace {

// Adds the texts of a value, also of arrays in arrays, with blanks between them.
void AddWords(const Call& call, const Value& value, std::string& all) {
  if (value.kind() == Value::Kind::kArray) {
    if (!call.interpreter.HasStackRoom(call.span)) return;
    for (const Value& element : value.array()) AddWords(call, element, all);
  } else if (value.is_text()) {
    if (!all.empty() && !value.text().empty()) all += ' ';
    all += value.text();
  } else if (value.kind() == Value::Kind::kTable) {
    for (const auto& [key, ignored] : value.table()) AddWords(call, Value(key), all);
  } else {
    call.Fail("the arguments of " + call.name + " must be texts");
  }
}

std::string WithBlanks(const Call& call) {
  std::string all;
  for (const Value& argument : call.arguments) AddWords(call, argument, all);
  return all;
}

std::vector<std::string> Split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : text) {
    if (separators.find(c) != std::string::npos) {
      parts.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(part);
  return parts;
}

// Commands run in another directory, so they get absolute paths.
std::string Rooted(const std::string& path) {
  std::error_code error;
  const fs::path rooted = fs::absolute(path, error).lexically_normal();
  return error ? path : rooted.string();
}

Value::Array ToArray(const std::vector<std::string>& texts) {
  return Value::Array(texts.begin(), texts.end());
}

// Whether the target is missing or older than one of the files it is made from.
bool IsStale(const std::string& target, const std::vector<std::string>& sources) {
  std::error_code error;
  const fs::file_time_type made = fs::last_write_time(target, error);
  if (error) return true;
  for (const std::string& source : sources) {
    const fs::file_time_type changed = fs::last_write_time(source, error);
    if (error || changed > made) return true;
  }
  return false;
}

}  // namespace

bool Interpreter::MakeOwnDirectory(const Call& call) const {
  std::error_code error;
  fs::create_directories(own_directory_, error);
  if (error) call.Fail("cannot make the directory '" + own_directory_ + "': " + error.message());
  return !error;
}

// Whether the shell finds the command. Commands that are not simply a name or a path are not
// tested.
bool Interpreter::CommandExists(const std::string& word) const {
  std::error_code ignored;
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::strchr("/._-+", c) != nullptr;
  };
  if (word.empty() || !std::all_of(word.begin(), word.end(), is_plain)) return true;
  if (word.find('/') != std::string::npos) {
    return fs::exists(fs::path(working_directory_) / word, ignored);
  }
  const char* path = std::getenv("PATH");
  std::istringstream places(path != nullptr ? path : "");
  for (std::string place; std::getline(places, place, ':');) {
    if (access((place + "/" + word).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Runs the words as one command of the shell. A leading @ suppresses the echo, a leading - ignores
// failure; both may be present.
int Interpreter::RunCommand(const Call& call, std::string command, const char* redirection) {
  had_effects_ = true;
  bool quiet = false, forgiving = false;
  size_t begin = 0;
  for (; begin < command.size() && std::strchr("@- \t\n", command[begin]) != nullptr; ++begin) {
    if (command[begin] == '@') quiet = true;
    if (command[begin] == '-') forgiving = true;
  }
  command.erase(0, begin);
  if (!quiet) std::fprintf(stderr, "%s\n", command.c_str());
  const std::string word = command.substr(0, command.find_first_of(" \t\n"));
  if (find_tool_ && !CommandExists(word)) {
    const std::string tool = find_tool_(call, word);
    if (failed_) return 127;
    if (!tool.empty()) command.replace(0, word.size(), QuotedForShell(tool));
  }
  if (*redirection != '\0') command = "(" + command + "\n) " + redirection;
  std::fflush(stdout);
  if (!MakeOwnDirectory(call)) return 127;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, working_directory_.c_str());
  std::string shell = "sh", option = "-c";
  char* argv[] = {shell.data(), option.data(), command.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, "/bin/sh", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    call.Fail("cannot run '" + command + "': " + std::strerror(error));
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return forgiving ? 0 : code;
}

void Interpreter::DefineStandardProcedures() {
  using Function = std::function<Value(const Call&)>;
  const auto define = [&](const char* name, size_t least, size_t most, Function function) {
    Define(name, {least, most, std::move(function)});
  };
  const auto predicate = [&](const char* name, auto test) {
    Define(name, {1, 1, [test](const Call& c) { return Value::OfBool(test(c)); }});
  };

  // --- texts, arrays and tables
  define("equal", 2, 2, [](const Call& c) {
    return Value::OfBool(c.Texts(0) == c.Texts(1) &&
                         c.arguments[0].kind() == c.arguments[1].kind());
  });
  predicate("defined", [this](const Call& c) { return IsDefined(c.Text(0)); });
  predicate("empty", [](const Call& c) {
    const Value& value = c.arguments[0];
    if (value.kind() == Value::Kind::kArray) return value.array().empty();
    if (value.kind() == Value::Kind::kTable) return value.table().empty();
    return c.Text(0).empty();
  });
  define("escape", 1, 1, [](const Call& c) {
    std::string escaped;
    for (const char ch : c.Text(0)) escaped += ch == '\\' ? "\\\\" : std::string(1, ch);
    return Value(escaped);
  });
  define("len", 1, 1, [](const Call& c) {
    const Value& value = c.arguments[0];
    const size_t length = value.kind() == Value::Kind::kArray   ? value.array().size()
                          : value.kind() == Value::Kind::kTable ? value.table().size()
                                                                : c.Text(0).size();
    return Value(std::to_string(length));
  });
  define("split", 2, 2,
         [](const Call& c) { return Value::OfArray(ToArray(Split(c.Text(0), c.Text(1)))); });
  define("subst_chars", 3, 3, [](const Call& c) {
    std::string text = c.Text(0);
    const std::string &from = c.Text(1), &to = c.Text(2);
    for (char& ch : text) {
      const size_t at = from.find(ch);
      if (at < to.size()) ch = to[at];
    }
    return Value(text);
  });
  define("format", 1, kAnyNumber, [](const Call& c) {
    const std::string& format = c.Text(0);
    std::string text;
    size_t next = 1;
    for (size_t i = 0; i < format.size(); ++i) {
      if (format[i] == '%' && i + 1 < format.size() && format[i + 1] == 's') {
        text += c.Text(next++);
        ++i;
      } else {
        text += format[i];
      }
    }
    return Value(text);
  });
  // Puts the prefix before each element and joins the words to one text, as commands take them.
  define("arglist", 2, 2, [](const Call& c) {
    Value::Array words;
    for (const std::string& word : c.Texts(1)) words.emplace_back(c.Text(0) + word);
    return Value::OfArray(std::move(words));
  });

  // --- messages
  define("write", 0, kAnyNumber, [this](const Call& c) {
    for (size_t i = 0; i < c.arguments.size(); ++i) Write(TextOf(c.arguments[i], c.span));
    return Value();
  });
  define("print", 0, kAnyNumber, [this](const Call& c) {
    for (size_t i = 0; i < c.arguments.size(); ++i) Write(TextOf(c.arguments[i], c.span));
    return Value();
  });
  define("error", 0, kAnyNumber, [](const Call& c) {
    c.Fail(WithBlanks(c));
    return Value();
  });
  define("warn", 0, kAnyNumber, [this](const Call& c) {
    diagnostics_.Warning(MessageId::kBuildFileWarning, c.span, WithBlanks(c));
    return Value();
  });

  // --- files
  define("path", 0, 0, [this](const Call&) { return Value(Rooted(directory())); });
  define("path_of", 1, 1, [this](const Call& c) { return Value(Rooted(Absolute(c.Text(0)))); });
  define("normalize", 1, 2, [](const Call& c) {
    const std::string& given = c.Text(c.arguments.size() - 1);
    const std::string prefix = c.arguments.size() == 2 ? c.Text(0) : "";
    const fs::path path(given);
    if (prefix.empty()) return Value(path.lexically_normal().string());
    const fs::path relative = path.lexically_relative(prefix);
    return Value(relative.empty() ? given : relative.string());
  });
  define("include", 1, 1, [this](const Call& c) {
    RunFile(Absolute(c.Text(0)), c.span);
    return Value();
  });
  predicate("exists", [this](const Call& c) {
    std::error_code ignored;
    return fs::exists(Input(c.Text(0)), ignored);
  });
  for (const char* name : {"fs_exists", "fs_readable", "fs_isfile", "fs_isdir"}) {
    const std::string word = name;
    predicate(name, [this, word](const Call& c) {
      std::error_code ignored;
      const std::string path = Input(c.Text(0));
      if (word == "fs_isfile") return fs::is_regular_file(path, ignored);
      if (word == "fs_isdir") return fs::is_directory(path, ignored);
      if (word == "fs_readable") return access(path.c_str(), R_OK) == 0;
      return fs::exists(path, ignored);
    });
  }
  define("stale", 2, 2, [this](const Call& c) {
    std::vector<std::string> sources;
    for (const std::string& source : c.Texts(1)) sources.push_back(Input(source));
    const fs::path target = Made(c.Text(0));
    NoteInput(target.string());
    return Value::OfBool(IsStale(target.string(), sources));
  });
  define("make_dir", 1, 1, [this](const Call& c) {
    std::error_code error;
    fs::create_directories(Made(c.Text(0)), error);
    if (error) c.Fail("cannot make the directory '" + c.Text(0) + "': " + error.message());
    return Value();
  });
  for (const char* name : {"unlink_file", "delete_file"}) {
    define(name, 1, 1, [this](const Call& c) {
      std::error_code ignored;
      return Value::OfBool(fs::remove(Made(c.Text(0)), ignored));
    });
  }

  // --- the system
  define("getenv", 1, 1, [this](const Call& c) { return Value(Environment(c.Text(0))); });
  DefineTextProcedures();
  DefineCalls();
  DefinePathProcedures();
  DefineFileProcedures();
  for (const char* name : {"exec", "cm3_exec"}) {
    define(name, 1, kAnyNumber, [this](const Call& c) {
      const int status = RunCommand(c, WithBlanks(c));
      if (status != 0) c.Fail("the command ended with status " + std::to_string(status));
      return Value(std::to_string(status));
    });
  }
  for (const char* name : {"try_exec", "try_cm3_exec", "q_exec"}) {
    define(name, 1, kAnyNumber,
           [this](const Call& c) { return Value(std::to_string(RunCommand(c, WithBlanks(c)))); });
  }
  // The text is the command's input.
  define("q_exec_put", 2, 2, [this](const Call& c) {
    const std::string file = working_directory_ + "/.input";
    const std::string problem = WriteWholeFile(file, c.Text(1));
    if (!problem.empty()) c.Fail(problem);
    const int status = problem.empty() ? RunCommand(c, c.Text(0), "< .input") : 1;
    std::error_code ignored;
    fs::remove(file, ignored);
    return Value(std::to_string(status));
  });
  // The command's status and its output.
  define("q_exec_get", 1, 1, [this](const Call& c) {
    const std::string file = working_directory_ + "/.output";
    const int status = RunCommand(c, c.Text(0), "> .output");
    std::string output;
    ReadWholeFile(file, output);
    std::error_code ignored;
    fs::remove(file, ignored);
    return Value::OfArray({Value(std::to_string(status)), Value(output)});
  });
}

}  // namespace tenure::compiler::quake
