// The page of the operators: shows an entry, computes its examples as they are typed, judges puzzles.
const MOST_ELEMENTS = 256;
const byId = id => document.getElementById(id);

// The names of the results of a block: `y = conv2d(...)`, `[a, b] = split(...)`.
function resultsOf(text) {
  const statements = text.replace(/#.*$/gm, '').split(';');
  return statements.flatMap(s => {
    const made = s.match(/^\s*(?:\[([^\]]*)\]|([A-Za-z_]\w*))\s*=\s*[A-Za-z]\w*\s*\(/);
    return made ? (made[1] ?? made[2]).split(',').map(n => n.trim()).filter(Boolean) : [];
  });
}

// ---- Examples

function openExample(box) {
  const area = box.querySelector('textarea'), verdict = box.querySelector('.verdict'), results = box.querySelector('.results');
  const trace = box.querySelector('.trace'), reset = box.querySelector('.reset'), original = area.value;
  const figure = pictureOf(box);
  const page = () => ({'page.md': '```webnn\n' + area.value.replace(/^```/gm, '') + '\n```\n'});
  let wanted = null;

  const showTrace = latest(async () => {
    const {name, index} = wanted;
    const {out, err} = await run(['webnn', 'trace', 'page.md', '--output', name, '--index', index.join(',')], page());
    trace.textContent = out || err;
    trace.hidden = false;
  });

  async function draw(names) {
    if (!figure) return;
    for (const name of names.slice().reverse()) {
      const {files} = await run(['pictures', 'operators.md', 'examples.json', '.', figure.dataset.picture, 'page.md', name], {...page(), ...TEXTS});
      const svg = files[figure.dataset.picture + '.svg'];
      if (!svg || !svg.length) continue;
      const image = figure.querySelector('img');
      if (image.src.startsWith('blob:')) URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
      image.alt = `${figure.dataset.picture}, drawn from the example as it is written`;
      return;
    }
  }

  const compute = latest(async () => {
    const checked = await run(['webnn', 'examples', 'page.md'], page());
    const names = resultsOf(area.value), tables = [];
    const lines = checked.err.trim().replace(/^page\.md:(\d+):(\d+)/gm, (all, line, column) => `line ${line - 1}, column ${column}`);
    for (const name of names) {
      const {status, out} = await run(['webnn', 'trace', 'page.md', '--output', name, '--all'], page());
      if (status !== 0) continue;
      const elements = JSON.parse(out).elements.filter(e => e.operand === name);
      tables.push(grid(name, elements.slice(0, MOST_ELEMENTS), e => { wanted = {name, index: e.index}; showTrace(); }));
      if (elements.length > MOST_ELEMENTS) tables.push(Object.assign(document.createElement('p'), {textContent: `and ${elements.length - MOST_ELEMENTS} more`}));
    }
    verdict.textContent = checked.status === 0 ? 'right, bit by bit' : lines;
    verdict.className = 'verdict ' + (checked.status === 0 ? 'right' : 'wrong');
    box.classList.toggle('stale', tables.length === 0);
    if (tables.length) results.replaceChildren(...tables);
    if (area.value !== original || box.dataset.drawn) {
      box.dataset.drawn = 'yes';
      await draw(names);
    }
    box.dataset.computed = area.value === original ? 'as in the page' : 'changed';
  });

  area.addEventListener('input', () => {
    trace.hidden = true;
    area.rows = area.value.split('\n').length;
    reset.disabled = area.value === original;
    delete box.dataset.computed;
    compute();
  });
  reset.addEventListener('click', () => {
    area.value = original;
    area.dispatchEvent(new Event('input'));
    area.focus();
  });
  compute();
}

// The figure before the example, in its entry: the nearest one.
function pictureOf(box) {
  let figure = null;
  for (const f of box.closest('.entry').querySelectorAll('figure'))
    if (f.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING) figure = f;
  return figure ?? box.closest('.entry').querySelector('figure');
}

// ---- Puzzles

function openPuzzle(form) {
  const input = form.querySelector('input'), verdict = form.querySelector('.verdict');
  const {operator, number, line} = form.dataset;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const {status, out, err} = await run(['webnn', 'exercise', operator, '--example', number, '--docs', 'operators.md', '--line', input.value], {'operators.md': TEXTS['operators.md']});
    verdict.textContent = out + err;
    verdict.className = 'verdict ' + (status === 0 ? 'right' : 'wrong');
    verdict.hidden = false;
  });
  form.querySelector('.solution').addEventListener('click', () => { input.value = line; input.focus(); });
}

// ---- Entries

const opened = new WeakSet();
function show() {
  const id = decodeURIComponent(location.hash.slice(1)), target = byId(id)?.closest('.entry') ?? byId('start');
  for (const section of document.querySelectorAll('.entry')) section.hidden = section !== target;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === '#' + target.id) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = target.querySelector('h2').textContent + ' - WebNN\'s operators, live';
  if (opened.has(target)) return target;
  opened.add(target);
  target.querySelectorAll('.example').forEach(openExample);
  target.querySelectorAll('.puzzle').forEach(openPuzzle);
  return target;
}

const wide = matchMedia('(min-width: 50em)'), list = byId('entries');
const settle = () => { list.open = wide.matches; };
wide.addEventListener('change', settle);
settle();
addEventListener('hashchange', () => {
  const target = show();
  if (!wide.matches) list.open = false;
  scrollTo(0, 0);
  target.querySelector('h2').focus({preventScroll: true});
});
byId('filter').addEventListener('input', event => {
  const word = event.target.value.toLowerCase();
  for (const item of document.querySelectorAll('nav li')) item.hidden = !item.textContent.toLowerCase().includes(word);
});
show();
