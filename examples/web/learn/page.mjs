// The entries of a page in Markdown, and these as HTML: the part of Markdown that docs/operators.md uses.

const escape = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// What GitHub makes of a heading.
export const anchor = title => title.toLowerCase().replace(/[^a-z0-9 _-]/g, '').replace(/ /g, '-');

// Sections of the third level, and of the second where there is text; {title, id, operators, lines}.
export function entries(markdown) {
  const list = [];
  let inside = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inside = !inside;
    const heading = !inside && line.match(/^##+ (.*)/);
    if (heading) {
      const operators = heading[1].match(/^(.*) \(8\.9\.(\d+)/);
      list.push({title: heading[1], id: anchor(heading[1]), level: line.indexOf(' '), lines: [],
        operators: operators && Number(operators[2]) > 4 && line.startsWith('### ') ? operators[1].split(', ') : []});
    } else if (list.length) {
      list[list.length - 1].lines.push(line);
    }
  }
  return list;
}

// The fenced blocks of an entry: {language, text}, in order.
export function blocks(lines) {
  return pieces(lines).filter(p => p.language !== undefined);
}

// An entry's lines as fenced blocks and what is between them.
function pieces(lines) {
  const all = [{lines: []}];
  for (const line of lines) {
    const last = all[all.length - 1];
    if (last.language !== undefined && !last.closed) {
      if (line === '```') last.closed = true;
      else last.lines.push(line);
    } else if (line.startsWith('```')) {
      all.push({language: line.slice(3), lines: []});
    } else if (last.language !== undefined) {
      all.push({lines: [line]});
    } else {
      last.lines.push(line);
    }
  }
  return all.map(p => p.language === undefined ? p : {...p, text: p.lines.join('\n')});
}

const inline = text => text.split(/(`[^`]+`)/).map(part => part.startsWith('`') && part.length > 2 ? `<code>${escape(part.slice(1, -1))}</code>` : escape(part)
  .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')).join('')
  .replace(/\[((?:[^\]<]|<[^>]*>)+)\]\(([^)]+)\)/g, (all, label, target) => target.startsWith('#') || /^https:/.test(target) ? `<a href="${target}">${label}</a>` : label);

function list(lines) {
  let html = '<ul>', deep = false;
  for (const item of lines.join('\n').split(/\n(?= *- )/)) {
    const inner = item.startsWith('  ');
    if (inner !== deep) html += inner ? '<ul>' : '</ul>';
    deep = inner;
    html += `<li>${inline(item.replace(/^ *- /, '').replace(/\n\s*/g, ' '))}`;
  }
  return html + (deep ? '</ul></ul>' : '</ul>');
}

const table = lines => '<div class="wide"><table>' + lines.filter((l, i) => i !== 1).map((line, i) => '<tr>' + line.replace(/^\| ?| ?\|$/g, '').split(' | ')
  .map(cell => i ? `<td>${inline(cell)}</td>` : `<th scope="col">${inline(cell)}</th>`).join('') + '</tr>').join('') + '</table></div>';

function prose(lines, picture) {
  return lines.join('\n').split(/\n\s*\n/).filter(p => p.trim()).map(p => {
    const text = p.replace(/^\n+|\n+$/g, '').split('\n');
    const image = text[0].match(/^!\[([^\]]*)\]\(([^)]+)\)$/);
    if (image) return picture(image[1], image[2]);
    const start = text.findIndex(l => /^ *- /.test(l));
    if (text[0].startsWith('|')) return table(text);
    if (start === 0) return list(text);
    if (start > 0) return `<p>${inline(text.slice(0, start).join(' '))}</p>` + list(text.slice(start));
    return `<p>${inline(text.join(' '))}</p>`;
  }).join('\n');
}

const example = (text, label) => `<div class="example"><label>${label}
<textarea class="code" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" rows="${text.split('\n').length}">
${escape(text)}</textarea></label>
<div class="bar"><button type="button" class="reset" disabled>Reset</button><span class="verdict" role="status"></span></div>
<div class="results"></div><pre class="trace" tabindex="0" role="status" aria-label="How the element comes about" hidden></pre></div>`;

const puzzle = p => `<form class="puzzle" data-operator="${p.operator}" data-number="${p.number}" data-line="${escape(p.line)}"><h3>Puzzle: ${p.operator}</h3>
<p>${escape(p.question)}</p><pre>${escape(p.before)}</pre>
<label class="gap">Your line<input class="code" spellcheck="false" autocapitalize="off" autocomplete="off"></label><pre>${escape(p.after)}</pre>
<div class="bar"><button>Check</button> <button type="button" class="solution">Show the solution</button></div><pre class="verdict" role="status" hidden></pre></form>`;

// The HTML of an entry. Loops with a puzzle are shown as the puzzle, behind a fold where they stand whole.
function section(e, puzzles) {
  let number = 0, name = '';
  const picture = (title, file) => {
    name ||= file.replace(/^.*\/|\.svg$/g, '');
    return `<figure data-picture="${file.replace(/^.*\/|\.svg$/g, '')}"><img src="${file}" alt="${escape(title)}"></figure>`;
  };
  const body = pieces(e.lines).map(p => {
    if (p.language === undefined) return prose(p.lines, picture);
    if (p.language === 'webnn') return example(p.text, e.operators.length ? `Example ${++number} of ${e.operators[0]}` : `Example ${++number}`);
    const here = puzzles.find(q => p.language === 'c' && p.text === q.before + q.line + q.after);
    return here ? puzzle(here) : `<pre>${escape(p.text)}</pre>`;
  }).join('\n');
  return `<section class="entry" id="${e.id}" aria-labelledby="${e.id}-title"><h2 id="${e.id}-title" tabindex="-1">${inline(e.title)}</h2>\n${body}\n</section>`;
}

// The template with the list of entries and their text.
export function page(template, list, puzzles) {
  const shown = list.filter(e => e.title !== 'Contents' && e.lines.some(l => l.trim()));
  const item = e => `<li><a href="#${e.id}">${inline(e.title)}</a></li>`;
  const nav = `<h2>Operators</h2><ul>${shown.filter(e => e.operators.length).map(item).join('')}</ul><h2>Rules</h2><ul>${shown.filter(e => !e.operators.length).map(item).join('')}</ul>`;
  return template.replace('<!-- entries -->', () => nav).replace('<!-- sections -->', () => shown.map(e => section(e, puzzles)).join('\n'));
}
