// Runs extension.js with a stand-in for VS Code and one for `tenure`.

'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

class Range {
  constructor(...numbers) {
    this.numbers = numbers;
  }
}

class Edit {
  changes = [];
  replace(uri, range, text) {
    this.changes.push([uri.fsPath, range.numbers, text]);
  }
}

/** What the extension uses of VS Code, and `shown`: diagnostics by file. */
function standIn(settings, documents) {
  const shown = new Map();
  const registered = {};
  const note = (name) => (...values) => {
    registered[name] = values;
    return { dispose() {} };
  };
  return {
    shown,
    registered,
    vscode: {
      Range,
      WorkspaceEdit: Edit,
      TextEdit: { replace: (range, text) => [range.numbers, text] },
      Diagnostic: class {
        constructor(range, message, severity) {
          Object.assign(this, { range, message, severity });
        }
      },
      DiagnosticRelatedInformation: class {
        constructor(location, message) {
          Object.assign(this, { location, message });
        }
      },
      Location: class {
        constructor(uri, range) {
          Object.assign(this, { uri, range });
        }
      },
      CodeAction: class {
        constructor(title, kind) {
          Object.assign(this, { title, kind });
        }
      },
      Task: class {
        constructor(...values) {
          this.values = values;
        }
      },
      ProcessExecution: class {
        constructor(...values) {
          this.values = values;
        }
      },
      DocumentSymbol: class {
        constructor(name, detail, kind, range, selection) {
          Object.assign(this, { name, detail, kind, range, selection });
        }
      },
      SymbolKind: { Class: 4, Function: 11, Event: 23 },
      CodeActionKind: { QuickFix: 'quickfix' },
      DiagnosticSeverity: { Error: 0, Warning: 1 },
      TaskGroup: { Build: 'build', Test: 'test' },
      Uri: { file: (fsPath) => ({ fsPath, scheme: 'file' }) },
      commands: { registerCommand: note('command') },
      languages: {
        createDiagnosticCollection: () => ({
          delete: (uri) => shown.delete(uri.fsPath),
          set: (uri, diagnostics) => shown.set(uri.fsPath, diagnostics),
        }),
        registerCodeActionsProvider: note('actions'),
        registerDocumentFormattingEditProvider: note('formatter'),
        registerDocumentRangeFormattingEditProvider: note('rangeFormatter'),
        registerDocumentSymbolProvider: note('outline'),
      },
      tasks: { registerTaskProvider: note('tasks') },
      window: {
        activeTextEditor: undefined,
        createOutputChannel: () => ({ appendLine: note('output') }),
        setStatusBarMessage: note('status'),
      },
      workspace: {
        textDocuments: documents,
        workspaceFolders: undefined,
        getConfiguration: () => ({ get: (name, value) => settings[name] ?? value }),
        getWorkspaceFolder: () => undefined,
        onDidOpenTextDocument: note('open'),
        onDidSaveTextDocument: note('save'),
      },
    },
  };
}

function load(vscode) {
  const before = Module._load;
  Module._load = (request, ...rest) => (request === 'vscode' ? vscode : before(request, ...rest));
  try {
    delete require.cache[require.resolve('../extension.js')];
    return require('../extension.js');
  } finally {
    Module._load = before;
  }
}

async function until(condition) {
  for (let i = 0; i < 500 && !condition(); ++i) await new Promise((done) => setTimeout(done, 20));
  assert.ok(condition());
}

/** A folder with a module, and a `tenure` that prints `output` on standard error. */
function makePackage(t, output, status) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tenure-vscode-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'Main.m3');
  const text = 'MODULE Main;\nBEGIN\n  IO.Putt("x");\nEND Main.\n';
  fs.writeFileSync(file, text);
  const command = path.join(folder, 'tenure');
  fs.writeFileSync(path.join(folder, 'output'), output);
  fs.writeFileSync(command, `#!/bin/sh\ncat ${folder}/output >&2\necho "$@" > ${folder}/words\nexit ${status}\n`);
  fs.chmodSync(command, 0o755);
  const document = { languageId: 'modula3', uri: { fsPath: file, scheme: 'file' }, getText: () => text };
  return { folder, file, command, document };
}

const PLACE = { file: 'Main.m3', line: 3, column: 6, end_line: 3, end_column: 10 };
const ERROR = JSON.stringify({
  ...PLACE,
  severity: 'error',
  code: 'M0312',
  message: 'no Putt',
  rule: '20.5',
  notes: [{ ...PLACE, message: 'a note' }],
  fixes: [{ ...PLACE, replacement: 'Put' }],
});

test('a save shows diagnostics, and their fixes as actions', async (t) => {
  const { folder, file, command, document } = makePackage(t, `${ERROR}\n`, 1);
  const { vscode, shown, registered } = standIn({ path: command }, [document]);
  const subscriptions = [];
  load(vscode).activate({ subscriptions });
  assert.ok(subscriptions.length > 0);
  await until(() => shown.has(file));
  assert.equal(fs.readFileSync(path.join(folder, 'words'), 'utf8'), 'check --error-format=json .\n');

  const [diagnostic] = shown.get(file);
  assert.equal(diagnostic.message, 'no Putt (20.5)');
  assert.deepEqual([diagnostic.severity, diagnostic.code, diagnostic.source], [0, 'M0312', 'tenure']);
  assert.deepEqual(diagnostic.range.numbers, [2, 5, 2, 9]);
  assert.equal(diagnostic.relatedInformation[0].message, 'a note');

  const [, provider] = registered.actions;
  const actions = provider.provideCodeActions(document, undefined, { diagnostics: [diagnostic] });
  assert.deepEqual(actions.map((action) => action.title), ["Replace 'Putt' by 'Put'"]);
  assert.deepEqual(actions[0].edit.changes, [[file, [2, 5, 2, 9], 'Put']]);

  fs.writeFileSync(path.join(folder, 'output'), '');
  const [save] = registered.save;
  save(document);
  await until(() => !shown.has(file));
});

test('a tenure that does not run is reported, not taken as no error', async (t) => {
  const { command, document } = makePackage(t, 'no disk\n', 3);
  const { vscode, registered } = standIn({ path: command }, [document]);
  load(vscode).activate({ subscriptions: [] });
  await until(() => registered.status !== undefined);
  assert.match(registered.output[0], /no disk/);
});

test('nothing runs where checks are switched off', (t) => {
  const { folder, command, document } = makePackage(t, '', 0);
  const { vscode, registered } = standIn({ path: command, checkOn: 'never' }, [document]);
  load(vscode).activate({ subscriptions: [] });
  registered.save[0](document);
  assert.ok(!fs.existsSync(path.join(folder, 'words')));
});

test('the outline has procedures in procedures', (t) => {
  const { document } = makePackage(t, '', 0);
  const text = 'PROCEDURE P() =\n  PROCEDURE Q() =\n    BEGIN\n    END Q;\n  BEGIN\n  END P;\n';
  const { vscode, registered } = standIn({ checkOn: 'never' }, []);
  load(vscode).activate({ subscriptions: [] });
  const lines = text.split('\n');
  const [outer, ...others] = registered.outline[1].provideDocumentSymbols({
    ...document,
    getText: () => text,
    lineAt: (line) => ({ text: lines[line] }),
  });
  assert.deepEqual(others, []);
  assert.deepEqual([outer.name, outer.kind, outer.range.numbers, outer.selection.numbers], [
    'P', 11, [0, 0, 5, 8], [0, 10, 0, 11],
  ]);
  assert.deepEqual(outer.children.map((child) => child.name), ['Q']);
});

test('there are tasks for build, check and test of each folder', (t) => {
  const { document } = makePackage(t, '', 0);
  const { vscode, registered } = standIn({ checkOn: 'never' }, [document]);
  vscode.workspace.workspaceFolders = [{ uri: { fsPath: '/w' } }];
  load(vscode).activate({ subscriptions: [] });
  const [, provider] = registered.tasks;
  const tasks = provider.provideTasks();
  assert.deepEqual(tasks.map((task) => task.values[4].values), [
    ['tenure', ['build', '.']],
    ['tenure', ['check', '.']],
    ['tenure', ['test', '.']],
  ]);
  assert.deepEqual(tasks.map((task) => task.group), ['build', undefined, 'test']);
  const asked = { scope: 1, definition: { type: 'tenure', command: 'test', directory: 'a', arguments: ['-v'] } };
  assert.deepEqual(provider.resolveTask(asked).values[4].values, ['tenure', ['test', '-v', 'a']]);
});

test('a document and a range are formatted by tenure fmt', async (t) => {
  const { folder, command, document } = makePackage(t, '', 0);
  fs.writeFileSync(command, `#!/bin/sh\necho "$@" > ${folder}/words\nsed 's/^ *//'\n`);
  const { vscode, registered } = standIn({ path: command, checkOn: 'never' }, []);
  load(vscode).activate({ subscriptions: [] });
  const words = () => fs.readFileSync(path.join(folder, 'words'), 'utf8');
  const edits = await registered.formatter[1].provideDocumentFormattingEdits(document);
  assert.deepEqual(edits, [[[0, 0, 4, 0], 'MODULE Main;\nBEGIN\nIO.Putt("x");\nEND Main.\n']]);
  assert.equal(words(), 'fmt -\n');
  const range = { start: { line: 1 }, end: { line: 2 } };
  await registered.rangeFormatter[1].provideDocumentRangeFormattingEdits(document, range);
  assert.equal(words(), 'fmt --range 2:3 -\n');

  fs.writeFileSync(command, '#!/bin/sh\ncat\necho wrong >&2\nexit 1\n');
  assert.deepEqual(await registered.formatter[1].provideDocumentFormattingEdits(document), []);
  assert.match(registered.output[0], /wrong/);
});
