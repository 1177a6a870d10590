// Runs `tenure check` when a Modula-3 file is opened or saved, shows what it says, and offers its
// fixes; formats by `tenure fmt`. What needs no VS Code is in check.js.

'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');
const check = require('./check.js');

const LANGUAGE = 'modula3';

/** The fixes of a diagnostic that is shown, by the diagnostic. */
const fixesOf = new WeakMap();

/** For each package's folder: the files that have diagnostics, the check that runs, and whether
 * another one is wanted behind it. */
const packages = new Map();

/** @type {vscode.DiagnosticCollection} */
let collection;
/** @type {vscode.OutputChannel} */
let output;

function settings() {
  return vscode.workspace.getConfiguration('tenure');
}

function toRange(range) {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

/** The lines of a file: of its editor if it is open, or else of the disk. */
function linesOf(file) {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === file);
  if (open !== undefined) return open.getText().split(/\r?\n/);
  try {
    return fs.readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

function toDiagnostic(found, lines) {
  const range = toRange(check.rangeOf(found, lines(found.file)));
  const rule = found.rule ? ` (${found.rule})` : '';
  const diagnostic = new vscode.Diagnostic(
    range,
    found.message + rule,
    found.severity === 'warning' ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error,
  );
  diagnostic.source = 'tenure';
  diagnostic.code = found.code;
  diagnostic.relatedInformation = found.notes.map(
    (note) =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.file(note.file), toRange(check.rangeOf(note, lines(note.file)))),
        note.message,
      ),
  );
  if (found.fixes.length > 0) fixesOf.set(diagnostic, found.fixes);
  return diagnostic;
}

function show(state, found) {
  const cache = new Map();
  const lines = (file) => {
    if (!cache.has(file)) cache.set(file, linesOf(file));
    return cache.get(file);
  };
  const byFile = new Map();
  for (const one of found) {
    if (!byFile.has(one.file)) byFile.set(one.file, []);
    byFile.get(one.file).push(toDiagnostic(one, lines));
  }
  for (const file of state.files) collection.delete(vscode.Uri.file(file));
  for (const [file, diagnostics] of byFile) collection.set(vscode.Uri.file(file), diagnostics);
  state.files = [...byFile.keys()];
}

function run(folder) {
  let state = packages.get(folder);
  if (state === undefined) {
    state = { files: [], isRunning: false, isWanted: false };
    packages.set(folder, state);
  }
  if (state.isRunning) {
    state.isWanted = true;
    return;
  }
  state.isRunning = true;
  const command = settings().get('path', 'tenure');
  const options = { cwd: folder, maxBuffer: 1 << 26 };
  const words = check.checkArguments(settings().get('checkArguments', []));
  execFile(command, words, options, (error, stdout, stderr) => {
    state.isRunning = false;
    // 0: nothing is wrong, 1: errors in the sources (tenure --help).
    if (error && error.code !== 1) {
      output.appendLine(`${command} ${words.join(' ')} in ${folder}: ${error.message}\n${stderr}`);
      vscode.window.setStatusBarMessage('tenure check did not run: see the output "Tenure"', 8000);
    } else {
      show(state, check.parseOutput(stderr, folder));
    }
    if (state.isWanted) {
      state.isWanted = false;
      run(folder);
    }
  });
}

function checkDocument(document) {
  if (document.languageId !== LANGUAGE || document.uri.scheme !== 'file') return;
  const file = document.uri.fsPath;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const root = folder === undefined ? path.dirname(file) : folder.uri.fsPath;
  run(check.packageOf(file, root, fs.existsSync));
}

const actions = {
  provideCodeActions(document, _range, context) {
    const lines = document.getText().split(/\r?\n/);
    const result = [];
    for (const diagnostic of context.diagnostics) {
      const fixes = fixesOf.get(diagnostic);
      if (fixes === undefined) continue;
      const title = check.titleOfFixes(fixes, (fix) =>
        check.textOfRange(check.rangeOf(fix, linesOf(fix.file)), linesOf(fix.file)),
      );
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      for (const fix of fixes) {
        const place = fix.file === document.uri.fsPath ? lines : linesOf(fix.file);
        action.edit.replace(
          vscode.Uri.file(fix.file),
          toRange(check.rangeOf(fix, place)),
          fix.replacement,
        );
      }
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      result.push(action);
    }
    return result;
  },
};

/** The edits by which `tenure fmt` changes the document, or the lines of a range. */
function format(document, words) {
  const command = settings().get('path', 'tenure');
  const text = document.getText();
  return new Promise((resolve) => {
    const child = execFile(command, ['fmt', ...words, '-'], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error) {
        output.appendLine(`${command} fmt: ${stderr || error.message}`);
        vscode.window.setStatusBarMessage('tenure fmt changed nothing: see the output "Tenure"', 8000);
      }
      if (error || stdout === text) return resolve([]);
      const lines = text.split('\n');
      const whole = new vscode.Range(0, 0, lines.length - 1, lines[lines.length - 1].length);
      return resolve([vscode.TextEdit.replace(whole, stdout)]);
    });
    child.stdin.on('error', () => {}); // the callback reports a program that does not read
    child.stdin.end(text);
  });
}

const formatter = {
  provideDocumentFormattingEdits: (document) => format(document, []),
  provideDocumentRangeFormattingEdits: (document, range) =>
    format(document, ['--range', `${range.start.line + 1}:${range.end.line + 1}`]),
};

const outline = {
  provideDocumentSymbols(document) {
    const kinds = {
      procedure: vscode.SymbolKind.Function,
      type: vscode.SymbolKind.Class,
      exception: vscode.SymbolKind.Event,
    };
    const toSymbol = (found) => {
      const name = new vscode.Range(found.line, found.column, found.line, found.column + found.name.length);
      const whole = new vscode.Range(found.line, 0, found.endLine, document.lineAt(found.endLine).text.length);
      const symbol = new vscode.DocumentSymbol(found.name, '', kinds[found.kind], whole, name);
      symbol.children = found.children.map(toSymbol);
      return symbol;
    };
    return check.symbolsOf(document.getText()).map(toSymbol);
  },
};

/** Tasks `tenure build`, `check` and `test` for the folders of the workspace. */
const tasks = {
  provideTasks() {
    return (vscode.workspace.workspaceFolders || []).flatMap((folder) =>
      ['build', 'check', 'test'].map((command) => {
        const task = toTask(folder, { type: 'tenure', command });
        if (command === 'build') task.group = vscode.TaskGroup.Build;
        if (command === 'test') task.group = vscode.TaskGroup.Test;
        return task;
      }),
    );
  },
  resolveTask(task) {
    return task.definition.command === undefined ? undefined : toTask(task.scope, task.definition);
  },
};

function toTask(scope, definition) {
  const words = [definition.command, ...(definition.arguments || []), definition.directory || '.'];
  const execution = new vscode.ProcessExecution(settings().get('path', 'tenure'), words);
  return new vscode.Task(definition, scope, `${definition.command}`, 'tenure', execution, '$tenure');
}

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  collection = vscode.languages.createDiagnosticCollection('tenure');
  output = vscode.window.createOutputChannel('Tenure');
  const whenAsked = (event) => (document) => {
    const when = settings().get('checkOn', 'save');
    if (when === event || (when === 'save' && event === 'open')) checkDocument(document);
  };
  context.subscriptions.push(
    collection,
    output,
    vscode.workspace.onDidOpenTextDocument(whenAsked('open')),
    vscode.workspace.onDidSaveTextDocument(whenAsked('save')),
    vscode.languages.registerCodeActionsProvider(LANGUAGE, actions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    vscode.languages.registerDocumentFormattingEditProvider(LANGUAGE, formatter),
    vscode.languages.registerDocumentRangeFormattingEditProvider(LANGUAGE, formatter),
    vscode.languages.registerDocumentSymbolProvider(LANGUAGE, outline),
    vscode.tasks.registerTaskProvider('tenure', tasks),
    vscode.commands.registerCommand('tenure.check', () => {
      if (vscode.window.activeTextEditor) checkDocument(vscode.window.activeTextEditor.document);
    }),
  );
  vscode.workspace.textDocuments.forEach(whenAsked('open'));
}

function deactivate() {}

module.exports = { activate, deactivate };
