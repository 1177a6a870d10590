[
  (interface)
  (module)
  (generic_interface)
  (generic_module)
  (procedure)
  (block)
  (for_statement)
  (with_statement)
  (handler)
  (type_arm)
] @local.scope

(import_item
  interface: (identifier) @local.definition
  !alias)
(import_item
  alias: (identifier) @local.definition)
(from_import
  name: (identifier) @local.definition)
(generic_formals
  (identifier) @local.definition)

(const_declaration
  name: (identifier) @local.definition)
(type_declaration
  name: (identifier) @local.definition)
(exception_declaration
  name: (identifier) @local.definition)
(var_declaration
  name: (identifier) @local.definition)
(procedure
  (signature
    (formals
      (formal
        name: (identifier) @local.definition))))
(for_statement
  name: (identifier) @local.definition)
(binding
  name: (identifier) @local.definition)
(handler
  name: (identifier) @local.definition)
(type_arm
  name: (identifier) @local.definition)

(identifier) @local.reference
