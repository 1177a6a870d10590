'use strict';

const assert = require('node:assert');
const path = require('node:path');
const test = require('node:test');
const check = require('../check.js');

/** A line of `tenure check --error-format=json`. */
const line = (fields) =>
  JSON.stringify({
    file: 'src/Main.m3',
    line: 2,
    column: 3,
    end_line: 2,
    end_column: 7,
    severity: 'error',
    code: 'M0312',
    message: 'interface IO does not declare Putt; did you mean Put?',
    rule: '20.5',
    notes: [],
    fixes: [],
    ...fields,
  });

test('the package is the nearest folder with a file that makes it one', () => {
  const there = (...paths) => (asked) => paths.includes(asked);
  const of = (file, ...paths) => check.packageOf(file, '/w', there(...paths));
  assert.equal(of('/w/a/Main.m3', '/w/a/m3makefile'), '/w/a');
  assert.equal(of('/w/a/src/Main.m3', '/w/a/src/m3makefile'), '/w/a');
  assert.equal(of('/w/a/b/Main.m3', '/w/a/tenure.toml'), '/w/a');
  assert.equal(of('/w/a/Main.m3'), '/w/a');
  assert.equal(of('/w/a/src/Main.m3'), '/w/a');
  assert.equal(of('/w/a/Main.m3', '/tenure.toml'), '/w/a');
});

test('diagnostics get absolute paths, and other lines are left out', () => {
  const place = { file: 'src/B.i3', line: 1, column: 1, end_line: 1, end_column: 2 };
  const output = [
    'a build file says hello',
    line({ notes: [{ ...place, message: 'declared here' }], fixes: [{ ...place, replacement: 'x' }] }),
    '{"not": "a diagnostic"}',
    '{ broken',
    line({ severity: 'warning', code: 'W0301' }),
    '',
  ].join('\n');
  const found = check.parseOutput(output, '/w/a');
  assert.equal(found.length, 2);
  assert.equal(found[0].file, path.resolve('/w/a/src/Main.m3'));
  assert.equal(found[0].notes[0].file, path.resolve('/w/a/src/B.i3'));
  assert.equal(found[0].fixes[0].file, path.resolve('/w/a/src/B.i3'));
  assert.deepEqual([found[1].severity, found[1].code], ['warning', 'W0301']);
});

test('columns count bytes, and indices UTF-16 units', () => {
  assert.equal(check.indexOfColumn('abc', 1), 0);
  assert.equal(check.indexOfColumn('abc', 3), 2);
  assert.equal(check.indexOfColumn('äbc', 3), 1);
  assert.equal(check.indexOfColumn('😀bc', 5), 2);
  assert.equal(check.indexOfColumn('abc', 99), 3);
});

test('a place becomes a range from 0', () => {
  const place = { line: 2, column: 3, end_line: 2, end_column: 7 };
  assert.deepEqual(check.rangeOf(place, ['', '  äPut(x)']), {
    start: { line: 1, character: 2 },
    end: { line: 1, character: 5 },
  });
  assert.deepEqual(check.rangeOf(place, []).start, { line: 1, character: 0 });
});

test('a title says what a fix does', () => {
  const title = (before, ...fixes) =>
    check.titleOfFixes(
      fixes.map((replacement) => ({ replacement })),
      () => before,
    );
  assert.equal(title('Putt', 'Put'), "Replace 'Putt' by 'Put'");
  assert.equal(title('', ';'), "Insert ';'");
  assert.equal(title('(*', ''), "Remove '(*'");
  assert.equal(title('', 'END P;\n\n'), "Insert 'END P;'");
  assert.equal(title('', 'THEN', 'END'), 'Make 2 changes');
});

test('the text of a range may have several lines', () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 2, character: 1 } };
  assert.equal(check.textOfRange(range, ['abc', 'def', 'ghi']), 'bc\ndef\ng');
});

test('fixes are applied as if at once', () => {
  const fix = (lineNumber, column, endColumn, replacement) => ({
    line: lineNumber,
    column,
    end_line: lineNumber,
    end_column: endColumn,
    replacement,
  });
  const text = 'BEGIN\n  IF a = 1 { a := 2 }\nEND\n';
  const fixes = [fix(2, 12, 13, 'THEN'), fix(2, 21, 22, 'END')];
  assert.equal(check.applyFixes(text, fixes), 'BEGIN\n  IF a = 1 THEN a := 2 END\nEND\n');
  assert.equal(check.applyFixes('ab', [fix(1, 2, 2, 'x'), fix(1, 2, 2, 'y')]), 'axyb');
});

test('more arguments stand before the folder', () => {
  assert.deepEqual(check.checkArguments(['-w']), ['check', '--error-format=json', '-w', '.']);
});

test('the outline lists procedures, types and exceptions', () => {
  const text = `INTERFACE I;
(* PROCEDURE No(); *)
TYPE T <: Public;
  Public = OBJECT METHODS m() END;
EXCEPTION E; F(TEXT);
CONST c = "TYPE"; d = '"';
<*EXTERNAL*> PROCEDURE P();
PROCEDURE Q() =
  TYPE Inner = REF T;
  BEGIN
    TYPECASE x OF T => END;
    IF a THEN b := 1 END;
  END Q;
VAR v: T;
END I.
`;
  const names = (symbols) => symbols.map((symbol) => `${symbol.kind} ${symbol.name}`);
  const found = check.symbolsOf(text);
  assert.deepEqual(names(found), [
    'type T', 'type Public', 'exception E', 'procedure P', 'procedure Q',
  ]);
  const last = found[found.length - 1];
  assert.deepEqual([last.line, last.endLine, last.column, names(last.children)], [7, 12, 10, ['type Inner']]);
  assert.deepEqual([found[3].line, found[3].endLine], [6, 6]);
});
