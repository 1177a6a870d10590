// The store as a whole: sizes, names, commits, who uses it now.
import {ask, bytes, cell, clock, count, day, failure, go, h, link, objectLink, objectName, pager, plural, problems,
  seconds, short, store, stored, table} from './base.js';
import {bars, line, treemap} from './charts.js';

const card = (title, value, detail) => h('div', {}, h('dt', {}, title), h('dd', {}, value),
  detail ? h('dt', {}, detail) : null);

export async function overview(parameters, main, page) {
  const [answer, commits] = await Promise.all([ask('overview', {}, page.signal), ask('commits', {}, page.signal)]);
  main.append(h('h2', {}, 'Overview'), problems(answer) || '');
  const stored = answer.files.reduce((sum, file) => sum + file.allocated, 0);
  const cards = h('dl', {class: 'cards'},
    card('On disk', bytes(stored), plural(answer.files.length, 'file')),
    answer.objects === undefined ? null : [
      card('Objects', count(answer.objects), bytes(answer.bytes)),
      card('Pages', count(answer.pages), `${bytes(answer.free_bytes)} free`),
      card('References', count(answer.references), answer.dangling ? `${count(answer.dangling)} lead nowhere` : ''),
      card('Unreachable', count(answer.unreached), answer.unreached ? 'tenure db gc frees them' : 'no garbage'),
    ],
    card('Names', count(answer.name_count)));
  main.append(cards);
  main.append(h('p', {}, 'Root: ', cell(answer.root), ' · ', h('a', {href: link('names')}, 'all roots and names')));
  if (answer.objects === undefined) {
    main.append(h('p', {class: 'note'}, 'Objects are counted by the scan that is running.'));
    page.again(1000);
    return;
  }
  const types = answer.types.sort((a, b) => b.bytes - a.bytes);
  main.append(h('h3', {}, 'By type'));
  const by = h('select', {'aria-label': 'Area of the rectangles', id: 'treemap-by'},
    h('option', {value: 'bytes'}, 'bytes'), h('option', {value: 'objects'}, 'objects'));
  const map = h('div', {id: 'treemap'});
  const draw = () => {
    map.replaceChildren();
    treemap(map, types.slice(0, 60).map((type) => ({name: type.name, value: type[by.value],
      text: `${plural(type.objects, 'object')}, ${bytes(type.bytes)}`, href: link('type', {type: type.index})})),
    `Types by ${by.value}, as a treemap; the table below has the figures`);
  };
  by.addEventListener('change', draw);
  main.append(h('div', {class: 'bar'}, h('label', {}, 'Area', by)), map);
  draw();
  main.append(table('Objects and bytes by type', [{title: 'Type'}, {title: 'Objects', number: true}, {title: 'Bytes', number: true}],
    types.slice(0, 20).map((type) => [h('a', {href: link('type', {type: type.index})}, type.name), count(type.objects), bytes(type.bytes)])));
  if (types.length > 20) main.append(h('p', {}, h('a', {href: link('types')}, `all ${types.length} types`)));
  const growth = h('div', {id: 'growth'}), versions = h('div', {id: 'versions'});
  main.append(h('div', {class: 'columns'},
    h('section', {}, h('h3', {}, 'Growth over the latest commits'), growth),
    h('section', {}, h('h3', {}, 'Pages by the commit that wrote them last'), versions)));
  drawGrowth(growth, answer, commits);
  drawVersions(versions, answer.versions);
  main.append(table('Files of the store', [{title: 'File'}, {title: 'Bytes', number: true}, {title: 'On disk', number: true}],
    answer.files.map((file) => [file.name, bytes(file.bytes), bytes(file.allocated)])));
}

// Pages before each of the commits that the server remembers, from the number that there is now.
function drawGrowth(place, answer, recent) {
  if (!recent.served) {
    place.append(h('p', {class: 'note'}, 'A store does not record its size over time; only a server remembers its latest commits, and this store is not served.'));
    return;
  }
  if (recent.commits.length < 2) {
    place.append(h('p', {class: 'note'}, 'A store does not record its size over time; its server remembers the commits since it was started. There are fewer than two so far.'));
    return;
  }
  let pages = answer.pages;
  const points = [];
  for (const commit of recent.commits) {
    points.push({x: new Date(commit.at * 1000), y: pages, text: `${day(commit.at)}: ${count(pages)} pages`});
    pages -= (commit.new_pages || 0) - (commit.removed_pages || 0);
  }
  points.reverse();
  line(place, points, `Pages over the latest ${recent.commits.length} commits, from ${points[0].y} to ${points[points.length - 1].y}`,
    {time: true, step: true});
  place.append(h('p', {class: 'note'}, `Pages of this database over the latest ${plural(recent.commits.length, 'commit')} of ${count(recent.total)} since the server was started. What was before, the store does not record.`));
}

function drawVersions(place, versions) {
  if (!versions) return;
  const bins = versions.pages.map((pages, i) => {
    const from = versions.first + i * versions.width, to = from + versions.width - 1;
    return {label: short(from), value: pages, text: `commits ${count(from)} to ${count(to)}: ${plural(pages, 'page')}`};
  });
  bars(place, bins, `Pages by the version of the commit that wrote them last, from ${versions.first} to ${versions.last}`);
  place.append(h('p', {class: 'note'}, 'Each page has the number of the commit that wrote it last. Tall bars on the left are pages that have been at rest for long.'));
}

export async function names(parameters, main, page) {
  const offset = Number(parameters.offset || 0), search = parameters.search || '', limit = 50;
  const answer = await ask('names', {offset, limit, search}, page.signal);
  main.append(h('h2', {}, 'Roots and names'), problems(answer) || '',
    h('p', {}, 'root = ', cell(answer.root, page.change)),
    h('form', {class: 'bar', onsubmit: (event) => {
      event.preventDefault();
      go(link('names', {search: event.target.elements.search.value}));
    }}, h('label', {class: 'wide'}, 'Name contains', h('input', {name: 'search', value: search, type: 'search'})), h('button', {}, 'Search')),
    table('Named objects', [{title: 'Name'}, {title: 'Value', value: true}], answer.names.map((line) =>
      [h('a', {href: objectLink(line.path)}, stored(line.name)), cell(line)]), {rowHeader: true}),
    pager(offset, answer.names.length, answer.found, limit, (to) => go(link('names', {offset: to, search}))));
}

const partyText = (party) => (party.program ? `${party.program} (process ${party.process})` : `process ${party.process}`) +
  (party.subject ? ` of '${party.subject}' at ${party.address}` : '');
const notServed = () => h('p', {class: 'note'}, 'No server has this store, so nobody can tell who uses it. Programs that use one store at the same time need `tenure serve`.');

export async function commits(parameters, main, page) {
  const answer = await ask('commits', {}, page.signal);
  main.append(h('h2', {}, 'Recent commits'));
  if (!answer.served) {
    main.append(notServed());
    return;
  }
  main.append(h('p', {class: 'note'}, `The latest ${count(answer.commits.length)} of ${plural(answer.total, 'commit')} since the server was started. A server keeps 500 while it runs; stores do not record who wrote what.`));
  main.append(table('Recent commits, the last one first', [{title: 'When'}, {title: 'Who'}, {title: 'Version', number: true},
    {title: 'Written', number: true}, {title: 'New pages', number: true}, {title: 'Changed pages', number: true}, {title: 'What'}],
  answer.commits.map((commit) => [
    h('time', {datetime: new Date(commit.at * 1000).toISOString(), title: day(commit.at)}, clock(commit.at)),
    partyText(commit), h('a', {href: link('commit', {version: commit.version})}, count(commit.version)),
    commit.bytes === undefined ? '' : bytes(commit.bytes), commit.new_pages === undefined ? '' : count(commit.new_pages),
    commit.changed_pages === undefined ? '' : count(commit.changed_pages + commit.whole_pages),
    commit.bytes === undefined ? `of database ${commit.databases.join(', ')}` : commit.root ? 'the root too' : ''])));
  page.again(4000);
}

export async function commit(parameters, main, page) {
  const answer = await ask('commit', {version: parameters.version}, page.signal);
  main.append(h('h2', {}, `Commit ${count(answer.version)}`), problems(answer) || '',
    h('dl', {class: 'cards'}, card('When', clock(answer.at), day(answer.at)), card('Who', answer.program || '?', `process ${answer.process}`),
      card('Written', bytes(answer.bytes || 0)), card('New pages', count(answer.new_pages || 0)),
      card('Changed pages', count((answer.changed_pages || 0) + (answer.whole_pages || 0))), card('Removed pages', count(answer.removed_pages || 0))));
  main.append(h('h3', {}, 'Captured'), h('p', {class: 'note'},
    'Objects become persistent because something persistent refers to them. These are the references from what the commit changed to objects on its new pages, as they are now.'));
  main.append((answer.captured || []).length === 0 ? h('p', {}, 'No such reference.')
    : table('New objects and what captured them', [{title: 'New object', value: true}, {title: 'Captured by', value: true}, {title: 'Through'}],
      answer.captured.map((one) => [objectName(one.object), h('a', {href: objectLink(one.by)}, `${one.by} ${one.by_type}`), one.slot])));
  main.append(h('h3', {}, 'Objects in the changed places'),
    table('Objects in the changed places', [{title: 'Object', value: true}, {title: 'Since'}], (answer.changed || []).map((line) =>
      [objectName(line), line.page_version === answer.version ? '' : 'its page has been written again']), {hideCaption: true}));
  if ((answer.new_page_numbers || []).length) {
    main.append(h('p', {}, 'New pages: ', answer.new_page_numbers.map((number) => [h('a', {href: link('page', {page: number})}, String(number)), ' ']),
      answer.new_pages > answer.new_page_numbers.length ? `and ${count(answer.new_pages - answer.new_page_numbers.length)} more` : ''));
  }
}

export async function live(parameters, main, page) {
  const points = [];
  let last = null;
  const body = h('div', {});
  const chart = h('div', {id: 'rate'});
  main.append(h('h2', {}, 'Live'), body);
  async function show() {
    let answer;
    try {
      answer = await ask('live', {}, page.signal);
    } catch (problem) {
      if (problem.name !== 'AbortError') body.replaceChildren(failure(problem));
      return;
    }
    if (!answer.served) {
      body.replaceChildren(notServed());
      return;
    }
    const now = performance.now() / 1000;
    if (last) {
      const rate = Math.max(0, (answer.commits - last.commits) / (now - last.now));
      points.push({x: new Date(), y: rate, text: `${clock(Date.now() / 1000)}: ${rate.toFixed(1)} commits a second`});
      if (points.length > 120) points.shift();
    }
    last = {commits: answer.commits, now};
    const rate = points.length ? points[points.length - 1].y : 0;
    chart.replaceChildren();
    if (points.length > 1) line(chart, points, `Commits a second, now ${rate.toFixed(1)}`, {time: true, height: 150});
    const mine = answer.clients.filter((client) => client.process === answer.own_process).length;
    const others = answer.clients.filter((client) => client.process !== answer.own_process);
    const wait = (one) => [partyText(one), `page ${one.page} of ${one.database}, for ${one.write ? 'writing' : 'reading'}`, seconds(one.waited),
      h('ul', {}, one.holders.map((holder) => h('li', {}, `${partyText(holder)} has had it for ${holder.write ? 'writing' : 'reading'} for ${seconds(holder.held)}${holder.busy ? ', and is in a transaction' : ''}`)),
        one.before.map((party) => h('li', {}, `${partyText(party)} came before`)))];
    body.replaceChildren(
      h('dl', {class: 'cards'}, card('Commits a second', rate.toFixed(1)), card('Commits', count(answer.commits), `since ${seconds(answer.serving)}`),
        card('Syncs', count(answer.syncs), `at most ${plural(answer.largest_group, 'commit')} in one`),
        card('Clients', count(others.length), `and ${mine} of this page`), card('Waits', count(answer.waits.length))),
      chart,
      h('h3', {}, 'Clients'),
      others.length === 0 ? h('p', {class: 'note'}, 'No other program uses the store.')
        : table('Programs that use the store', [{title: 'Program'}, {title: 'Connected', number: true}, {title: 'Transaction'},
          {title: 'Pages for reading', number: true}, {title: 'For writing', number: true}],
        others.map((client) => [partyText(client), seconds(client.connected),
          !client.answers ? 'does not answer' : client.transaction === null ? 'none' : `for ${seconds(client.transaction)}`,
          count(client.pages_for_reading), count(client.pages_for_writing)])),
      h('h3', {}, 'Who waits for whom'),
      answer.waits.length === 0 ? h('p', {class: 'note'}, 'Nobody waits.')
        : table('Waits', [{title: 'Program'}, {title: 'Waits for'}, {title: 'Since', number: true}, {title: 'Because'}], answer.waits.map(wait)));
  }
  await show();
  page.every(1000, show);
}
