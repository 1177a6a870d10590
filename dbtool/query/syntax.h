// The language of `tenure db query`, `show` and `set`: expressions, paths among them, and queries
// over them (docs/looking.md). This is the syntax; query/check.h gives it types.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dbtool/query/problem.h"
#include "dbtool/values/value.h"

namespace tenure::dbtool {

enum class ExprKind : uint8_t {
  kLiteral,
  kName,
  kField,   // base.name
  kIndex,   // base[key]
  kSlice,   // base[from..to]; either may be missing
  kUnary,   // "not", "-"
  kBinary,  // "and" "or", of two or more; "=" "#" "<" "<=" ">" ">=" "+" "-" "*" "/" "div" "mod" "&"
            // "in" "like" "contains"
  kBetween,  // x, the least, the most
  kCall,     // name(arguments); count(*) has none
  kList,     // [a, b, ...]
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// The part of a row that a name refers to, once it has been checked.
enum class Binding : uint8_t { kNone, kIt, kKey, kIndex, kColumn };

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  Binding binding = Binding::kNone;
  int depth = 1;              // of the parts within each other; limited, so that walks may recurse
  size_t column = 0;          // kColumn: which one
  size_t aggregate = 0;       // of calls of count, sum, ...: which one of the query, from 1
  size_t begin = 0, end = 0;  // in the query's text
  size_t name_begin = 0, name_end = 0;  // kField: of the field's name
  std::string name;                     // of names, fields, calls and operators
  Datum literal;
  std::vector<ExprPtr> parts;  // operands; null: a bound of a slice that is missing
};

struct SelectItem {
  ExprPtr expr;
  std::string name;  // the column's
};

struct SortItem {
  ExprPtr expr;
  bool descending = false;
};

struct Query {
  ExprPtr source;
  bool all = false;                // "all NAME": the objects of a type, whose name is the source
  std::vector<SelectItem> select;  // none: the whole row
  bool distinct = false;
  ExprPtr where, having;
  std::vector<ExprPtr> group;
  std::vector<SortItem> sort;
  bool count = false;  // only how many rows there are
  std::optional<uint64_t> limit;
  uint64_t offset = 0;
};

// Reads both orders of clauses: from SOURCE where ... select ...; select ... from SOURCE where ...
// Nothing: *problem says why.
std::optional<Query> ParseQuery(std::string_view text, QueryProblem* problem);
// A path, or another expression alone.
ExprPtr ParseExpression(std::string_view text, QueryProblem* problem);

// The names that begin a word of the language, for completion.
const std::vector<std::string>& QueryWords();

}  // namespace tenure::dbtool
