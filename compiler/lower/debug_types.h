// Modula-3 types as DWARF types, so that a debugger shows values by the names of the source.
//
// A stock gdb shows them so: enumerations and sets of up to 64 elements print the names of their
// elements, records and objects their fields (an object after those of its supertype), open arrays
// their elements (the lengths are read at run time), and a flat TEXT of characters of 8 bits its
// characters; of other texts, as of NIL, gdb says <not allocated>. compiler/debug/tenure_gdb.py,
// which `tenure debug` loads, shows all texts and the types that objects have. Arrays whose
// elements lie at any bit are records with a field for each, `[3]`, and so are those within packed
// fields, `field[3]`; Only open arrays of such elements are not shown.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/types/layout.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

class DebugTypes {
 public:
  DebugTypes(llvm::DIBuilder& builder, llvm::DICompileUnit* unit)
      : builder_(builder), unit_(unit) {}

  // The type as in memory; for an open array, the pointer and the lengths that stand for a variable
  // of the type (docs/calling_convention.md).
  llvm::DIType* Of(const Type* type);
  // The same for a value that need not lie at one address of memory, and for an element of an array
  // whose bounds gdb cannot find at run time: a TEXT is a reference.
  llvm::DIType* OfValue(const Type* type);

  // A field of RecordOfParts. The function sets the size.
  struct Part {
    std::string name;
    const Type* type;
    uint64_t bits = 0;
  };
  // A record whose fields follow each other without gaps. Its place need not be one address.
  llvm::DICompositeType* RecordOfParts(const std::string& name, std::vector<Part>& parts);

 private:
  using Members = llvm::SmallVector<llvm::Metadata*>;

  llvm::DIType* Make(const Type* type, const std::string& name);
  // The debug type of a variable of this ordinal type that has `bits` bits.
  llvm::DIType* Ordinal(const Type* type, const std::string& name, uint64_t bits);
  llvm::DIType* Set(const SetType* set, const std::string& name);
  llvm::Metadata* Range(const ArrayType* array);
  llvm::DIType* FixedArray(const Type* type);
  llvm::DIType* OpenArray(const Type* type, uint64_t elements_offset, bool elements_by_pointer,
                          uint64_t lengths_offset);
  // For an array whose elements are not laid out like variables: the elements' type if they lie in
  // words of some size, else null.
  llvm::DIType* PackedElement(const Type* array);
  llvm::DIType* BitArray(const ArrayType* array);
  llvm::DIType* Text();
  llvm::DICompositeType* Record(const RecordType* record);
  llvm::DICompositeType* RecordWithoutFields(const RecordType* record);
  void AddFields(llvm::DICompositeType* made, const RecordType* record);
  llvm::DICompositeType* Payload(const ObjectType* object);
  llvm::DIType* Pointer(llvm::DIType* target, const std::string& name, bool traced = true);
  llvm::DIType* Unspecified(const std::string& name);
  void AddMember(Members& members, llvm::DICompositeType* of, const Field& field,
                 const FieldPlace& place);
  // Adds a member that may begin at any bit. An array or a record is added element by element.
  void AddBits(Members& members, llvm::DICompositeType* of, const std::string& name,
               const Type* type, int64_t bit_offset, int64_t bit_size);
  llvm::Metadata* Constant(int64_t value);

  llvm::DIBuilder& builder_;
  llvm::DICompileUnit* unit_;
  // Null while a type is being made: a type that refers to itself without a record or an object
  // between becomes a pointer without a target.
  struct Known {
    std::unordered_map<const Type*, llvm::DIType*> made;
    std::unordered_map<const Type*, llvm::DICompositeType*> structures;
  };
  Known variables_, values_;
  Known* known_ = &variables_;  // which of the two: those of OfValue, or the others
};

}  // namespace tenure::compiler
