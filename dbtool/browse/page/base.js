// What all views use: requests, elements, numbers as texts, cells and tables.

export const store = {state: null, database: ''};

export class Refused extends Error {
  constructor(answer, status) {
    const problem = answer.problem && answer.problem.shown;
    super(problem || answer.error || `the program answered ${status}`);
    this.answer = answer;
    this.status = status;
  }
}

async function take(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Refused({error: response.status === 403
      ? 'This page is not from this run of tenure db browse: open the address that the program has printed.'
      : `the program answered ${response.status}`}, response.status);
  }
  if (!response.ok) throw new Refused(answer, response.status);
  return answer;
}

async function reach(address, options) {
  try {
    return await fetch(address, options);
  } catch (problem) {
    if (problem.name === 'AbortError') throw problem;
    throw new Refused({error: 'tenure db browse does not answer: it has ended.'}, 0);
  }
}

export async function ask(name, parameters = {}, signal = undefined) {
  const query = new URLSearchParams({db: store.database, ...parameters});
  return take(await reach(`/api/${name}?${query}`, {signal}));
}

export async function post(name, body) {
  const query = new URLSearchParams({db: store.database});
  return take(await reach(`/api/${name}?${query}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json', 'X-Tenure-Token': store.state.write_token},
    body: JSON.stringify(body),
  }));
}

// An element: h('a', {href: ..., onclick: f}, children ...). Children are nodes, texts or lists.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name in element && typeof value !== 'string') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A text of the store, which may run from right to left, and does not turn what stands around it.
export const stored = (text, attributes = {}) => h('bdi', attributes, text);

export const count = (number) => Number(number).toLocaleString('en-US');
export const plural = (number, one, more = one + 's') => `${count(number)} ${number === 1 ? one : more}`;

export function bytes(number) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    ++unit;
  }
  return `${unit === 0 ? number : number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0)} ${units[unit]}`;
}

export function short(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e6) return count(number);
  return Number(number.toPrecision(4)).toString();
}

export const seconds = (number) => number < 1 ? `${Math.round(number * 1000)} ms` : `${number.toFixed(1)} s`;
export const clock = (at) => new Date(at * 1000).toLocaleTimeString();
export const day = (at) => new Date(at * 1000).toLocaleString();

export function link(view, parameters) {
  return `#/${view}?${new URLSearchParams({db: store.database, ...parameters})}`;
}
export const objectLink = (path, parameters = {}) => link('object', {path, ...parameters});

export function go(address) {
  if (location.hash === address) window.dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = address;
}

// A table with a caption for those who cannot see it. Columns: {title, number}; rows: lists of cells.
export function table(caption, columns, rows, {hideCaption = false, rowHeader = false} = {}) {
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    h('table', {},
      h('caption', {class: hideCaption ? 'hidden' : ''}, caption),
      h('thead', {}, h('tr', {}, columns.map((column) =>
        h('th', {scope: 'col', class: column.number ? 'number' : ''}, column.title)))),
      h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) =>
        rowHeader && i === 0 ? h('th', {scope: 'row'}, cell)
          : h('td', {class: columns[i] && columns[i].number ? 'number' : columns[i] && columns[i].value ? 'value' : ''}, cell)))))));
}

export const objectName = (line) => line.problem
  ? h('span', {}, h('a', {href: objectLink(line.ref)}, line.ref), ' ', h('span', {class: 'wrong'}, line.problem))
  : h('span', {}, h('a', {href: objectLink(line.ref)}, `${line.ref} ${line.type}`),
      line.summary ? [' ', stored(line.summary, {class: 'type'})] : null);

// A value: its text, where it leads, its parts, and a button that changes it.
export function cell(of, change = null) {
  const parts = of.fields || of.elements;
  const text = of.ref && !of.is_text
    ? h('a', {href: objectLink(of.ref), class: 'value'}, stored(of.text))
    : stored(of.text, {class: of.is_text || (of.text || '').startsWith('"') ? 'value texts' : 'value'});
  const nodes = [parts && parts.length
    ? h('details', {}, h('summary', {class: 'value'}, stored(of.text)),
        h('table', {}, h('tbody', {}, parts.map((part) => h('tr', {},
          h('th', {scope: 'row'}, part.name), h('td', {class: 'value'}, cell(part, change)))))),
        of.more ? h('p', {class: 'note'}, `and ${count(of.more)} more`) : null)
    : text];
  if (of.time) nodes.push(h('span', {class: 'type'}, ` ${of.time}`));
  if (of.is_text && of.ref) nodes.push(' ', h('a', {href: objectLink(of.ref), class: 'type', 'aria-label': `the text object ${of.ref}`}, of.ref));
  if (change && of.path && !(parts && parts.length) && store.state.may_change) {
    nodes.push(' ', h('button', {class: 'small', type: 'button', 'aria-label': `Change ${of.path}`,
      onclick: () => change(of)}, 'change'));
  }
  return h('span', {}, nodes);
}

export function problems(answer) {
  if (!answer.problems) return null;
  return h('div', {class: 'warning', role: 'alert'},
    `Damaged, and left out here: ${answer.problems.join('; ')}`,
    answer.problem_count > answer.problems.length ? ` and ${count(answer.problem_count - answer.problems.length)} more` : '');
}

export const failure = (problem) => h('p', {class: 'wrong', role: 'alert'}, problem.message);

// Buttons to the rows before and behind.
export function pager(offset, shown, total, limit, to) {
  return h('div', {class: 'bar'},
    h('button', {type: 'button', disabled: offset === 0, onclick: () => to(Math.max(0, offset - limit))}, 'Previous'),
    h('button', {type: 'button', disabled: offset + shown >= total, onclick: () => to(offset + limit)}, 'Next'),
    h('span', {class: 'note'}, total === 0 ? 'none' : `${count(offset + 1)} to ${count(offset + shown)} of ${count(total)}`));
}

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch { /* not allowed here: nothing is remembered */ }
}
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
