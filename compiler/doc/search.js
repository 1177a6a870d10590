const input = document.getElementById('search');
const list = document.getElementById('found');
// Names that begin with what is typed come first, then those that contain it; case is ignored.
function rank(entry, wanted) {
  const name = entry[0].toLowerCase(), last = name.slice(name.lastIndexOf('.') + 1);
  if (name === wanted || last === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (last.startsWith(wanted)) return 2;
  return name.includes(wanted) ? 3 : -1;
}
input.addEventListener('input', () => {
  const wanted = input.value.trim().toLowerCase();
  list.textContent = '';
  if (wanted === '') return;
  names.map(entry => [rank(entry, wanted), entry]).filter(found => found[0] >= 0)
    .sort((a, b) => a[0] - b[0]).slice(0, 20).forEach(([, [name, place]]) => {
      const item = document.createElement('li'), link = document.createElement('a');
      link.href = place;
      link.textContent = name;
      item.append(link);
      list.append(item);
    });
});
input.addEventListener('keydown', event => {
  if (event.key === 'Enter' && list.firstChild) location = list.firstChild.firstChild.href;
  if (event.key === 'Escape') { input.value = ''; list.textContent = ''; }
});
