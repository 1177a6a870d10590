// Syntax trees of Quake, and the parser.
//
// A file is a list of statements without separators:
//
//   name ( EXPR {, EXPR} )                      a call
//   name = EXPR    name += EXPR    name { EXPR } = EXPR
//   local name = EXPR    readonly name = EXPR    local readonly name = EXPR
//   if EXPR ... [elsif EXPR ...] [else ...] end
//   foreach name in EXPR ... end
//   [readonly] proc name ( names ) is ... end    return [EXPR]
//   > EXPR in ... end    >> EXPR in ... end      output goes to the file
//
// and an expression is made of texts "...", names, $NAME (of the environment), calls, name { EXPR
// }, name [ EXPR ], [ elements ], { key : value }, ( EXPR ), not, and, or, contains, &
// (concatenation). Comments run from % to the end of the line, or stand between /* and */.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler::quake {

struct Expression {
  enum class Kind : unsigned char {
    kText,         // text
    kName,         // text
    kEnvironment,  // text: the variable's name
    kCall,         // text: the procedure's name; operands: the arguments
    kIndex,        // operands: table or array, key, key of the entry ...
    kArray,        // operands
    kTable,        // operands: key, value, key, value ...
    kNot,
    kAnd,
    kOr,
    kContains,
    kConcatenate,  // operands: two or more, from left to right; of kNot one
  };
  Kind kind = Kind::kText;
  SourceSpan span;
  std::string text;
  std::vector<std::unique_ptr<Expression>> operands;
};

struct Statement;
using Statements = std::vector<std::unique_ptr<Statement>>;

struct ProcedureDefinition {
  std::string name;
  std::vector<std::string> formals;
  Statements body;
};

struct Statement {
  enum class Kind : unsigned char {
    kCall,         // value: the call
    kAssign,       // name, value
    kAppend,       // name, value
    kAssignEntry,  // name, key, value
    kAppendEntry,  // name, key, value
    kIf,           // arms: condition (null: else) and body
    kForeach,      // name, value, body
    kProcedure,    // procedure
    kReturn,       // value or null
    kRedirect,     // value: the file; append; body
  };
  Kind kind = Kind::kCall;
  SourceSpan span;
  std::string name;
  bool local = false, readonly = false, append = false;
  std::unique_ptr<Expression> key, value;
  Statements body;
  struct Arm {
    std::unique_ptr<Expression> condition;
    Statements body;
  };
  std::vector<Arm> arms;
  std::unique_ptr<ProcedureDefinition> procedure;
};

// Reports the first error, after which the statements are not complete.
Statements Parse(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace tenure::compiler::quake
