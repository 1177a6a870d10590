// The types of a program, and how they go together with those of a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dbtool/stored/stored_objects.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

// A reference or a procedure in the fixed part of an object that NEW makes.
struct DefaultText {
  uint64_t slot = 0;
  bool wide = false;
  std::u16string characters;
};
struct DefaultProcedure {
  uint64_t slot = 0;
  std::string name;  // with its signature, as a store has it
};

struct ProgramType {
  StoredType type;                  // its index is not set
  std::vector<std::byte> defaults;  // the fixed part as NEW makes it, with zeros for these:
  std::vector<DefaultText> texts;
  std::vector<DefaultProcedure> procedures;
  // False: an old program, which tells neither texts nor procedures.
  bool defaults_whole = false;
  // One element of an open array as NEW makes it, in the same way; slots are from its beginning.
  // Empty: the program is of a time when programs did not tell it.
  std::vector<std::byte> element_defaults;
  std::vector<DefaultText> element_texts;
  std::vector<DefaultProcedure> element_procedures;
};

// Empty if it cannot be read.
std::string ReadWhole(const std::string& path);

// Runs the program to ask for its types. kInvalidArgument if it is not one of ours.
Result<std::vector<ProgramType>> TypesOfProgram(const std::string& program);

// In the same order. The program's types must outlive them.
store::TypeKeys KeysOf(const std::vector<ProgramType>& program);

// A stored type that has objects, and how the program declares it.
struct TypeComparison {
  const StoredType* stored = nullptr;
  const StoredType* renamed = nullptr;  // the same with the program's names
  uint64_t objects = 0;
  const ProgramType* program = nullptr;  // the one with this name or brand; null: there is none
  std::string difference;                // in layout; empty: objects are readable unchanged
  std::string way;  // of a type that fits none: what the user can say about it; may be empty
};

// Walks through the database. `renamed` has the types that have other names in the program, by
// index, and must live as long as the result.
Result<std::vector<TypeComparison>> CompareTypes(
    OpenedStore& store, const std::string& database, const std::vector<ProgramType>& program,
    const std::map<uint32_t, StoredType>& renamed = {});

}  // namespace tenure::dbtool
