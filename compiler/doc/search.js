const input = document.getElementById('search');
const list = document.getElementById('found');
const up = document.body.dataset.up;
// Names that begin with what is typed come first, then those that contain it; case is ignored.
function rank(entry, wanted) {
  const name = entry[0].toLowerCase(), last = name.slice(name.lastIndexOf('.') + 1);
  if (name === wanted || last === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (last.startsWith(wanted)) return 2;
  return name.includes(wanted) ? 3 : -1;
}
// The comment must have all words; the place of the first one, or -1.
function placeIn(text, words) {
  const places = words.map(word => (' ' + text).search(new RegExp('[^a-z0-9]' + escaped(word))));
  return places.every(place => place >= 0) ? places[0] : -1;
}
function escaped(word) { return word.replace(/[^a-z0-9]/g, '\\$&'); }
function show(name, place, snippet) {
  const item = document.createElement('li'), link = document.createElement('a');
  link.href = up + place;
  link.textContent = name;
  if (snippet) {
    const text = document.createElement('small');
    text.textContent = ' ' + snippet;
    link.append(text);
  }
  item.append(link);
  list.append(item);
}
input.addEventListener('input', () => {
  const wanted = input.value.trim().toLowerCase();
  list.textContent = '';
  if (wanted === '') return;
  names.map(entry => [rank(entry, wanted), entry]).filter(found => found[0] >= 0)
    .sort((a, b) => a[0] - b[0]).slice(0, 15).forEach(([, [name, place]]) => show(name, place));
  if (wanted.length < 3) return;
  const words = wanted.split(/\s+/);
  comments.map(entry => [placeIn(entry[2].toLowerCase(), words), entry])
    .filter(found => found[0] >= 0).slice(0, 25).forEach(([at, [name, place, text]]) => {
      const begin = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)));
      show(name, place, (begin > 0 ? '... ' : '') + text.slice(begin, begin + 110).trim());
    });
});
input.addEventListener('keydown', event => {
  if (event.key === 'Enter' && list.firstChild) location = list.firstChild.firstChild.href;
  if (event.key === 'Escape') { input.value = ''; list.textContent = ''; }
});
