// The interpreter of Quake: statements, variables, and the procedures that every build file may
// call. The commands that describe a package come from a host (package/build_file.h).
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/quake/tree.h"
#include "compiler/quake/value.h"

namespace tenure::compiler::quake {

class Interpreter;

// One call while it is executed.
struct Call {
  Interpreter& interpreter;
  const std::string& name;
  SourceSpan span;
  std::vector<Value> arguments;

  // An argument as a text; reports an error, and gives an empty text, if it is something else.
  const std::string& Text(size_t index) const;
  // An argument as texts: an array, or one text as its only element.
  std::vector<std::string> Texts(size_t index) const;
  void Fail(const std::string& what) const;
};

// A procedure of the host: its arguments are counted before it is called.
struct Builtin {
  size_t arguments_min = 0;
  size_t arguments_max = 0;
  std::function<Value(const Call&)> function;
};
constexpr size_t kAnyNumber = static_cast<size_t>(-1);

class Interpreter {
 public:
  explicit Interpreter(Diagnostics& diagnostics);

  void Define(const std::string& name, Builtin builtin) { builtins_[name] = std::move(builtin); }
  // Called for a call of an unknown procedure; returns false if the call is an error.
  void set_unknown_call(std::function<bool(const Call&)> handler) {
    unknown_call_ = std::move(handler);
  }
  // Called for a command that does not exist: returns its path, or an empty text. May have reported
  // an error.
  void set_tool_finder(std::function<std::string(const Call&, const std::string&)> finder) {
    find_tool_ = std::move(finder);
  }
  // The path of a program of another package, or empty. Errors have been reported.
  std::string FindTool(const Call& call, const std::string& name) {
    return find_tool_ ? find_tool_(call, name) : "";
  }
  // Called with the normalized path of each file that a build file reads or makes: returns the
  // file's real place, or empty if that is the path itself.
  void set_place_finder(std::function<std::string(const std::string&)> finder) {
    find_place_ = std::move(finder);
  }
  void Set(const std::string& name, Value value) { globals_[name] = {std::move(value), false}; }
  // The value of a global variable; the empty text if there is none.
  Value Get(const std::string& name) const;
  // The default value of a variable that is not set; `defined` returns false for it.
  void SetFallback(const std::string& name, Value value) {
    fallbacks_[name] = {std::move(value), false};
  }
  bool IsDefined(const std::string& name) const;
  // Sets the directory in which commands run and files with relative names are made. The directory
  // is made when needed.
  void set_working_directory(const std::string& directory) {
    own_directory_ = working_directory_ = directory;
  }
  const std::string& working_directory() const { return working_directory_; }

  // Runs a file. Stops at the first error, which has been reported. False after an error. Inside,
  // `include` and `path` are relative to the file's directory.
  bool Run(const std::string& path);
  bool RunFile(const std::string& path, SourceSpan asked);
  bool failed() const { return failed_; }

  // The inputs of a run besides commands: files and directories that it read or tested, existing or
  // not; variables of the environment, with their values.
  const std::set<std::string>& inputs() const { return inputs_; }
  const std::map<std::string, std::string>& environment() const { return environment_; }
  // Whether commands were run, the time was read, a folder was listed, or text was printed: then
  // another run may differ, or its output must be shown again.
  bool had_effects() const { return had_effects_; }
  void NoteInput(const std::string& path) { inputs_.insert(path); }
  // A variable of the environment; empty if there is none.
  std::string Environment(const std::string& name);

  // The directory of the file that is being run.
  const std::string& directory() const { return directories_.back(); }

  DiagnosticBuilder Fail(SourceSpan span, const std::string& what);
  // Whether a walk of an expression or a value may go one step deeper. Otherwise it has failed.
  bool HasStackRoom(SourceSpan span);
  void Warn(SourceSpan span, const std::string& what);
  // The error has already been reported.
  void Stop() { failed_ = true; }
  // The end of the file that Run was called for; invalid before that call.
  SourceSpan EndOfFile() const;
  // Calls a procedure of the build file, of a file that it includes, or of the host; reports errors
  // of the call at `span`.
  Value CallByName(std::string name, std::vector<Value> arguments, SourceSpan span);
  // A relative path means a file below the current directory.
  std::string Absolute(const std::string& path) const;
  // A file that is made: relative to the working directory.
  std::string Made(const std::string& path) const;
  // A file that is read: relative to the current directory, or else to the working directory, as
  // classic build files write (../src/F).
  std::string Input(const std::string& path);

 private:
  struct Variable {
    Value value;
    bool readonly = false;
  };
  using Scope = std::map<std::string, Variable>;
  enum class Flow : unsigned char { kNext, kReturn };

  Flow Execute(const Statements& statements);
  Flow Execute(const Statement& statement);
  Flow ExecuteRedirected(const Statement& statement);
  Value Evaluate(const Expression& expression);
  // The entry of a table or the element of an array.
  Value ElementOf(const Value& whole, const Value& key, SourceSpan span);
  bool Contains(const Value& whole, const std::string& wanted, SourceSpan span);
  Value EvaluateCall(const Expression& call);
  void FailUndefined(const std::string& name, SourceSpan span);
  void FailUnknown(const std::string& name, SourceSpan span);
  Value Invoke(const ProcedureDefinition& procedure, std::vector<Value> arguments, SourceSpan span);
  Variable* Find(const std::string& name);
  void Assign(const Statement& statement, Value value);
  // The table in which the statement changes an entry; null after an error.
  Value* FindTable(const Statement& statement);
  // Adds elements to an array, or words to a text; `statement` is the statement that does this.
  void Append(Value& target, Value value, const Statement& statement);
  // The place finder's answer for the path.
  std::string PlaceOf(const std::filesystem::path& path) const;
  std::string TextOf(const Value& value, SourceSpan span);
  bool TruthOf(const Value& value, SourceSpan span);
  void DefineStandardProcedures();
  void DefineTextProcedures();
  void DefineCalls();
  void DefinePathProcedures();
  void DefineFileProcedures();
  void Write(const std::string& text);
  // Makes the folder of generated files; false: the call has failed.
  bool MakeOwnDirectory(const Call& call) const;
  bool CommandExists(const std::string& word) const;
  // Returns the status of the command, whose input or output the shell redirects.
  int RunCommand(const Call& call, std::string command, const char* redirection = "");

  Diagnostics& diagnostics_;
  std::map<std::string, Builtin> builtins_;
  std::function<bool(const Call&)> unknown_call_;
  std::function<std::string(const Call&, const std::string&)> find_tool_;
  std::function<std::string(const std::string&)> find_place_;
  Scope globals_, fallbacks_;
  std::set<std::string> inputs_;
  std::map<std::string, std::string> environment_;
  bool had_effects_ = false;
  std::vector<Scope> locals_;   // of the calls in progress; a foreach has one, too
  std::vector<size_t> frames_;  // where in locals_ the calls begin
  Value result_;
  std::vector<std::string> directories_;
  std::vector<std::unique_ptr<SourceFile>> files_;
  // Procedures outlive the run of their file, so the trees are kept, too; they do not move.
  std::deque<Statements> trees_;
  std::vector<std::string*> outputs_;  // of redirections
  std::string own_directory_ = ".",
              working_directory_ = ".";          // the directory at the start, and now
  std::vector<std::string> former_directories_;  // of pushd
  bool failed_ = false;
  int depth_ = 0;
};

}  // namespace tenure::compiler::quake
