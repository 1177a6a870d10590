// A program from strings, for the tests of the checker.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/check/check.h"

namespace tenure::compiler {

// Files by name ("A.i3", "Main.m3", "G.ig"). Files added with Library are checked only if the
// program needs them.
class StringSource : public UnitSource {
 public:
  StringSource& Package(const std::string& file, const std::string& text) {
    return Add(file, text, true);
  }
  StringSource& Library(const std::string& file, const std::string& text) {
    return Add(file, text, false);
  }
  // The units that every program needs, as small as possible.
  StringSource& Basics() {
    Library("Main.i3", "INTERFACE Main; END Main.");
    Library("Text.i3", "INTERFACE Text; PROCEDURE Cat(a, b: TEXT): TEXT; END Text.");
    Library(
        "Text.m3",
        "MODULE Text; PROCEDURE Cat(a: TEXT; <*UNUSED*> b: TEXT): TEXT = BEGIN RETURN a END Cat; "
        "BEGIN END Text.");
    Library("TextFlat.i3",
            "INTERFACE TextFlat; REVEAL TEXT = BRANDED \"Text\" OBJECT END; "
            "TYPE T8 = TEXT BRANDED \"T8\" OBJECT END; T16 = TEXT BRANDED \"T16\" OBJECT END; END "
            "TextFlat.");
    return *this;
  }

  const SourceFile* Interface(std::string_view name, const SourceFile*) override {
    return Find(std::string(name) + ".i3");
  }
  const SourceFile* GenericInterface(std::string_view name, const SourceFile*) override {
    return Find(std::string(name) + ".ig");
  }
  const SourceFile* GenericModule(std::string_view name, const SourceFile*) override {
    return Find(std::string(name) + ".mg");
  }
  // Library modules export the interface of their name.
  std::vector<const SourceFile*> ModulesExporting(std::string_view name,
                                                  const SourceFile*) override {
    const auto found = files_.find(std::string(name) + ".m3");
    if (found == files_.end() || found->second.package) return {};
    return {found->second.file.get()};
  }

  // Checks everything; the result is null if there were errors.
  std::unique_ptr<Program> Check(bool needs_main = true) {
    CheckOptions options;
    options.program_name = "test";
    options.needs_main = needs_main;
    for (const auto& [name, entry] : files_) {
      if (entry.package && name.back() == '3') options.units.push_back(entry.file.get());
    }
    return CheckProgram(*this, options, diagnostics);
  }

  std::string Messages() const { return diagnostics.Render(DiagnosticFormat::kText); }

  Diagnostics diagnostics;

 private:
  struct Entry {
    std::unique_ptr<SourceFile> file;
    bool package = false;
  };
  StringSource& Add(const std::string& file, const std::string& text, bool package) {
    files_[file] = {std::make_unique<SourceFile>(file, text), package};
    return *this;
  }
  const SourceFile* Find(const std::string& file) const {
    const auto found = files_.find(file);
    return found == files_.end() ? nullptr : found->second.file.get();
  }
  std::map<std::string, Entry> files_;
};

inline const CheckedUnit* FindUnit(const Program& program, std::string_view name,
                                   bool interface = false) {
  for (const CheckedUnit* unit : program.units) {
    if (unit->name == name && unit->is_interface == interface) return unit;
  }
  return nullptr;
}

inline const Procedure* FindProcedure(const CheckedUnit* unit, std::string_view full_name) {
  for (const Procedure* procedure : unit->procedures) {
    if (procedure->full_name == full_name) return procedure;
  }
  return nullptr;
}

inline const Variable* FindVariable(const CheckedUnit* unit, std::string_view name) {
  for (const Variable* variable : unit->variables) {
    if (variable->name == name) return variable;
  }
  return nullptr;
}

}  // namespace tenure::compiler
