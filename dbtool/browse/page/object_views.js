// Objects and types.
import {Refused, ask, bytes, cell, count, failure, go, h, link, objectLink, objectName, pager, plural, problems, short,
  store, stored, table} from './base.js';
import {graph, colorOf} from './charts.js';

const tabs = [['fields', 'Fields'], ['entries', 'Entries'], ['back', 'Referred to by'], ['graph', 'Graph'], ['why', 'Why']];

export async function object(parameters, main, page) {
  const path = parameters.path || 'root';
  const answer = await ask('object', {path}, page.signal);
  const of = answer.object;
  main.append(h('h2', {}, stored(path)), problems(answer) || '');
  if (!of) {
    main.append(h('p', {}, cell(answer.cell, page.change)));
    return;
  }
  main.append(h('p', {}, h('a', {href: objectLink(of.ref)}, of.ref), ' ',
    h('a', {href: link('type', {type: of.type_index})}, of.type), ' ', stored(of.summary || '', {class: 'type'}),
    h('span', {class: 'note'}, ` · ${bytes(of.bytes)} on `, h('a', {href: link('page', {page: of.page})}, `page ${of.page}`),
      of.supertypes.length ? ` · a subtype of ${of.supertypes.join(', ')}` : '',
      of.reached === false ? ' · nothing keeps it: it is garbage' : ''),
    of.ref !== path && store.state.may_change && answer.cell.path
      ? [' ', h('button', {class: 'small', type: 'button', onclick: () => page.change(answer.cell)}, 'change this reference')] : null));
  if (of.characters !== undefined) {
    main.append(h('h3', {}, `Text, ${plural(of.length, 'character')}`), h('pre', {class: 'texts', tabindex: '0', dir: 'auto'}, of.characters));
    if (of.more_characters) {
      main.append(h('p', {class: 'note'}, `${plural(of.more_characters, 'character')} more: `,
        h('a', {href: `/api/text?${new URLSearchParams({db: store.database, ref: of.ref})}`}, 'the whole text')));
    }
  }
  const has = tabs.filter(([name]) => name !== 'entries' || of.container);
  const chosen = has.some(([name]) => name === parameters.tab) ? parameters.tab : of.container ? 'entries' : 'fields';
  main.append(h('div', {class: 'tabs', role: 'navigation', 'aria-label': 'Parts of the object'}, has.map(([name, title]) =>
    h('a', {href: objectLink(path, {tab: name}), 'aria-current': name === chosen ? 'page' : null},
      title, name === 'back' && of.back !== undefined ? ` (${count(of.back)})` : '',
      name === 'entries' && of.container.size !== undefined ? ` (${count(of.container.size)})` : ''))));
  const place = h('section', {'aria-label': has.find(([name]) => name === chosen)[1]});
  main.append(place);
  if (chosen === 'fields') fields(of, place, page);
  else await {entries, back, graph: around, why}[chosen](of, parameters, place, page);
}

function fields(of, place, page) {
  if (of.fields.length === 0) {
    place.append(h('p', {class: 'note'}, 'The type has no fields.'));
    return;
  }
  place.append(table('Fields', [{title: 'Field'}, {title: 'Value', value: true}, {title: 'Declared as'}],
    of.fields.map((field) => [field.name || '^', cell(field, page.change), h('span', {class: 'type mono'}, field.declared)]),
    {rowHeader: true, hideCaption: true}));
}

// Pages of a container come with where to go on; the way back is remembered here.
async function entries(of, parameters, place, page) {
  const limit = 50;
  const container = of.container;
  let search = parameters.search || '';
  const turns = [{}];
  const rows = h('div', {});
  const input = h('input', {name: 'search', type: 'search', value: search});
  const jump = h('input', {name: 'from', placeholder: container.keyed ? '"Ada", 12' : '0'});
  const from = !container.keyed || container.ordered;
  place.append(h('form', {class: 'bar', onsubmit: (event) => {
    event.preventDefault();
    search = input.value;
    turns.length = 0;
    if (!jump.value || !from) turns.push({});
    else turns.push(container.keyed ? {after: jump.value} : {offset: Math.max(0, Number(jump.value) || 0)});
    show();
  }}, h('label', {class: 'wide'}, container.keyed ? 'Key or value contains' : 'Contains', input),
  from ? h('label', {}, container.keyed ? 'Behind the key' : 'From place', jump) : null, h('button', {}, 'Search')), rows);
  async function show() {
    let answer;
    try {
      answer = await ask('entries', {ref: of.ref, limit, search, ...turns[turns.length - 1]}, page.signal);
    } catch (problem) {
      if (problem.name !== 'AbortError') rows.replaceChildren(failure(problem));
      return;
    }
    const columns = [{title: container.keyed ? 'Key' : 'Place', value: container.keyed}];
    if (container.has_values) columns.push({title: 'Value', value: true});
    rows.replaceChildren(problems(answer) || '', table('Entries', columns, answer.entries.map((entry) => [
      entry.key ? cell(entry.key) : count(entry.index), ...(container.has_values ? [cell(entry.value, page.change)] : [])]),
    {rowHeader: true, hideCaption: true}),
    h('div', {class: 'bar'},
      h('button', {type: 'button', disabled: turns.length < 2, onclick: () => { turns.pop(); show(); }}, 'Previous'),
      h('button', {type: 'button', disabled: !answer.next, onclick: () => { turns.push(answer.next); show(); }},
        answer.searching ? 'Search on' : 'Next'),
      h('span', {class: 'note', role: 'status'}, search
        ? `${plural(answer.entries.length, 'match', 'matches')} in ${plural(answer.looked_at, 'entry', 'entries')} that were looked at`
        : plural(answer.entries.length, 'entry', 'entries'))));
  }
  await show();
}

async function back(of, parameters, place, page) {
  const offset = Number(parameters.offset || 0);
  const answer = await ask('back', {ref: of.ref, offset}, page.signal);
  place.append(problems(answer) || '', table('Objects that refer to this one', [{title: 'Object', value: true}, {title: 'Through'}],
    answer.back.map((line) => [objectName(line), line.slot_count === 0 ? 'no longer, since the scan'
      : line.slots.join(', ') + (line.slot_count > line.slots.length ? ` and ${count(line.slot_count - line.slots.length)} more` : '')])),
  pager(offset, answer.back.length, answer.count, 50, (to) => go(objectLink(of.ref, {tab: 'back', offset: to}))),
  h('p', {class: 'note'}, 'By the last scan; references that have come since are not here.'));
}

async function around(of, parameters, place, page) {
  const most = Number(parameters.most || 40);
  const answer = await ask('graph', {ref: of.ref, most}, page.signal);
  const drawn = h('div', {id: 'graph'});
  place.append(problems(answer) || '', h('p', {class: 'note'}, 'A click leads to an object; the wheel and the pointer move the picture. Texts stand in the objects that refer to them.'), drawn);
  graph(drawn, answer.nodes.map((node) => ({...node, href: objectLink(node.ref, {tab: 'graph', most})})), answer.links,
    `${plural(answer.nodes.length, 'object')} around ${of.ref}; the list below has them`);
  const legend = [...new Set(answer.nodes.map((node) => node.type))].filter((type) => type);
  place.append(h('ul', {class: 'legend'}, legend.map((type) => {
    const swatch = h('span', {class: 'swatch'});
    swatch.style.background = colorOf(type);
    return h('li', {}, swatch, type);
  })), h('div', {class: 'bar'}, most < 200 ? h('a', {href: objectLink(of.ref, {tab: 'graph', most: Math.min(200, most * 2)})}, 'more objects') : null),
  h('details', {}, h('summary', {}, 'The same as a list'), table('References in the graph', [{title: 'From'}, {title: 'Through'}, {title: 'To'}],
    answer.links.map((one) => [h('a', {href: objectLink(one.source)}, one.source), one.slot, h('a', {href: objectLink(one.target)}, one.target)]))));
}

async function why(of, parameters, place, page) {
  const answer = await ask('why', {ref: of.ref}, page.signal);
  if (!answer.reached) {
    place.append(h('p', {}, 'Nothing keeps it: it is garbage, by the last scan.'));
    return;
  }
  place.append(h('p', {class: 'note'}, `The shortest path that keeps the object: ${plural(answer.length - 1, 'reference')}.`),
    h('ol', {class: 'path'}, answer.path.map((step) => step.left_out
      ? h('li', {}, `… ${plural(step.left_out, 'object')} more …`)
      : h('li', {}, h('span', {class: 'through'}, `${step.through || '(no longer, since the scan)'} → `), objectName(step)))));
}

export async function types(parameters, main, page) {
  const answer = await ask('types', {}, page.signal);
  const order = parameters.order || 'bytes';
  const search = (parameters.search || '').toLowerCase();
  const list = answer.types.filter((type) => type.name.toLowerCase().includes(search));
  list.sort((a, b) => order === 'name' ? a.name.localeCompare(b.name) : (b[order] || 0) - (a[order] || 0));
  main.append(h('h2', {}, 'Types'), h('form', {class: 'bar', onsubmit: (event) => {
    event.preventDefault();
    go(link('types', {search: event.target.elements.search.value, order: event.target.elements.order.value}));
  }}, h('label', {class: 'wide'}, 'Name contains', h('input', {name: 'search', type: 'search', value: parameters.search || ''})),
  h('label', {}, 'Order', h('select', {name: 'order'}, ['bytes', 'objects', 'name'].map((one) => h('option', {value: one, selected: one === order}, one)))),
  h('button', {}, 'Show')),
  table('Types of the store', [{title: 'Type'}, {title: 'Objects', number: true}, {title: 'Bytes', number: true}, {title: 'Fields', number: true}, {title: 'Supertype'}],
    list.slice(0, 500).map((type) => [h('a', {href: link('type', {type: type.index})}, type.name),
      type.objects === undefined ? '…' : count(type.objects), type.bytes === undefined ? '…' : bytes(type.bytes), count(type.fields), type.supertype])),
  h('p', {class: 'note'}, `${plural(list.length, 'type')}. A type without objects was used once, or only as a supertype.`));
}

function histogram(of) {
  if (!of || of.count === 0) return h('span', {class: 'note'}, 'no values');
  const all = [...of.bins, ...(of.beside || [])];
  const most = Math.max(1, ...all.map((bin) => bin.count));
  const rows = all.filter((bin) => bin.count > 0).map((bin) => {
    const label = bin.value === undefined ? (bin.from === bin.to ? short(bin.from) : `${short(bin.from)} to ${short(bin.to)}`) : bin.value;
    return h('tr', {}, h('td', {class: 'value'}, stored(label)),
      h('td', {}, h('meter', {min: 0, max: most, value: bin.count, 'aria-label': `${label}: ${bin.count}`})), h('td', {class: 'number'}, count(bin.count)));
  });
  if (of.others) rows.push(h('tr', {}, h('td', {}, `${plural(of.distinct - of.bins.length, 'other value')}`), h('td', {}), h('td', {class: 'number'}, count(of.others))));
  if (of.none) rows.push(h('tr', {}, h('td', {}, 'NIL'), h('td', {}, h('meter', {min: 0, max: Math.max(most, of.none), value: of.none, 'aria-label': `NIL: ${of.none}`})), h('td', {class: 'number'}, count(of.none))));
  const figures = of.kind === 'numbers' ? h('p', {class: 'note'}, `least ${short(of.least)}, median ${short(of.median)}, mean ${short(of.mean)}, most ${short(of.most)}`) : null;
  const lengths = of.lengths ? h('p', {class: 'note'}, `lengths: least ${short(of.lengths.least)}, median ${short(of.lengths.median)}, most ${short(of.lengths.most)}`) : null;
  return h('div', {class: 'histogram'}, h('table', {}, h('tbody', {}, rows)), figures, lengths);
}

export async function type(parameters, main, page) {
  const answer = await ask('type', {type: parameters.type}, page.signal);
  main.append(h('h2', {}, answer.name), problems(answer) || '');
  const named = (list) => list.map((one, i) => [i ? ', ' : '', one.index ? h('a', {href: link('type', {type: one.index})}, one.name) : one.name]);
  main.append(h('p', {class: 'note'}, plural(answer.objects, 'object'), answer.bytes_each ? ` of ${bytes(answer.bytes_each)} each` : '',
    answer.brand ? ` · branded "${answer.brand}"` : '',
    answer.supertypes.length ? [' · a subtype of ', named(answer.supertypes)] : '',
    answer.subtypes.length ? [' · subtypes: ', named(answer.subtypes)] : ''));
  const all = answer.looked_at >= answer.objects;
  main.append(h('h3', {}, 'Fields'), h('p', {class: 'note'}, all ? 'The values of all objects.'
    : `The values of ${count(answer.looked_at)} of the ${count(answer.objects)} objects, at random. `,
  all ? '' : h('a', {href: link('query', {q: `all \`${answer.name}\` count`})}, 'A query counts all.')));
  main.append(table('Fields, and how their values are spread', [{title: 'Field'}, {title: 'Type'}, {title: 'Values', value: true}],
    answer.fields.map((field) => [field.name || '^', h('span', {class: 'type mono'}, field.type), histogram(field.histogram)]),
    {rowHeader: true, hideCaption: true}));
  const offset = Number(parameters.offset || 0), limit = 50;
  const list = h('div', {});
  main.append(h('h3', {}, 'Objects'), list);
  try {
    const objects = await ask('objects', {type: parameters.type, offset, limit}, page.signal);
    list.append(table(`Objects of type ${answer.name}`, [{title: 'Object', value: true}, {title: 'Referred to by', number: true}],
      objects.objects.map((line) => [objectName(line), h('a', {href: objectLink(line.ref, {tab: 'back'})}, count(line.back))]), {hideCaption: true}),
    pager(offset, objects.objects.length, objects.count, limit, (to) => go(link('type', {type: parameters.type, offset: to}))));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    list.append(failure(problem));
  }
}
