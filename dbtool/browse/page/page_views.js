// The map of pages, one page, and what a traversal touches.
import {Refused, ask, bytes, count, failure, go, h, link, objectName, plural, problems, short, table} from './base.js';
import {colorOf} from './charts.js';

export async function pages(parameters, main, page) {
  const answer = await ask('pages', {most: 4000}, page.signal);
  const path = parameters.path || '', order = parameters.order || 'breadth', most = parameters.most || '2000';
  main.append(h('h2', {}, 'Map of pages'), problems(answer) || '');
  main.append(h('p', {class: 'note'}, `${plural(answer.count, 'page')} of 8 KB; `,
    answer.pages_of_cell === 1 ? 'each cell is a page. ' : `each cell is ${count(answer.pages_of_cell)} pages. `,
    'The colour is the type of most bytes, its strength the fullness.'));
  const canvas = h('canvas', {class: 'map', tabindex: '0', role: 'img', id: 'map',
    'aria-label': `Map of ${answer.count} pages: arrow keys move, Enter opens the page`});
  const said = h('p', {class: 'note', role: 'status', id: 'cell'}, 'Point at a cell, or move with the arrow keys.');
  main.append(canvas, said);
  const names = new Map(answer.legend.map((type) => [type.index, type.name]));
  main.append(h('ul', {class: 'legend'}, answer.legend.slice(0, 14).map((type) => {
    const swatch = h('span', {class: 'swatch'});
    swatch.style.background = colorOf(type.name);
    return h('li', {}, swatch, h('a', {href: link('type', {type: type.index})}, type.name), ` ${plural(type.pages, 'page')}`);
  }), answer.legend.length > 14 ? h('li', {}, `and ${plural(answer.legend.length - 14, 'type')} more`) : null));

  main.append(h('h3', {}, 'What a traversal touches'), h('form', {class: 'bar', id: 'traverse', onsubmit: (event) => {
    event.preventDefault();
    const given = event.target.elements;
    go(link('pages', {path: given.path.value, order: given.order.value, most: given.most.value}));
  }}, h('label', {class: 'wide'}, 'From', h('input', {name: 'path', value: path || 'root'})),
  h('label', {}, 'Order', h('select', {name: 'order'}, [['breadth', 'breadth first'], ['depth', 'depth first']].map(([value, text]) =>
    h('option', {value, selected: value === order}, text)))),
  h('label', {}, 'Objects at most', h('input', {name: 'most', type: 'number', min: '1', max: '20000', value: most})),
  h('button', {}, 'Traverse')));
  const touched = new Set();
  if (path) {
    const result = h('div', {});
    main.append(result);
    try {
      const walk = await ask('traversal', {path, order, most}, page.signal);
      for (const number of walk.pages) touched.add(Math.floor((number - 1) / answer.pages_of_cell));
      const spread = walk.least_pages === 0 ? 1 : walk.touched / walk.least_pages;
      result.append(problems(walk) || '', h('p', {role: 'status', id: 'walk'},
        `${plural(walk.objects, 'object')}${walk.complete ? ', all that can be reached,' : ''} of ${bytes(walk.bytes)} on ${plural(walk.touched, 'page')}; `
        + `side by side they would take ${plural(walk.least_pages, 'page')}: ${short(spread)} times as many are touched. `
        + `From one object to the next the page changes ${plural(walk.page_changes, 'time')}.`));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      result.append(failure(problem));
    }
  }

  const cells = answer.types.length;
  let columns = 1, size = 8, current = -1;
  function draw() {
    const width = canvas.clientWidth || 600, ratio = window.devicePixelRatio || 1;
    size = Math.max(6, Math.min(22, Math.floor(Math.sqrt(width * 360 / Math.max(1, cells)))));
    columns = Math.max(1, Math.floor(width / size));
    const rows = Math.ceil(cells / columns);
    canvas.width = width * ratio;
    canvas.height = Math.max(1, rows * size * ratio);
    canvas.style.height = `${Math.max(1, rows * size)}px`;
    const drawing = canvas.getContext('2d');
    drawing.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    for (let i = 0; i < cells; ++i) {
      const x = (i % columns) * size, y = Math.floor(i / columns) * size;
      const state = answer.states[i];
      if (state === 1) {
        drawing.globalAlpha = 1;
        drawing.fillStyle = style.getPropertyValue('--wrong');
      } else {
        drawing.globalAlpha = state === 2 ? 0.06 : 0.25 + 0.75 * answer.fullness[i] / 100;
        drawing.fillStyle = state === 2 ? '#888' : colorOf(names.get(answer.types[i]) || '');
      }
      drawing.fillRect(x + 0.5, y + 0.5, size - 1, size - 1);
      drawing.globalAlpha = 1;
      if (touched.has(i) || i === current) {
        drawing.strokeStyle = style.getPropertyValue(i === current ? '--text' : '--mark');
        drawing.lineWidth = 2;
        drawing.strokeRect(x + 1, y + 1, size - 2, size - 2);
      }
    }
  }
  const firstPage = (i) => i * answer.pages_of_cell + 1;
  function say(i) {
    if (i < 0 || i >= cells) return;
    const last = Math.min(answer.count, firstPage(i) + answer.pages_of_cell - 1);
    const what = answer.states[i] === 1 ? 'damaged' : answer.states[i] === 2 ? 'no page' : `${names.get(answer.types[i]) || 'no objects'}, ${answer.fullness[i]} % full`;
    said.textContent = `${firstPage(i) === last ? `Page ${last}` : `Pages ${count(firstPage(i))} to ${count(last)}`}: ${what}${touched.has(i) ? ', touched by the traversal' : ''}`;
  }
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / size), row = Math.floor((event.clientY - box.top) / size);
    return column < columns ? row * columns + column : -1;
  };
  const open = (i) => { if (i >= 0 && i < cells) go(link('page', {page: firstPage(i)})); };
  canvas.addEventListener('mousemove', (event) => say(at(event)));
  canvas.addEventListener('click', (event) => open(at(event)));
  canvas.addEventListener('keydown', (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[event.key];
    if (event.key === 'Enter') open(current);
    if (step === undefined) return;
    event.preventDefault();
    current = Math.max(0, Math.min(cells - 1, current < 0 ? 0 : current + step));
    say(current);
    draw();
  });
  draw();
  const watch = new ResizeObserver(() => draw());
  watch.observe(main);
  page.signal.addEventListener('abort', () => watch.disconnect());
}

export async function onePage(parameters, main, page) {
  const number = Number(parameters.page);
  main.append(h('h2', {}, `Page ${number}`), h('div', {class: 'bar'},
    h('a', {href: link('page', {page: Math.max(1, number - 1)})}, 'page before'), h('a', {href: link('page', {page: number + 1})}, 'page behind'),
    h('a', {href: link('pages')}, 'map')));
  const answer = await ask('page', {page: number}, page.signal);
  main.append(problems(answer) || '');
  if (answer.damaged) main.append(h('p', {class: 'warning', role: 'alert'}, `Damaged: ${answer.damaged}`));
  if (!answer.objects) return;
  main.append(h('p', {class: 'note'}, answer.parts ? `Part ${answer.part + 1} of ${answer.parts} of a large object. ` : `${plural(answer.objects.length, 'object')}, ${bytes(answer.free_bytes)} free. `,
    `Written last by the commit of version ${count(answer.version)}.`),
  table('Objects of the page', [{title: 'Offset', number: true}, {title: 'Object', value: true}, {title: 'Bytes', number: true}],
    answer.objects.map((line) => [line.offset === undefined ? '' : count(line.offset), objectName(line), line.bytes === undefined ? '' : count(line.bytes)]), {hideCaption: true}));
}
