// Keeps the object files of unchanged units, under the hash of everything that a file depends on:
// the sources of the unit, of its imports, and of the procedures that it may inline; the
// concrete types of opaque types in this program; and the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "abi/fingerprint.h"
#include "compiler/check/checked_unit.h"
#include "compiler/lower/program_layout.h"

namespace tenure::compiler {

class ObjectCache {
 public:
  // `options_key` stands for everything on the command line that changes code. Files go to
  // `package_directory` (made when needed), those of library units to a folder of this compiler's
  // in `library_directory` when that can be written, and to `package_directory` otherwise. Folders
  // of other compilers that nobody wrote to for a day are removed. Library units whose files are in
  // this compiler's folder of `ready_directory`, which is only read, are used from there; empty: no
  // such directory.
  ObjectCache(const Program& program, const ProgramLayout& layout, bool optimize,
              uint64_t options_key, std::string package_directory, std::string library_directory,
              const std::string& ready_directory = "");

  // Stands for what changes the code of units outside of the standard library only.
  void set_package_key(uint64_t key) { package_key_ = key; }

  // The path for the unit's object file, whether it exists or not.
  std::string PathFor(const CheckedUnit& unit);
  // Whether all opaque types that the unit may see are revealed, as in every program. Otherwise
  // their sizes are unknown, and the unit is compiled with a program.
  bool KnowsLayouts(const CheckedUnit& unit);
  // For the object of the whole program: depends on every unit.
  std::string PathForProgram();

  // Whether the file exists and is as long as it says. An interrupted build, or a full disk, may
  // have left less.
  static bool HasWhole(const std::string& path);

  // The names of the files in `package_directory` that were asked for.
  const std::set<std::string>& used() const { return used_; }
  // Removes other object files in a package's directory.
  static void RemoveUnused(const std::string& package_directory, const std::set<std::string>& used);

 private:
  uint64_t LayoutKey(const CheckedUnit& unit);
  // What an imported body depends on: its text and place, and the text of its unit without the
  // bodies of procedures.
  static void AddText(const Procedure& procedure, abi::FingerprintHasher& hash);
  uint64_t KeyWithoutBodies(const CheckedUnit& unit);
  // The interfaces that the unit imports, directly or through other interfaces.
  static std::set<std::string> InterfacesOf(const CheckedUnit& unit);

  const Program& program_;
  const ProgramLayout& layout_;
  const bool optimize_;
  uint64_t options_key_, package_key_ = 0;
  std::string package_directory_, library_directory_, ready_directory_;
  std::map<std::string, std::set<std::pair<std::string, uint64_t>>>
      opaque_types_of_;               // by interface; names, which units of one name may share
  std::set<std::string> unrevealed_;  // interfaces with opaque types that no unit reveals
  std::unordered_map<const CheckedUnit*, uint64_t> layout_keys_, keys_without_bodies_;
  std::set<std::string> used_;  // file names in the package's directory
};

}  // namespace tenure::compiler
