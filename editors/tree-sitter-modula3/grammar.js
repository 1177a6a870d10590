// The grammar of Modula-3 with Tenure's extensions, after docs/language.md (1, 2, 25 to 27).
//
// It accepts somewhat more than the compiler, so that a file under edit keeps its tree: a qualified
// name with more than two parts before `{`, METHODS and OVERRIDES in any order, several units in one
// file (as tests/golden has them).

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PRECEDENCE = {
  or: 1,
  and: 2,
  not: 3,
  relation: 4,
  add: 5,
  multiply: 6,
  sign: 7,
  select: 8,
};

/** @param {RuleOrLiteral} rule */
const list = (rule) => seq(rule, repeat(seq(',', rule)));

/** @param {RuleOrLiteral} rule */
const semicolons = (rule) => seq(rule, repeat(seq(';', rule)), optional(';'));

module.exports = grammar({
  name: 'modula3',

  // Comments and pragmas nest, so src/scanner.c reads them. It leaves the contents of ASSERT and
  // DEBUG to the grammar where such a statement may stand.
  externals: ($) => [
    $.comment,
    $._pragma_open,
    $._assert_open,
    $._debug_open,
    $.pragma_text,
    $._text_fragment,
    $._error_sentinel,
  ],

  extras: ($) => [/[ \t\r\n\v\f]/, $.comment, $.pragma],

  word: ($) => $.identifier,

  supertypes: ($) => [$.expression, $.statement, $.type, $.declaration],

  inline: ($) => [$._qualified],

  rules: {
    source_file: ($) => repeat($._unit),

    // --- Units (2.1) ---

    _unit: ($) =>
      choice(
        $.interface,
        $.module,
        $.generic_interface,
        $.generic_module,
        $.interface_instance,
        $.module_instance,
      ),

    interface: ($) =>
      seq(
        optional('UNSAFE'),
        'INTERFACE',
        field('name', $.identifier),
        ';',
        repeat($._import),
        repeat($.declaration),
        $._unit_end,
      ),

    module: ($) =>
      seq(
        optional('UNSAFE'),
        'MODULE',
        field('name', $.identifier),
        optional($.exports),
        ';',
        repeat($._import),
        $._block_to_end,
        $._unit_end,
      ),

    generic_interface: ($) =>
      seq(
        optional('UNSAFE'),
        'GENERIC',
        'INTERFACE',
        field('name', $.identifier),
        field('formals', $.generic_formals),
        ';',
        repeat($._import),
        repeat($.declaration),
        $._unit_end,
      ),

    generic_module: ($) =>
      seq(
        optional('UNSAFE'),
        'GENERIC',
        'MODULE',
        field('name', $.identifier),
        field('formals', $.generic_formals),
        ';',
        repeat($._import),
        $._block_to_end,
        $._unit_end,
      ),

    interface_instance: ($) =>
      seq(
        optional('UNSAFE'),
        'INTERFACE',
        field('name', $.identifier),
        '=',
        field('generic', $.identifier),
        field('actuals', $.generic_actuals),
        $._unit_end,
      ),

    module_instance: ($) =>
      seq(
        optional('UNSAFE'),
        'MODULE',
        field('name', $.identifier),
        optional($.exports),
        '=',
        field('generic', $.identifier),
        field('actuals', $.generic_actuals),
        $._unit_end,
      ),

    _unit_end: ($) => seq('END', field('end_name', $.identifier), '.'),

    exports: ($) => seq('EXPORTS', list($.identifier)),

    generic_formals: ($) => seq('(', optional(list($.identifier)), ')'),

    generic_actuals: ($) => seq('(', optional(list($.identifier)), ')'),

    _import: ($) => choice($.import, $.from_import),

    import: ($) => seq('IMPORT', list($.import_item), ';'),

    import_item: ($) =>
      seq(field('interface', $.identifier), optional(seq('AS', field('alias', $.identifier)))),

    from_import: ($) =>
      seq(
        'FROM',
        field('interface', $.identifier),
        'IMPORT',
        list(field('name', $.identifier)),
        ';',
      ),

    // --- Declarations (2.2) ---

    declaration: ($) =>
      choice(
        $.const_section,
        $.type_section,
        $.exception_section,
        $.var_section,
        $.reveal_section,
        $.procedure,
      ),

    const_section: ($) => seq('CONST', repeat(seq($.const_declaration, ';'))),

    const_declaration: ($) =>
      seq(
        field('name', $.identifier),
        optional(seq(':', field('type', $.type))),
        '=',
        field('value', $.expression),
      ),

    type_section: ($) => seq('TYPE', repeat(seq($.type_declaration, ';'))),

    type_declaration: ($) =>
      seq(field('name', $.identifier), choice('=', '<:'), field('type', $.type)),

    exception_section: ($) => seq('EXCEPTION', repeat(seq($.exception_declaration, ';'))),

    exception_declaration: ($) =>
      seq(field('name', $.identifier), optional(seq('(', field('type', $.type), ')'))),

    var_section: ($) => seq('VAR', repeat(seq($.var_declaration, ';'))),

    var_declaration: ($) => seq(list(field('name', $.identifier)), $._type_and_value),

    _type_and_value: ($) =>
      choice(
        seq(':', field('type', $.type), optional(seq(':=', field('value', $.expression)))),
        seq(':=', field('value', $.expression)),
      ),

    reveal_section: ($) => seq('REVEAL', repeat(seq($.revelation, ';'))),

    revelation: ($) => seq(field('name', $._qualified), choice('=', '<:'), field('type', $.type)),

    procedure: ($) =>
      seq(
        'PROCEDURE',
        field('name', $.identifier),
        $.signature,
        optional(seq('=', $._block_to_end, 'END', field('end_name', $.identifier))),
        ';',
      ),

    _block_to_end: ($) => seq(repeat($.declaration), 'BEGIN', optional($.statements)),

    signature: ($) =>
      prec.right(
        seq(
          field('formals', $.formals),
          optional(seq(':', field('result', $.type))),
          optional($.raises),
        ),
      ),

    formals: ($) => seq('(', optional(semicolons($.formal)), ')'),

    formal: ($) =>
      seq(
        optional(field('mode', choice('VALUE', 'VAR', 'READONLY'))),
        list(field('name', $.identifier)),
        $._type_and_value,
      ),

    raises: ($) => seq('RAISES', choice('ANY', seq('{', optional(list($._qualified)), '}'))),

    // --- Statements (2.3) ---

    // A pragma statement needs no semicolon before or behind it.
    statements: ($) =>
      choice(
        seq(repeat1($._statement_item), optional($.statement)),
        $.statement,
      ),

    _statement_item: ($) =>
      choice(
        seq($.statement, ';'),
        seq(
          optional($.statement),
          choice($.assert_statement, $.debug_statement),
          optional(';'),
        ),
      ),

    statement: ($) =>
      choice(
        $.assignment,
        $.block,
        $.call_statement,
        $.case_statement,
        $.exit_statement,
        $.eval_statement,
        $.for_statement,
        $.if_statement,
        $.lock_statement,
        $.loop_statement,
        $.raise_statement,
        $.repeat_statement,
        $.return_statement,
        $.typecase_statement,
        $.try_statement,
        $.while_statement,
        $.with_statement,
      ),

    assert_statement: ($) =>
      seq(
        alias($._assert_open, $.pragma_open),
        field('condition', $.expression),
        optional(seq(choice('WITH', ','), field('message', $.expression))),
        '*>',
      ),

    debug_statement: ($) =>
      seq(
        alias($._debug_open, $.pragma_open),
        optional(seq(field('condition', $.expression), 'WITH')),
        list($.expression),
        '*>',
      ),

    assignment: ($) => seq(field('left', $.expression), ':=', field('right', $.expression)),

    call_statement: ($) => $.call,

    block: ($) => seq($._block_to_end, 'END'),

    case_statement: ($) =>
      seq(
        'CASE',
        field('selector', $.expression),
        'OF',
        optional('|'),
        optional(seq($.case_arm, repeat(seq('|', $.case_arm)))),
        optional($.else),
        'END',
      ),

    case_arm: ($) => seq(list($.case_label), '=>', optional($.statements)),

    case_label: ($) => seq($.expression, optional(seq('..', $.expression))),

    exit_statement: (_) => 'EXIT',

    eval_statement: ($) => seq('EVAL', $.expression),

    for_statement: ($) =>
      seq(
        'FOR',
        field('name', $.identifier),
        ':=',
        field('first', $.expression),
        'TO',
        field('last', $.expression),
        optional(seq('BY', field('step', $.expression))),
        'DO',
        optional($.statements),
        'END',
      ),

    if_statement: ($) =>
      seq(
        'IF',
        field('condition', $.expression),
        'THEN',
        optional($.statements),
        repeat($.elsif),
        optional($.else),
        'END',
      ),

    elsif: ($) =>
      seq('ELSIF', field('condition', $.expression), 'THEN', optional($.statements)),

    else: ($) => seq('ELSE', optional($.statements)),

    lock_statement: ($) =>
      seq('LOCK', field('mutex', $.expression), 'DO', optional($.statements), 'END'),

    loop_statement: ($) => seq('LOOP', optional($.statements), 'END'),

    raise_statement: ($) =>
      seq(
        'RAISE',
        field('exception', $._qualified),
        optional(seq('(', field('argument', $.expression), ')')),
      ),

    repeat_statement: ($) =>
      seq('REPEAT', optional($.statements), 'UNTIL', field('condition', $.expression)),

    return_statement: ($) => seq('RETURN', optional($.expression)),

    typecase_statement: ($) =>
      seq(
        'TYPECASE',
        field('selector', $.expression),
        'OF',
        optional('|'),
        optional(seq($.type_arm, repeat(seq('|', $.type_arm)))),
        optional($.else),
        'END',
      ),

    type_arm: ($) =>
      seq(
        list($.type),
        optional(seq('(', field('name', $.identifier), ')')),
        '=>',
        optional($.statements),
      ),

    try_statement: ($) =>
      seq('TRY', optional($.statements), choice($.except, $.finally), 'END'),

    except: ($) =>
      seq(
        'EXCEPT',
        optional('|'),
        optional(seq($.handler, repeat(seq('|', $.handler)))),
        optional($.else),
      ),

    handler: ($) =>
      seq(
        list(field('exception', $._qualified)),
        optional(seq('(', field('name', $.identifier), ')')),
        '=>',
        optional($.statements),
      ),

    finally: ($) => seq('FINALLY', optional($.statements)),

    while_statement: ($) =>
      seq('WHILE', field('condition', $.expression), 'DO', optional($.statements), 'END'),

    with_statement: ($) =>
      seq('WITH', list($.binding), 'DO', optional($.statements), 'END'),

    binding: ($) => seq(field('name', $.identifier), '=', field('value', $.expression)),

    // --- Types (2.4) ---

    type: ($) =>
      choice(
        $.type_name,
        $.parenthesized_type,
        $._type_constructor,
        alias($._object_of_name, $.object_type),
      ),

    type_name: ($) => $._qualified,

    parenthesized_type: ($) => seq('(', $.type, ')'),

    // A type that is not a name: in an expression it is an actual, or begins a constructor.
    _type_constructor: ($) =>
      choice(
        $.root_type,
        $.array_type,
        $.packed_type,
        $.enumeration_type,
        $.object_type,
        $.procedure_type,
        $.record_type,
        $.reference_type,
        $.set_type,
        $.subrange_type,
      ),

    root_type: (_) => seq(optional('UNTRACED'), 'ROOT'),

    array_type: ($) =>
      seq('ARRAY', optional(list(field('index', $.type))), 'OF', field('element', $.type)),

    packed_type: ($) =>
      seq('BITS', field('bits', $.expression), 'FOR', field('base', $.type)),

    enumeration_type: ($) => seq('{', optional(list(field('name', $.identifier))), '}'),

    object_type: ($) =>
      seq(
        optional(field('supertype', choice($.root_type, $.object_type))),
        $._object_body,
      ),

    // Apart from object_type, which may begin an expression: there a name is an expression.
    _object_of_name: ($) =>
      seq(
        field('supertype', choice($.type_name, alias($._object_of_name, $.object_type))),
        $._object_body,
      ),

    _object_in_expression: ($) =>
      seq(
        field(
          'supertype',
          choice($.identifier, $.selection, alias($._object_in_expression, $.object_type)),
        ),
        $._object_body,
      ),

    _object_body: ($) =>
      seq(
        optional($.brand),
        'OBJECT',
        optional($._fields),
        repeat(choice($.methods, $.overrides)),
        'END',
      ),

    // OBJECT or REF behind BRANDED begins no expression.
    brand: ($) => prec.left(seq('BRANDED', optional($.expression))),

    _fields: ($) => semicolons($.field),

    field: ($) => seq(list(field('name', $.identifier)), $._type_and_value),

    methods: ($) => seq('METHODS', optional(semicolons($.method))),

    method: ($) =>
      seq(
        field('name', $.identifier),
        $.signature,
        optional(seq(':=', field('default', $.expression))),
      ),

    overrides: ($) => seq('OVERRIDES', optional(semicolons($.override))),

    override: ($) => seq(field('name', $.identifier), ':=', field('value', $.expression)),

    procedure_type: ($) => seq('PROCEDURE', $.signature),

    record_type: ($) => seq('RECORD', optional($._fields), 'END'),

    reference_type: ($) =>
      seq(optional('UNTRACED'), optional($.brand), 'REF', field('referent', $.type)),

    set_type: ($) => seq('SET', 'OF', field('element', $.type)),

    subrange_type: ($) =>
      seq('[', field('low', $.expression), '..', field('high', $.expression), ']'),

    // --- Expressions (2.5) ---

    expression: ($) =>
      choice(
        $.identifier,
        $.number,
        $.character,
        $.text,
        $.constructor,
        $.parenthesized,
        $.dereference,
        $.selection,
        $.subscript,
        $.call,
        $.unary,
        $.binary,
      ),

    parenthesized: ($) => seq('(', $.expression, ')'),

    dereference: ($) => prec(PRECEDENCE.select, seq($.expression, '^')),

    selection: ($) =>
      prec(
        PRECEDENCE.select,
        seq(field('object', $.expression), '.', field('name', $.identifier)),
      ),

    subscript: ($) =>
      prec(
        PRECEDENCE.select,
        seq(field('array', $.expression), '[', list(field('index', $.expression)), ']'),
      ),

    call: ($) =>
      prec(
        PRECEDENCE.select,
        seq(field('procedure', $.expression), field('actuals', $.actuals)),
      ),

    actuals: ($) => seq('(', optional(list($._actual)), ')'),

    _actual: ($) =>
      choice(
        $.expression,
        $.named_actual,
        $._type_constructor,
        alias($._object_in_expression, $.object_type),
        alias($._parenthesized_type_in_expression, $.parenthesized_type),
      ),

    named_actual: ($) => seq(field('name', $.identifier), ':=', field('value', $.expression)),

    _parenthesized_type_in_expression: ($) =>
      seq(
        '(',
        choice(
          $._type_constructor,
          alias($._object_in_expression, $.object_type),
          alias($._parenthesized_type_in_expression, $.parenthesized_type),
        ),
        ')',
      ),

    constructor: ($) =>
      prec(
        PRECEDENCE.select,
        seq(
          field(
            'type',
            choice(
              $.identifier,
              $.selection,
              $.parenthesized,
              $._type_constructor,
              alias($._parenthesized_type_in_expression, $.parenthesized_type),
            ),
          ),
          '{',
          optional(seq(list($._element), optional(seq(',', '..')))),
          '}',
        ),
      ),

    _element: ($) => choice($.expression, $.element_range, $.named_element),

    element_range: ($) => seq($.expression, '..', $.expression),

    named_element: ($) => seq(field('name', $.identifier), ':=', field('value', $.expression)),

    unary: ($) =>
      choice(
        prec(PRECEDENCE.not, seq(field('operator', 'NOT'), $.expression)),
        prec(PRECEDENCE.sign, seq(field('operator', choice('+', '-')), $.expression)),
      ),

    binary: ($) => {
      /** @type {[number, RuleOrLiteral][]} */
      const levels = [
        [PRECEDENCE.or, 'OR'],
        [PRECEDENCE.and, 'AND'],
        [PRECEDENCE.relation, choice('=', '#', '<', '<=', '>', '>=', 'IN')],
        [PRECEDENCE.add, choice('+', '-', '&')],
        [PRECEDENCE.multiply, choice('*', '/', 'DIV', 'MOD')],
      ];
      return choice(
        ...levels.map(([level, operator]) =>
          prec.left(
            level,
            seq(
              field('left', $.expression),
              field('operator', operator),
              field('right', $.expression),
            ),
          ),
        ),
      );
    },

    _qualified: ($) => choice($.identifier, $.qualified_identifier),

    qualified_identifier: ($) =>
      seq(field('interface', $.identifier), '.', field('name', $.identifier)),

    // --- Tokens (1, 2.6) ---

    identifier: (_) => /[A-Za-z][A-Za-z0-9_]*/,

    number: (_) =>
      token(
        choice(
          /[0-9]+[Ll]?/,
          /[0-9]+_[0-9A-Fa-f]+[Ll]?/,
          /[0-9]+\.[0-9]+([EeDdXx][+-]?[0-9]+)?/,
        ),
      ),

    character: ($) =>
      seq(
        choice("'", token(/[Ww]'/)),
        choice($.escape, token.immediate(/[^'\\\n\r]/)),
        token.immediate("'"),
      ),

    text: ($) =>
      seq(
        choice('"', token(/[Ww]"/)),
        repeat(choice($.escape, $._text_fragment)),
        token.immediate('"'),
      ),

    escape: (_) =>
      token.immediate(
        choice(
          /\\[ntrf\\'"]/,
          /\\[0-7]{3}/,
          /\\[0-7]{6}/,
          /\\[Xx][0-9A-Fa-f]{2}/,
          /\\[Xx][0-9A-Fa-f]{4}/,
          /\\U[0-9A-Fa-f]{6}/,
        ),
      ),

    // --- Pragmas (26): a word and what the scanner leaves unread ---

    pragma: ($) =>
      seq(
        alias($._pragma_open, $.pragma_open),
        optional($.pragma_text),
        '*>',
      ),
  },
});
