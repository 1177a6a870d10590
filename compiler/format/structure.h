// Which lines belong together: the constructs of a source, found in its tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/format/source_items.h"

namespace tenure::compiler {

// What an item is when it begins a line.
enum class Role : uint8_t {
  kInside,  // goes on with the statement, declaration or heading around it
  kEntry,   // begins an entry of a construct's list: a statement, a declaration, a field
  kPart,    // begins a part of the construct itself: END, ELSE, |, OVERRIDES
};

// Which line ends a style without choice has before an item.
enum class BreakRule : uint8_t {
  kAuthor,     // what the author chose
  kIfSeveral,  // one if the construct takes several lines
  kNever,      // none, unless a comment stands before it
};

// IF ... END, PROCEDURE ... END P, BEGIN ... END, RECORD ... END, a section VAR, the unit.
struct Construct {
  uint32_t opener = 0;          // its first token
  uint32_t closer = 0;          // its last one
  uint32_t indent = 2;          // of its entries, from the line of the opener
  bool is_section = false;      // entries align with the first one if that is in the opener's line
  bool is_fields = false;       // RECORD, OBJECT: may stand a step further in, as the author chose
  bool is_block = false;        // a statement VAR ... BEGIN ... END
  bool has_statements = false;  // may be laid out in several lines if one is too long
};

struct ItemPlace {
  Role role = Role::kInside;
  BreakRule rule = BreakRule::kAuthor;
  bool is_caught_value = false;  // ( behind an exception or a type, as in `| E (x) =>`
  uint32_t construct = 0;        // kEntry, kPart: of the list; kInside: the innermost one around it
  uint32_t entry = 0;            // the first token of the statement or declaration around the item
};

struct Structure {
  std::vector<ItemPlace> places;      // of each item; those of comments and pragmas have no meaning
  std::vector<Construct> constructs;  // the first one is the file
};

// Nothing if the tokens are no unit of Modula-3.
std::optional<Structure> FindStructure(const SourceItems& source);

}  // namespace tenure::compiler
