// Queries in the language of `tenure db query`.
import {Refused, ask, cell, count, go, h, link, plural, problems, remember, remembered, store, table} from './base.js';

export async function query(parameters, main, page) {
  const text = h('textarea', {rows: 3, spellcheck: 'false', id: 'query', 'aria-describedby': 'query-help', autocomplete: 'off'});
  text.value = parameters.q || remembered('tenure-query') || '';
  const run = () => go(link('query', {q: text.value}));
  const words = h('div', {class: 'bar', id: 'completions', 'aria-live': 'polite'});
  const result = h('div', {id: 'rows'});
  main.append(h('h2', {}, 'Query'), h('form', {onsubmit: (event) => {
    event.preventDefault();
    run();
  }}, h('label', {for: 'query', class: 'hidden'}, 'Query'), text,
  h('p', {class: 'note', id: 'query-help'}, 'from root.people where age > 30 select name, age sort by age desc limit 10 · Main.Person count · ',
    h('kbd', {}, 'Ctrl'), ' ', h('kbd', {}, 'Enter'), ' runs it, ', h('kbd', {}, 'Ctrl'), ' ', h('kbd', {}, 'Space'), ' completes'),
  h('button', {class: 'main', id: 'run'}, 'Run')), words, result);
  text.style.width = '100%';
  async function complete() {
    const before = text.value.slice(0, text.selectionStart);
    const answer = await ask('complete', {text: before}, page.signal);
    const begun = (/[\p{L}\p{N}_]*$/u).exec(before)[0];
    const take = (word) => {
      const begin = text.selectionStart - begun.length;
      text.setRangeText(word, begin, text.selectionStart, 'end');
      words.replaceChildren();
      text.focus();
    };
    if (answer.completions.length === 1) {
      take(answer.completions[0]);
      return;
    }
    words.replaceChildren(...answer.completions.slice(0, 40).map((word) => h('button', {type: 'button', class: 'small', onclick: () => take(word)}, word)));
  }
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      complete().catch(() => {});
    }
  });
  if (!parameters.q) {
    text.focus();
    return;
  }
  remember('tenure-query', parameters.q);
  const most = Number(parameters.most || 200);
  result.append(h('p', {class: 'note', role: 'status'}, 'The query is running …'));
  const began = performance.now();
  try {
    const answer = await ask('query', {q: parameters.q, most}, page.signal);
    const took = performance.now() - began;
    result.replaceChildren(problems(answer) || '', table('Rows', answer.columns.map((title) => ({title, value: true})),
      answer.rows.map((row) => row.map((value) => cell(value))), {hideCaption: true}),
    h('p', {class: 'note', role: 'status', id: 'rows-said'}, answer.more ? `the first ${plural(answer.rows.length, 'row')}; ` : `${plural(answer.rows.length, 'row')}; `,
      `${answer.plan}; ${plural(answer.pages_read, 'page')} read; ${Math.round(took)} ms `,
      answer.more && most < 5000 ? h('a', {href: link('query', {q: parameters.q, most: Math.min(5000, most * 5)})}, 'more rows') : ''));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    result.replaceChildren(h('pre', {class: 'wrong', role: 'alert'}, problem.message));
  }
}
