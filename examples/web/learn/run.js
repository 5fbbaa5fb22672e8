// run(arguments, files): a promise of what runProgram (system.js) returns, computed by a worker. The worker is made of
// that function's text, so that the page works from a disk, too, where browsers load no worker from a file.
const {run} = (() => {
  const source = `${runProgram}
    let program;
    onmessage = ({data}) => {
      if (data.program) program = data.program;
      else postMessage({id: data.id, ...runProgram(program, data.args, data.files)});
    };`;
  const bytes = Uint8Array.from(atob(self.PROGRAM), c => c.charCodeAt(0)), waiting = new Map();
  delete self.PROGRAM;
  let next = 0;
  const worker = WebAssembly.compile(bytes).then(program => {
    const w = new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
    w.onmessage = ({data}) => { waiting.get(data.id)(data); waiting.delete(data.id); };
    w.postMessage({program});
    return w;
  });
  return {run: (args, files) => worker.then(w => new Promise(resolve => { waiting.set(next, resolve); w.postMessage({id: next++, args, files}); }))};
})();

// `step` as often as it is asked for, but one at a time, and the last time always: what was typed while it ran counts.
function latest(step) {
  let running = false, again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) { again = false; await step(); }
    } finally {
      running = false;
    }
  };
}

// The elements of a result as a table that the arrow keys move in. `elements`: {operand, index, stored}; what is shown of
// an element that is touched is `show`'s matter.
function grid(name, elements, show) {
  const shape = elements.reduce((s, e) => e.index.map((c, i) => Math.max(c + 1, s[i] ?? 0)), []);
  const columns = shape[shape.length - 1] ?? 1, table = document.createElement('table');
  table.className = 'grid';
  table.setAttribute('role', 'grid');
  table.setAttribute('aria-label', `${name}, ${shape.length ? shape.join(' by ') : 'one number'}`);
  table.append(Object.assign(document.createElement('caption'), {textContent: `${name} [${shape.join(', ')}]`}));
  let row;
  for (const [i, e] of elements.entries()) {
    if (i % columns === 0) {
      row = table.insertRow();
      if (i && shape.length > 2 && i % (columns * shape[shape.length - 2]) === 0) row.className = 'next';
    }
    const cell = row.insertCell(), button = document.createElement('button');
    button.type = 'button';
    button.textContent = e.stored;
    button.tabIndex = i ? -1 : 0;
    button.setAttribute('aria-label', `${name}[${e.index.join(',')}] is ${e.stored}`);
    const touch = () => {
      for (const other of table.querySelectorAll('.touched')) other.classList.remove('touched');
      button.classList.add('touched');
      show(e);
    };
    button.addEventListener('focus', touch);
    button.addEventListener('pointerenter', touch);
    button.addEventListener('click', touch);
    cell.setAttribute('role', 'gridcell');
    cell.append(button);
  }
  table.addEventListener('keydown', event => {
    const buttons = [...table.querySelectorAll('button')], at = buttons.indexOf(document.activeElement);
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -at, End: buttons.length - 1 - at}[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    const to = buttons[at + step];
    if (!to) return;
    buttons[at].tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
  return table;
}
