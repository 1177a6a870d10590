(interface name: (identifier) @name) @definition.interface
(generic_interface name: (identifier) @name) @definition.interface
(interface_instance name: (identifier) @name) @definition.interface
(module name: (identifier) @name) @definition.module
(generic_module name: (identifier) @name) @definition.module
(module_instance name: (identifier) @name) @definition.module

(
  (comment)* @doc
  .
  (procedure name: (identifier) @name) @definition.function
  (#strip! @doc "^\\(\\*\\s*|\\s*\\*\\)$")
)

(method name: (identifier) @name) @definition.method
(type_declaration name: (identifier) @name) @definition.type
(exception_declaration name: (identifier) @name) @definition.type
(const_declaration name: (identifier) @name) @definition.constant

(call procedure: (identifier) @name) @reference.call
(call procedure: (selection name: (identifier) @name)) @reference.call
(type_name (identifier) @name) @reference.type
(type_name (qualified_identifier name: (identifier) @name)) @reference.type
