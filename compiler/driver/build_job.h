// One build: the passes of compiler/README.md, and the results that they pass on.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/check/check.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/build_record.h"
#include "compiler/driver/linker.h"
#include "compiler/driver/manifests.h"
#include "compiler/driver/options.h"
#include "compiler/package/installation.h"
#include "compiler/package/package_source.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// The passes are called in this order; Build in compile.cc is the list. A pass that can fail prints
// diagnostics or a problem on stderr and returns an ExitStatus: the build ends unless that is
// kExitOk.
class BuildJob {
 public:
  // `options` outlive the job.
  explicit BuildJob(const Options& options);
  ~BuildJob();
  BuildJob(const BuildJob&) = delete;
  BuildJob& operator=(const BuildJob&) = delete;

  // The program of the last build if this build would make the same; otherwise empty.
  std::string UpToDateProgram() const { return record_.UpToDateProgram(); }

  // A package without a build file may be a library, which no module exports Main from.
  void AllowLibrary() { may_be_library_ = true; }

  // Before OpenPackage: the package's own files have these texts (PackageSource::UseTexts).
  void UseTexts(const SourceTexts& texts) { package_.UseTexts(texts); }

  // package: finds the compiler's own files and the package's sources.
  int OpenPackage();
  // lex, parse: prints the trees of the package (--dump=ast).
  void MentionExplain() const;
  int DumpTrees();
  // lex to fingerprint: checks every program of the package.
  int Check();
  // The same, without printing the messages, which messages() then has.
  Problem CheckSilently();
  const Diagnostics& messages() const { return diagnostics_; }
  const PackageSource& package() const { return package_; }
  // lay out to lower: prints the modules of the main program (--dump=llvm).
  void AddUnitsThatCNames(std::vector<const SourceFile*>& units);
  int DumpModules();

  // From now on an error cannot be in the source.

  // Where the programs go.
  int ChooseOutputs();
  // Makes the directory of object files. Until the job ends, other builds that would use it wait.
  int LockObjects();

  // A library has one program, which is checked and lowered and not linked.
  size_t program_count() const { return programs_.size(); }
  // The three passes below are for this program from now on.
  void UseProgram(size_t index);
  // lay out to cache: an object file for each unit that has none, and for the program's tables.
  int Lower();
  // Object files of sources in C.
  int CompileForeignSources();
  // link: the program.
  int Link();

  // Removes object files that no program uses, and records the inputs of the programs.
  void Record();

  // The path of the program that is run; empty for a library.
  const std::string& main_output() const { return outputs_[main_program_]; }

 private:
  void PrintMessages() const;
  Problem GenerateObjects();
  bool AddInputsToRecord();
  bool is_library() const { return outputs_[current_].empty(); }

  const Options& options_;
  BuildRecord record_;
  Diagnostics diagnostics_;
  Installation installation_;
  Manifests manifests_;
  PackageSource package_;
  bool may_be_library_ = false;

  std::vector<std::unique_ptr<Program>>& programs_;
  size_t main_program_ = 0;
  std::vector<std::string> outputs_;  // by program; empty for a library
  std::string objects_directory_;
  int lock_ = -1;                         // the descriptor of its LOCK, or -1
  std::set<std::string> objects_used_;    // names of files in objects_directory_
  bool wrote_objects_ = false;            // object files that were missing
  std::set<std::string> foreign_inputs_;  // sources in C, and the headers that they include

  size_t current_ = 0;      // the program of UseProgram
  LinkInputs link_inputs_;  // of that program
};

}  // namespace tenure::compiler
