// Charts with D3, as SVG that follows the page's colours. Each has a label for screen readers; the
// figures themselves stand in a table beside it.
/* global d3 */

const palette = ['#7fb3d9', '#f6b26b', '#93c99a', '#e89a9a', '#b7a3d6', '#c9b18f', '#eeb0d0', '#b5bcc6', '#cfd27a', '#80cfd0'];
const colors = new Map();

// The colour of a type: the same in all views of this page.
export function colorOf(name) {
  if (!colors.has(name)) colors.set(name, palette[colors.size % palette.length]);
  return colors.get(name);
}

function svgIn(place, width, height, label, kind) {
  return d3.select(place).append('svg').attr('class', kind).attr('viewBox', `0 0 ${width} ${height}`)
    .attr('width', width).attr('height', height).attr('role', 'group').attr('aria-label', label);
}

// items: {name, value, text, href}.
export function treemap(place, items, label) {
  const width = Math.max(place.clientWidth, 280), height = Math.min(420, Math.max(220, width * 0.4));
  const root = d3.hierarchy({children: items}).sum((item) => item.value || 0);
  d3.treemap().size([width, height]).padding(2).round(true)(root);
  const leaves = svgIn(place, width, height, label, 'treemap').selectAll('a').data(root.leaves()).enter()
    .append('a').attr('href', (leaf) => leaf.data.href).attr('aria-label', (leaf) => `${leaf.data.name}: ${leaf.data.text}`)
    .attr('transform', (leaf) => `translate(${leaf.x0},${leaf.y0})`);
  leaves.append('title').text((leaf) => `${leaf.data.name}\n${leaf.data.text}`);
  leaves.append('rect').attr('width', (leaf) => leaf.x1 - leaf.x0).attr('height', (leaf) => leaf.y1 - leaf.y0)
    .attr('rx', 3).attr('fill', (leaf) => colorOf(leaf.data.name));
  const fit = (text, room) => {
    const most = Math.floor((room - 10) / 7);
    return text.length <= most ? text : most < 3 ? '' : `${text.slice(0, most - 1)}…`;
  };
  const rooms = leaves.filter((leaf) => leaf.y1 - leaf.y0 > 18);
  rooms.append('text').attr('x', 5).attr('y', 15).text((leaf) => fit(leaf.data.name, leaf.x1 - leaf.x0));
  rooms.filter((leaf) => leaf.y1 - leaf.y0 > 36).append('text').attr('x', 5).attr('y', 31)
    .text((leaf) => fit(leaf.data.text, leaf.x1 - leaf.x0));
}

// bins: {label, value, text}.
export function bars(place, bins, label, height = 160) {
  const width = Math.max(place.clientWidth, 260), margin = {left: 52, right: 8, top: 8, bottom: 24};
  const svg = svgIn(place, width, height, label, 'bars');
  const x = d3.scaleBand().domain(d3.range(bins.length)).range([margin.left, width - margin.right]).padding(0.15);
  const y = d3.scaleLinear().domain([0, d3.max(bins, (bin) => bin.value) || 1]).nice().range([height - margin.bottom, margin.top]);
  svg.selectAll('rect').data(bins).enter().append('rect')
    .attr('x', (bin, i) => x(i)).attr('width', Math.max(1, x.bandwidth()))
    .attr('y', (bin) => y(bin.value)).attr('height', (bin) => y(0) - y(bin.value))
    .append('title').text((bin) => bin.text);
  const every = Math.ceil(bins.length / Math.max(2, Math.floor(width / 90)));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - margin.bottom})`)
    .call(d3.axisBottom(x).tickValues(d3.range(0, bins.length, every)).tickFormat((i) => bins[i].label).tickSizeOuter(0));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${margin.left},0)`).call(d3.axisLeft(y).ticks(4, '~s'));
}

// points: {x, y, text}; x is a Date where `time` says so.
export function line(place, points, label, {time = false, height = 180, step = false} = {}) {
  const width = Math.max(place.clientWidth, 260), margin = {left: 56, right: 12, top: 10, bottom: 24};
  const svg = svgIn(place, width, height, label, 'line');
  const x = (time ? d3.scaleTime() : d3.scaleLinear()).domain(d3.extent(points, (point) => point.x))
    .range([margin.left, width - margin.right]);
  const [least, most] = d3.extent(points, (point) => point.y);
  const y = d3.scaleLinear().domain([least === most ? Math.min(0, least) : least, most === least ? most + 1 : most]).nice()
    .range([height - margin.bottom, margin.top]);
  svg.append('path').attr('class', 'line').attr('d', d3.line().x((point) => x(point.x)).y((point) => y(point.y))
    .curve(step ? d3.curveStepAfter : d3.curveLinear)(points));
  if (points.length <= 60) {
    svg.selectAll('circle').data(points).enter().append('circle').attr('r', 2.5)
      .attr('cx', (point) => x(point.x)).attr('cy', (point) => y(point.y)).append('title').text((point) => point.text);
  }
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - margin.bottom})`)
    .call(d3.axisBottom(x).ticks(Math.max(2, width / 110)).tickSizeOuter(0));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${margin.left},0)`).call(d3.axisLeft(y).ticks(4, '~s'));
}

// nodes: {ref, type, summary, depth, href, more, unread, more_back}; links: {source, target, slot}.
export function graph(place, nodes, links, label) {
  const width = Math.max(place.clientWidth, 280), height = Math.min(620, Math.max(360, width * 0.6));
  const svg = svgIn(place, width, height, label, 'graph');
  svg.append('defs').append('marker').attr('id', 'arrow').attr('viewBox', '0 0 10 10').attr('refX', 18).attr('refY', 5)
    .attr('markerWidth', 6).attr('markerHeight', 6).attr('orient', 'auto').append('path').attr('d', 'M0 0L10 5L0 10z')
    .attr('fill', 'currentColor').attr('fill-opacity', 0.6);
  const all = svg.append('g');
  svg.call(d3.zoom().scaleExtent([0.2, 5]).on('zoom', () => all.attr('transform', d3.event.transform)))
    .on('dblclick.zoom', null);
  const shown = nodes.map((node) => ({...node}));
  shown[0].fx = width / 2;
  shown[0].fy = height / 2;
  const joined = links.map((link) => ({...link}));
  const simulation = d3.forceSimulation(shown)
    .force('link', d3.forceLink(joined).id((node) => node.ref).distance(95))
    .force('charge', d3.forceManyBody().strength(-520))
    .force('x', d3.forceX(width / 2).strength(0.03)).force('y', d3.forceY(height / 2).strength(0.06))
    .force('room', d3.forceCollide(34)).stop();
  // Laid out at once, so that nothing moves under the pointer.
  for (let i = 0; i < 250; ++i) simulation.tick();
  // Everything fits at first.
  const wide = d3.extent(shown, (node) => node.x), high = d3.extent(shown, (node) => node.y);
  const scale = Math.min(1.5, width / (wide[1] - wide[0] + 170), height / (high[1] - high[0] + 70));
  const fitted = d3.zoomIdentity.translate(width / 2 - scale * (wide[0] + wide[1]) / 2, height / 2 - scale * (high[0] + high[1]) / 2).scale(scale);
  all.attr('transform', fitted);
  svg.property('__zoom', fitted);
  all.append('g').selectAll('line').data(joined).enter().append('line').attr('marker-end', 'url(#arrow)')
    .attr('x1', (link) => link.source.x).attr('y1', (link) => link.source.y)
    .attr('x2', (link) => link.target.x).attr('y2', (link) => link.target.y);
  if (joined.length <= 45) {
    all.append('g').selectAll('text').data(joined).enter().append('text').attr('class', 'slot').attr('text-anchor', 'middle')
      .attr('x', (link) => (link.source.x + link.target.x) / 2).attr('y', (link) => (link.source.y + link.target.y) / 2 - 2)
      .text((link) => link.slot);
  }
  const places = all.append('g').selectAll('a').data(shown).enter().append('a').attr('href', (node) => node.href)
    .attr('class', (node, i) => i === 0 ? 'center' : null)
    .attr('aria-label', (node) => `${node.ref} ${node.type || node.problem} ${node.summary || ''}`)
    .attr('transform', (node) => `translate(${node.x},${node.y})`);
  places.append('title').text((node) => `${node.ref} ${node.type || node.problem}\n${node.summary || ''}`
    + (node.unread ? `\nat least ${node.more} references more` : node.more ? `\n${node.more} references more` : '') + (node.more_back ? `\nreferred to by ${node.more_back} more` : ''));
  places.append('circle').attr('r', (node, i) => i === 0 ? 11 : 8).attr('fill', (node) => colorOf(node.type || 'damaged'));
  places.append('text').attr('y', 21).attr('text-anchor', 'middle')
    .text((node) => (node.summary && node.summary.length < 24 ? node.summary : (node.type || '').replace(/^.*\.(?=.)/, '')) || node.ref);
}
