// What the extension computes, without VS Code: which package a file belongs to, what the lines of
// `tenure check --error-format=json` mean, and what their fixes change. Tested in test/.

'use strict';

const path = require('path');

/**
 * The folder for `tenure check`: the nearest one, from the file's up to `root`, with a file that
 * makes it a package; otherwise the file's folder, or the one above if that is `src`.
 *
 * @param {string} file
 * @param {string} root an outermost folder: nothing above it is looked at
 * @param {(path: string) => boolean} exists
 */
function packageOf(file, root, exists) {
  const marks = ['tenure.toml', 'm3makefile', path.join('src', 'm3makefile')];
  const start = path.dirname(file);
  const isSource = path.basename(start) === 'src';
  for (let folder = isSource ? path.dirname(start) : start; ; folder = path.dirname(folder)) {
    if (marks.some((mark) => exists(path.join(folder, mark)))) return folder;
    if (folder === root || folder === path.dirname(folder)) break;
  }
  return isSource ? path.dirname(start) : start;
}

/**
 * The diagnostics among the lines that `tenure check` printed, with paths made absolute. Lines that
 * are not JSON, such as those of a build file, are left out.
 *
 * @param {string} output
 * @param {string} folder where `tenure` ran
 */
function parseOutput(output, folder) {
  const absolute = (place) => ({ ...place, file: path.resolve(folder, place.file) });
  const diagnostics = [];
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    let diagnostic;
    try {
      diagnostic = JSON.parse(line);
    } catch {
      continue;
    }
    if (typeof diagnostic.file !== 'string' || typeof diagnostic.message !== 'string') continue;
    diagnostics.push({
      ...absolute(diagnostic),
      notes: (diagnostic.notes || []).map(absolute),
      fixes: (diagnostic.fixes || []).map(absolute),
    });
  }
  return diagnostics;
}

/**
 * The index in a line, in UTF-16 units from 0, of a column of the compiler, in bytes of UTF-8 from 1.
 *
 * @param {string} line
 * @param {number} column
 */
function indexOfColumn(line, column) {
  let bytes = column - 1;
  let index = 0;
  for (const character of line) {
    if (bytes <= 0) break;
    bytes -= Buffer.byteLength(character);
    index += character.length;
  }
  return index;
}

/**
 * A place as lines and indices from 0.
 *
 * @param {{line: number, column: number, end_line: number, end_column: number}} place
 * @param {string[]} lines the file's text
 */
function rangeOf(place, lines) {
  const position = (line, column) => ({
    line: Math.max(line - 1, 0),
    character: indexOfColumn(lines[line - 1] || '', column),
  });
  return { start: position(place.line, place.column), end: position(place.end_line, place.end_column) };
}

/** What a fix does, in a few words. */
function titleOfFixes(fixes, textOf) {
  if (fixes.length !== 1) return `Make ${fixes.length} changes`;
  const before = textOf(fixes[0]);
  const after = fixes[0].replacement;
  const shown = (text) => {
    const line = text.trim().replace(/\s*\n\s*/g, ' ');
    return line.length > 40 ? `'${line.slice(0, 37)}...'` : `'${line}'`;
  };
  if (before === '') return `Insert ${shown(after)}`;
  if (after === '') return `Remove ${shown(before)}`;
  return `Replace ${shown(before)} by ${shown(after)}`;
}

/**
 * The text between two positions.
 *
 * @param {{start: {line: number, character: number}, end: {line: number, character: number}}} range
 * @param {string[]} lines
 */
function textOfRange(range, lines) {
  const { start, end } = range;
  if (start.line === end.line) return (lines[start.line] || '').slice(start.character, end.character);
  const inner = lines.slice(start.line + 1, end.line);
  return [
    (lines[start.line] || '').slice(start.character),
    ...inner,
    (lines[end.line] || '').slice(0, end.character),
  ].join('\n');
}

/**
 * Applies fixes to a text. The places of all fixes are those of the text before.
 *
 * @param {string} text
 * @param {object[]} fixes
 */
function applyFixes(text, fixes) {
  const lines = text.split('\n');
  const starts = [0];
  for (const line of lines) starts.push(starts[starts.length - 1] + line.length + 1);
  const offset = (position) => starts[Math.min(position.line, lines.length)] + position.character;
  const edits = fixes.map((fix, order) => {
    const range = rangeOf(fix, lines);
    return { start: offset(range.start), end: offset(range.end), text: fix.replacement, order };
  });
  edits.sort((a, b) => b.start - a.start || b.order - a.order);
  let result = text;
  for (const edit of edits) result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  return result;
}

/** A text without the insides of comments and literals, each character of which becomes a blank. */
function withoutComments(text) {
  let result = '';
  let depth = 0;
  let literal = '';
  for (let i = 0; i < text.length; ++i) {
    const pair = text.slice(i, i + 2);
    const isEnd = text[i] === '\n';
    if (literal !== '') {
      if (text[i] === '\\' && !isEnd) {
        result += ' ';
        ++i;
      } else if (text[i] === literal || isEnd) {
        literal = '';
      }
      result += isEnd ? '\n' : ' ';
    } else if (pair === '(*' || (depth > 0 && pair === '*)')) {
      depth += pair === '(*' ? 1 : -1;
      result += '  ';
      ++i;
    } else if (depth > 0) {
      result += isEnd ? '\n' : ' ';
    } else if (text[i] === '"' || (text[i] === "'" && /^'(\\.[^']*|.)'/.test(text.slice(i, i + 12)))) {
      literal = text[i];
      result += ' ';
    } else {
      result += text[i];
    }
  }
  return result;
}

/**
 * What an outline lists: procedures, types and exceptions, with the lines from 0 where each begins and
 * ends. Procedures in procedures are theirs.
 *
 * @param {string} text
 */
function symbolsOf(text) {
  const top = [];
  const open = [];
  let section = '';
  withoutComments(text)
    .split('\n')
    .forEach((line, number) => {
      const code = line.replace(/^\s*(<\*.*?\*>\s*)+/, '');
      const word = (/^\s*(PROCEDURE|CONST|TYPE|EXCEPTION|VAR|REVEAL|BEGIN)\b/.exec(code) || [])[1];
      if (word !== undefined) section = word;
      const rest = code.replace(/^\s*(TYPE|EXCEPTION)\b/, '');
      const procedure = /^\s*PROCEDURE\s+([A-Za-z]\w*)/.exec(code);
      const type = section === 'TYPE' && /^\s*([A-Za-z]\w*)\s*(<:|=)/.exec(rest);
      const exception = section === 'EXCEPTION' && /^\s*([A-Za-z]\w*)\s*(\(|;)/.exec(rest);
      const end = /^\s*END\s+([A-Za-z]\w*)\s*;/.exec(code);
      const list = open.length === 0 ? top : open[open.length - 1].children;
      const add = (kind, name) => {
        const column = line.search(new RegExp(`\\b${name}\\b`));
        const symbol = { kind, name, line: number, endLine: number, column, children: [] };
        list.push(symbol);
        return symbol;
      };
      if (procedure) {
        const symbol = add('procedure', procedure[1]);
        // Its body, if any, ends where its name is repeated.
        const last = new RegExp(`\\bEND\\s+${symbol.name}\\s*;`);
        if (last.test(code)) return;
        if (new RegExp(`^\\s*END\\s+${symbol.name}\\s*;`, 'm').test(text)) open.push(symbol);
      } else if (type) {
        add('type', type[1]);
      } else if (exception) {
        add('exception', exception[1]);
      } else if (end) {
        const at = open.map((symbol) => symbol.name).lastIndexOf(end[1]);
        if (at >= 0) {
          open[at].endLine = number;
          open.length = at;
        }
      }
    });
  return top;
}

/** The arguments of `tenure` for a check of the folder that it runs in. */
function checkArguments(extra) {
  return ['check', '--error-format=json', ...extra, '.'];
}

module.exports = {
  applyFixes,
  checkArguments,
  indexOfColumn,
  packageOf,
  parseOutput,
  rangeOf,
  symbolsOf,
  textOfRange,
  titleOfFixes,
};
