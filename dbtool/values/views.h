// Views: descriptions of how tools show objects of a type: a hash table as its keys and values, a
// chain of nodes as a list. The library's containers have built-in views; a package can give views
// for its own types, in a JSON file (docs/looking.md, "Views").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dbtool/stored/stored_types.h"

namespace tenure::dbtool {

enum class ViewForm : uint8_t {
  kSlots,   // a hash table whose entries lie in an array of records
  kChains,  // a hash table whose buckets begin chains of nodes
  kTree,    // a binary search tree
  kBPlusTree,
  kList,   // nodes that lead to the next one
  kRing,   // a sequence in an array that it may wrap around
  kArray,  // elements in an array, from some place on
  kOf,     // what another object, in a field, shows
  kValue,  // the value of one field
};

struct View {
  std::string brand, type;  // of the types that it is for; '*' at an end stands for any characters
  ViewForm form = ViewForm::kList;
  bool keys_only = false;  // kOf: the other's keys are the elements
  // Fields by role: "slots", "key", "value", "next", "size", ...
  std::map<std::string, std::string> fields;
  std::vector<__int128> unused;  // kSlots: marks of slots without an entry
  __int128 from = 0;             // kArray: the place of the first element
  bool ordered = false;          // keys are in their natural order (numbers, texts)
  // A view of a container of the library. If the brand says that keys are numbers or texts, they
  // are in natural order, or hashed as the library does it.
  bool library = false;

  // kSlots: whether a slot with this mark has no entry.
  bool IsUnused(__int128 mark) const;
  // The field with this role; empty: the view has no such role.
  const std::string& Field(const char* role) const;
};

class Views {
 public:
  // The views of the library.
  static Views OfLibrary();
  // Adds the views in a file's text before the present ones. kInvalidArgument names `file` and the
  // error.
  Status Add(std::string_view text, const std::string& file);
  // The view for objects of this type: its own, or that of its nearest supertype. Null: none.
  // `exact`: whether the view is for the type itself.
  const View* For(const StoredType& type, bool* exact = nullptr) const;

 private:
  std::vector<View> views_;  // the first that fits counts
};

}  // namespace tenure::dbtool
