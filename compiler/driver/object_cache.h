// Unchanged units are not compiled again: object files are kept under the hash of all that they
// depend on, which is the source of the unit and of what it imports, what opaque types are made of
// in this program, and the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "compiler/check/checked_unit.h"
#include "compiler/types/fingerprint.h"

namespace tenure::compiler {

class ObjectCache {
 public:
  // `options_key` stands for everything on the command line that changes code. Files go to
  // `package_directory` (made when needed), those of library units to a folder of this compiler's
  // in `library_directory` when that can be written, and to `package_directory` otherwise. Folders
  // of other compilers that nobody wrote to for a day are removed.
  ObjectCache(const Program& program, const Fingerprints& fingerprints, uint64_t options_key,
              std::string package_directory, std::string library_directory);

  // The path for the unit's object file, whether it exists or not.
  std::string PathFor(const CheckedUnit& unit, bool library_unit);
  // For the object of the whole program: depends on every unit.
  std::string PathForProgram();

  // The names of the files in `package_directory` that were asked for.
  const std::set<std::string>& used() const { return used_; }
  // Removes other object files in a package's directory.
  static void RemoveUnused(const std::string& package_directory, const std::set<std::string>& used);

 private:
  uint64_t LayoutKey(const CheckedUnit& unit);
  // Units whose <*INLINE*> procedures may be part of the unit's code.
  void AddInlinedUnits(const CheckedUnit& unit, std::set<const CheckedUnit*>* found);
  uint64_t KeyOfInlined(const CheckedUnit& unit);

  const Program& program_;
  const Fingerprints& fingerprints_;
  uint64_t options_key_;
  std::string package_directory_, library_directory_;
  std::map<std::string, std::map<std::string, uint64_t>>
      opaque_types_of_;  // by interface, then by name
  std::map<std::string, std::set<const CheckedUnit*>>
      inlined_from_;  // by interface, the modules with <*INLINE*> procedures of it
  std::map<const CheckedUnit*, uint64_t> keys_of_modules_;  // of those modules
  std::set<std::string> used_;                              // file names in the package's directory
};

}  // namespace tenure::compiler
