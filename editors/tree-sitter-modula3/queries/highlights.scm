; Where two patterns match a node, the one below wins.

(identifier) @variable

; --- Comments and pragmas ---

(comment) @comment

(pragma_open) @keyword.directive
(pragma "*>" @keyword.directive)
(assert_statement "*>" @keyword.directive)
(debug_statement "*>" @keyword.directive)
(pragma_text) @string.special

; --- Literals ---

(number) @number
((number) @number.float
  (#match? @number.float "[.]"))
(character) @character
(text) @string
(escape) @string.escape

; --- Keywords (compiler/lex/tokens.def) ---

[
  "ANY"
  "ARRAY"
  "BEGIN"
  "BITS"
  "BRANDED"
  "CONST"
  "DO"
  "END"
  "EVAL"
  "EXCEPTION"
  "GENERIC"
  "LOCK"
  "METHODS"
  "OF"
  "OVERRIDES"
  "READONLY"
  "REVEAL"
  "SET"
  "UNSAFE"
  "UNTRACED"
  "VALUE"
  "VAR"
  "WITH"
] @keyword

[
  "INTERFACE"
  "MODULE"
  "OBJECT"
  "RECORD"
  "REF"
  "TYPE"
] @keyword.type

"PROCEDURE" @keyword.function

[
  "AS"
  "EXPORTS"
  "FROM"
  "IMPORT"
] @keyword.import

[
  "AND"
  "DIV"
  "IN"
  "MOD"
  "NOT"
  "OR"
] @keyword.operator

[
  "CASE"
  "ELSE"
  "ELSIF"
  "IF"
  "THEN"
  "TYPECASE"
] @keyword.conditional

[
  "BY"
  "FOR"
  "LOOP"
  "REPEAT"
  "TO"
  "UNTIL"
  "WHILE"
] @keyword.repeat

(packed_type "FOR" @keyword)
(exit_statement) @keyword.repeat

[
  "EXCEPT"
  "FINALLY"
  "RAISE"
  "RAISES"
  "TRY"
] @keyword.exception

"RETURN" @keyword.return

"ROOT" @type.builtin

; --- Operators and punctuation ---

[
  "&"
  "*"
  "+"
  "-"
  "/"
  "#"
  "<"
  "<="
  "="
  ">"
  ">="
  "^"
  ":="
  "<:"
  "=>"
  ".."
] @operator

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  "."
  ":"
  ";"
  "|"
] @punctuation.delimiter

; --- Names ---

(selection name: (identifier) @variable.member)
(field name: (identifier) @variable.member)
(named_element name: (identifier) @variable.member)
(formal name: (identifier) @variable.parameter)
(named_actual name: (identifier) @variable.parameter)
(const_declaration name: (identifier) @constant)
(enumeration_type name: (identifier) @constant)

(type_declaration name: (identifier) @type)
(type_name (identifier) @type)
(type_name (qualified_identifier
  interface: (identifier) @module
  name: (identifier) @type))
(constructor type: (identifier) @type)
(constructor type: (selection
  object: (identifier) @module
  name: (identifier) @type))
(object_type supertype: (identifier) @type)
(object_type supertype: (selection
  object: (identifier) @module
  name: (identifier) @type))
(revelation name: (identifier) @type)
(revelation name: (qualified_identifier
  interface: (identifier) @module
  name: (identifier) @type))

(procedure name: (identifier) @function)
(procedure end_name: (identifier) @function)
(method name: (identifier) @function.method)
(override name: (identifier) @function.method)
(call procedure: (identifier) @function.call)
(call procedure: (selection name: (identifier) @function.call))

(exception_declaration name: (identifier) @type)
(raise_statement exception: (identifier) @type)
(raise_statement exception: (qualified_identifier
  interface: (identifier) @module
  name: (identifier) @type))
(handler exception: (identifier) @type)
(handler exception: (qualified_identifier
  interface: (identifier) @module
  name: (identifier) @type))
(raises (identifier) @type)
(raises (qualified_identifier
  interface: (identifier) @module
  name: (identifier) @type))

(interface [name: (identifier) end_name: (identifier)] @module)
(module [name: (identifier) end_name: (identifier)] @module)
(generic_interface [name: (identifier) end_name: (identifier)] @module)
(generic_module [name: (identifier) end_name: (identifier)] @module)
(interface_instance
  [name: (identifier) generic: (identifier) end_name: (identifier)] @module)
(module_instance
  [name: (identifier) generic: (identifier) end_name: (identifier)] @module)
(exports (identifier) @module)
(generic_formals (identifier) @module)
(generic_actuals (identifier) @module)
(import_item (identifier) @module)
(from_import interface: (identifier) @module)

; --- Names that the language declares (docs/language.md, 1.4) ---

((identifier) @type.builtin
  (#any-of? @type.builtin
    "ADDRESS" "BOOLEAN" "CARDINAL" "CHAR" "EXTENDED" "INTEGER" "LONGCARD" "LONGINT" "LONGREAL"
    "MUTEX" "NULL" "REAL" "REFANY" "TEXT" "WIDECHAR"))

((identifier) @constant.builtin
  (#any-of? @constant.builtin "FALSE" "NIL" "TRUE"))

((identifier) @function.builtin
  (#any-of? @function.builtin
    "ABS" "ADR" "ADRSIZE" "BITSIZE" "BYTESIZE" "CEILING" "DEC" "DISPOSE" "FIRST" "FLOAT" "FLOOR"
    "INC" "ISTYPE" "LAST" "LOOPHOLE" "MAX" "MIN" "NARROW" "NEW" "NUMBER" "ORD" "ROUND" "SUBARRAY"
    "TRUNC" "TYPECODE" "VAL"))
