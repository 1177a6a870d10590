// The page: which view is shown, the state of the scan, keys, light and dark, changes by hand.
import {Refused, ask, clock, count, day, failure, go, h, link, objectLink, plural, post, remember, remembered, seconds,
  store} from './base.js';
import {commit, commits, live, names, overview} from './store_views.js';
import {object, type, types} from './object_views.js';
import {onePage, pages} from './page_views.js';
import {query} from './query_view.js';

const views = {overview, names, object, types, type, query, pages, page: onePage, commits, commit, live};
// Title, key, and the views that belong to it.
const menu = [['overview', 'Overview', 'o'], ['names', 'Roots', 'r', 'object'], ['types', 'Types', 't', 'type'], ['query', 'Query', 'q'],
  ['pages', 'Pages', 'p', 'page'], ['commits', 'Commits', 'c', 'commit'], ['live', 'Live', 'l']];
const $ = (id) => document.getElementById(id);

// What a view has of the page while it is shown.
class Shown {
  constructor() {
    this.abort = new AbortController();
    this.signal = this.abort.signal;
    this.timers = [];
    this.change = change;
  }
  every(milliseconds, act) {
    this.timers.push(setInterval(() => document.hidden || act(), milliseconds));
  }
  // Shows the view once more, after a while.
  again(milliseconds) {
    this.timers.push(setTimeout(() => this.signal.aborted || show(true), milliseconds));
  }
  end() {
    this.abort.abort();
    this.timers.forEach((timer) => { clearInterval(timer); clearTimeout(timer); });
  }
}

let shown = null;

function place() {
  const [path, text] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const parameters = Object.fromEntries(new URLSearchParams(text || ''));
  return {view: Object.hasOwn(views, path) ? path : 'overview', parameters};
}

async function show(again = false) {
  const {view, parameters} = place();
  if (shown) shown.end();
  const page = shown = new Shown();
  if (parameters.db && parameters.db !== store.database && store.state.databases.includes(parameters.db)) {
    store.database = parameters.db;
    $('database').value = store.database;
  }
  for (const entry of $('views').children) {
    const of = menu.find((item) => item[0] === entry.dataset.view);
    if (of[0] === view || of[3] === view) entry.setAttribute('aria-current', 'page');
    else entry.removeAttribute('aria-current');
    entry.href = link(of[0]);
  }
  $('store-name').href = link('overview');
  const content = h('div', {});
  // Charts want to know how wide they are: the content is in the page while it is made.
  const main = $('main');
  const before = [...main.childNodes];
  content.style.visibility = 'hidden';
  content.style.position = again ? 'absolute' : '';
  content.style.width = again ? `${main.clientWidth}px` : '';
  if (!again) main.replaceChildren(content);
  else main.append(content);
  const late = setTimeout(() => { if (!again && !page.signal.aborted) content.style.visibility = ''; }, 150);
  const slow = setTimeout(() => sayWait(page), 1500);
  main.setAttribute('aria-busy', 'true');
  try {
    await views[view](parameters, content, page);
  } catch (problem) {
    if (problem.name === 'AbortError') {
      if (again) content.remove();
      return;
    }
    if (!(problem instanceof Refused)) console.error(problem);
    content.append(failure(problem));
    // The first scan makes what is missing.
    if (problem.status === 404 && store.state && store.state.scan.running && !store.state.scan.done) page.again(1000);
  } finally {
    clearTimeout(late);
    clearTimeout(slow);
  }
  if (page.signal.aborted) {
    if (again) content.remove();
    return;
  }
  content.style.visibility = content.style.position = content.style.width = '';
  if (again) before.forEach((node) => node.remove());
  main.setAttribute('aria-busy', 'false');
  main.querySelectorAll('.waits').forEach((node) => node.remove());
  const title = main.querySelector('h2');
  document.title = `${title ? title.textContent : 'Tenure'} · ${store.state.store}`;
  main.dataset.view = view;
  if (!again && document.activeElement === document.body) main.focus({preventScroll: true});
}

// A view that takes long may wait for another program's transaction.
async function sayWait(page) {
  try {
    const answer = await ask('live', {}, page.signal);
    const wait = (answer.waits || []).find((one) => one.process === answer.own_process);
    if (!wait || page.signal.aborted) return;
    const holder = wait.holders[0] || wait.before[0] || {};
    $('main').prepend(h('p', {class: 'warning waits', role: 'status'},
      `Waiting for page ${wait.page}, which ${holder.program || 'a program'} (process ${holder.process}) has: it is shown when that program's transaction ends.`));
  } catch { /* the view says what is wrong */ }
}

// --- The scan

let scanned = null;

async function refreshState() {
  let state;
  try {
    state = await ask('state');
  } catch (problem) {
    $('scan').replaceChildren(failure(problem));
    return;
  }
  store.state = state;
  const scan = state.scan, done = scan.done;
  const line = [];
  if (state.failed) line.push(h('span', {class: 'wrong', role: 'alert'}, state.failed));
  if (scan.running) {
    const bar = h('progress', {max: Math.max(1, scan.of_pages), 'aria-label': 'Scan of the database'});
    bar.value = scan.pages;
    line.push(h('span', {}, scan.pages < scan.of_pages || scan.of_pages === 0 ? `Scanning: ${count(scan.pages)} of ${count(scan.of_pages)} pages, ${plural(scan.objects, 'object')}`
      : `Indexing ${plural(scan.objects, 'object')}`), bar);
  } else {
    if (scan.problem) line.push(h('span', {class: 'wrong', role: 'alert'}, `The scan failed: ${scan.problem}`));
    if (done) {
      line.push(h('span', {}, `Scan of ${clock(done.at)}, ${plural(done.objects, 'object')} in ${seconds(done.seconds)}`,
        done.commits_since ? `; ${plural(done.commits_since, 'commit')} since` : ''));
    }
    line.push(h('button', {class: 'small', type: 'button', id: 'rescan', onclick: async () => {
      await post('scan', {});
      refreshState();
    }}, 'Scan again'));
  }
  if (done && done.damaged_pages) {
    line.push(h('details', {class: 'wrong'}, h('summary', {}, plural(done.damaged_pages, 'damaged page')),
      h('ul', {}, done.problems.map((problem) => h('li', {}, problem)))));
  }
  // What somebody reads or has the focus in is not replaced by the same.
  const text = line.map((node) => node.textContent).join('|');
  if ($('scan').dataset.text !== text) {
    $('scan').dataset.text = text;
    $('scan').replaceChildren(...line);
  }
  const finished = done ? done.at : null;
  if (scanned !== null && finished !== scanned.at && scanned.database === store.database && ['overview', 'types'].includes(place().view)) show(true);
  scanned = {at: finished, database: store.database};
  setTimeout(refreshState, scan.running ? 400 : 3000);
}

// --- A change by hand

function change(of) {
  const dialog = $('change');
  const input = h('input', {name: 'value', id: 'new-value', value: of.is_text || !of.ref ? of.text : of.ref, autocomplete: 'off', spellcheck: 'false'});
  const said = h('p', {role: 'status', id: 'change-said', class: 'value'});
  const confirm = h('button', {class: 'main', type: 'button', id: 'change-confirm', disabled: true}, 'Change');
  let checked = null;
  const forget = () => {
    checked = null;
    confirm.disabled = true;
    said.replaceChildren();
  };
  input.addEventListener('input', forget);
  async function send(dry) {
    try {
      const answer = await post('set', {path: of.path, value: input.value, dry_run: dry, ...(checked ? {before: checked.before} : {})});
      said.className = 'value';
      if (dry) {
        checked = answer;
        said.replaceChildren(h('code', {}, of.path), ` : ${answer.before} → ${answer.after}`, h('br'), 'Nothing has been changed yet.');
        confirm.disabled = false;
        confirm.focus();
      } else {
        dialog.close();
        await show(true);
      }
    } catch (problem) {
      forget();
      said.className = 'wrong mono';
      said.textContent = problem.message;
    }
  }
  confirm.addEventListener('click', () => send(false));
  dialog.replaceChildren(h('form', {onsubmit: (event) => {
    event.preventDefault();
    send(true);
  }}, h('h2', {id: 'change-title'}, 'Change a value'), h('p', {class: 'mono'}, of.path),
  h('p', {}, 'It is ', h('span', {class: 'value'}, of.text), of.declared ? h('span', {class: 'type'}, ` ${of.declared}`) : ''),
  h('label', {for: 'new-value'}, 'New value: as in the language, PAGE:OFFSET or a path for a reference'), input, said,
  h('div', {class: 'bar'}, h('button', {id: 'change-check'}, 'Check'), confirm,
    h('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));
  dialog.showModal();
  input.select();
}

// --- Keys, light and dark

function showKeys() {
  const dialog = $('keys');
  const keys = [...menu.map((item) => [item[2], item[1]]), ['/', 'Path of an object'], ['s', 'Scan again'], ['d', 'Light or dark'], ['?', 'This list']];
  dialog.replaceChildren(h('h2', {id: 'keys-title'}, 'Keys'), h('table', {}, h('tbody', {}, keys.map(([key, what]) =>
    h('tr', {}, h('th', {scope: 'row'}, h('kbd', {}, key)), h('td', {}, what))))), h('p', {}, h('button', {onclick: () => dialog.close()}, 'Close')));
  dialog.showModal();
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function turnTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  setTheme(dark ? 'light' : 'dark');
  remember('tenure-theme', dark ? 'light' : 'dark');
  show(true);
}

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select, dialog[open]');
  if (event.key === 'Escape' && event.target.closest('input, textarea')) event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const item = menu.find((entry) => entry[2] === event.key);
  if (item) go(link(item[0]));
  else if (event.key === '/') $('go-path').focus();
  else if (event.key === '?') showKeys();
  else if (event.key === 'd') turnTheme();
  else if (event.key === 's' && $('rescan')) $('rescan').click();
  else return;
  event.preventDefault();
});

async function start() {
  setTheme(remembered('tenure-theme'));
  // The token is in the cookie now: the address bar and the history need it no longer.
  if (location.search) history.replaceState(null, '', `/${location.hash}`);
  const asked = new URLSearchParams(location.hash.split('?')[1] || '').get('db');
  let state;
  try {
    state = await ask('state');
  } catch (problem) {
    $('main').replaceChildren(failure(problem));
    return;
  }
  store.state = state;
  store.database = state.databases && state.databases.includes(asked) ? asked : state.database;
  $('store-name').textContent = state.store;
  $('database').replaceChildren(...(state.databases || []).map((name) => h('option', {value: name, selected: name === store.database}, name)));
  $('database').addEventListener('change', () => {
    store.database = $('database').value;
    scanned = null;
    go(link('overview'));
  });
  $('access').textContent = {
    served: 'The store is served; other programs use it as before.',
    own: 'Other programs can use the store meanwhile.',
    alone: 'Other programs cannot open the store meanwhile.',
    copy: `${state.holder}. This is a copy of ${day(state.copied_at || 0)}.`,
  }[state.access] + (state.may_change ? ' Values can be changed.' : ' Nothing can be changed here.');
  $('views').replaceChildren(...menu.map(([view, title, key]) => h('a', {'data-view': view, href: link(view), title: `key ${key}`}, title)));
  $('go').addEventListener('submit', (event) => {
    event.preventDefault();
    if ($('go-path').value.trim()) go(objectLink($('go-path').value.trim()));
  });
  let typed = 0;
  $('go-path').addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(async () => {
      const text = $('go-path').value;
      try {
        const answer = await ask('complete', {text});
        const begun = (/[^.["]*$/).exec(text)[0];
        const stem = text.slice(0, text.length - begun.length);
        $('go-completions').replaceChildren(...answer.completions.slice(0, 50).map((word) => h('option', {value: stem + word})));
      } catch { /* nothing to complete */ }
    }, 200);
  });
  $('theme').addEventListener('click', turnTheme);
  $('help').addEventListener('click', showKeys);
  $('skip').addEventListener('click', (event) => {
    event.preventDefault();
    $('main').focus();
  });
  window.addEventListener('hashchange', () => show());
  refreshState();
  await show();
}

start();
