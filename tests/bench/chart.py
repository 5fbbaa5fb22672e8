"""Draws the charts of docs/performance.md (SVG) from the tables of that page.

usage: chart.py                    draws docs/*.svg again
       chart.py --check            are they, and the page's means, those of its tables?
       chart.py RESULTS.json ...   all charts of these results in one picture, to the standard output

Results go through the tables of table.py, so that a chart never shows what a table does not say.
A bar or point is a quotient, the other library's time (or memory) divided by webnn.h's: to the right
of the line at 1 webnn.h is ahead. What is beyond the axis is cut off, with its number beside it.
"""
import math
import os
import sys
from xml.sax.saxutils import escape

import table

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
WIDTH = 800

NAMES = {
    "resnet50": "ResNet-50", "mobilenetv2": "MobileNetV2", "mobilenetv2-int8": "MobileNetV2, int8",
    "bert-base": "BERT-base, 128 tokens", "gpt2-step": "GPT-2, one token", "unet": "U-Net, 256 x 256",
    "lstm256": "LSTM, 100 steps", "chain200": "chain of 200 operators",
    "product": "matrix products", "linear": "linear layers", "conv": "convolutions",
    "elementwise": "element by element", "rows": "softmax, normalization", "reduce": "reductions",
    "move": "transpose, resize, copies", "pool": "pooling", "int8": "int8 linear, convolutions",
    "packed": "4- and 8-bit weights", "float16": "float16", "recurrent": "LSTM and GRU", "overhead": "starting an operator",
}

# The ground belongs to the picture, so that it is legible on a page of either colour.
STYLE = """<style>
.ground{fill:#ffffff;stroke:#d0d7de}.grid{stroke:#d8dee4}.equal{stroke:#1f2328;stroke-width:2}
text{fill:#1f2328;font-size:12px}.title{font-size:15px;font-weight:bold}.soft{fill:#59636e}
.small{font-size:11px}.bold{font-weight:bold}.end{text-anchor:end}.middle{text-anchor:middle}
.one{fill:#0a58a8;stroke:#0a58a8}.two{fill:#62a8ea;stroke:#62a8ea}.cut{stroke:#ffffff;stroke-width:3}
@media (prefers-color-scheme:dark){.ground{fill:#0d1117;stroke:#3d444d}.grid{stroke:#2f3742}
.equal{stroke:#f0f6fc}text{fill:#f0f6fc}.soft{fill:#9198a1}.one{fill:#3b82e0;stroke:#3b82e0}
.two{fill:#93c4fb;stroke:#93c4fb}.cut{stroke:#0d1117}}
</style>"""


# ---- Pieces --------------------------------------------------------------------------------------

def text(x, y, words, style=""):
    """Text that begins at x, or with the style `end` ends there. Wide fonts need 6.2 pixels a letter of 11."""
    assert "end" in style.split() or x + 6.2 * len(words) <= WIDTH, f"is cut off: {words}"
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(words)}</text>'


def line(x1, y1, x2, y2, style):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def box(x, y, width, height, style):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" '
            f'class="{style}" style="stroke:none"/>')


def colour(threads):
    return "one" if threads == 1 else "two"


class Axis:
    """From quotients to pixels, between left and right."""

    def __init__(self, left, right, low, high, scale=lambda value: value):
        self.left, self.right, self.low, self.high, self.scale = left, right, low, high, scale

    def place(self, value):
        low, high = self.scale(self.low), self.scale(self.high)
        part = (self.scale(min(max(value, self.low), self.high)) - low) / (high - low)
        return self.left + part * (self.right - self.left)

    def grid(self, ticks, top, bottom):
        """The lines behind the bars, with their numbers below."""
        for tick in ticks:
            if self.low <= tick <= self.high and tick != 1:
                yield line(self.place(tick), top, self.place(tick), bottom, "grid")
                yield text(self.place(tick), bottom + 14, f"{tick:g}", "middle soft small")

    def equal(self, top, bottom):
        """The line in front of them, at 1."""
        yield line(self.place(1), top, self.place(1), bottom, "equal")
        yield text(self.place(1), bottom + 14, "1", "middle bold small")

    def bar(self, value, y, height, style):
        """A bar from the start of the axis, with a gap where it is cut off."""
        end = self.place(value)
        yield box(self.left, y, end - self.left, height, style)
        if value > self.high:
            yield line(end - 13, y + height + 1, end - 8, y - 1, "cut")


def sides(axis, y, ahead="webnn.h is faster", behind=None):
    """The words above the line at 1."""
    x = axis.place(1)
    yield text(x, y, "equal", "middle bold small")
    yield text(x + 24, y, f"{ahead} \u2192", "soft small")
    if behind:
        yield text(x - 24, y, f"\u2190 {behind}", "end soft small")


def legend(x, y, threads, shape):
    for count in threads:
        yield shape(x, y, colour(count))
        word = f"{table.in_words(count)} thread{'s' * (count != 1)}"
        yield text(x + 18, y, word)
        x += 34 + 6.6 * len(word)


def picture(title, height, body):
    """A chart as (height, the SVG's inside)."""
    return height, "\n".join([f"<title>{escape(title)}</title>",
                              f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" '
                              'class="ground"/>', text(16, 25, title, "title"), *body])


def caption(page, threads):
    """Machine, date and threads."""
    words = " and ".join(map(table.in_words, threads)) + (" thread" if threads == [1] else " threads")
    return f"{page.measured[:1].upper()}{page.measured[1:]}; {words}."


def names_of(rows):
    return list(dict.fromkeys(row.name for row in rows))


# ---- The charts ----------------------------------------------------------------------------------

def networks_chart(page):
    """A bar for each network and number of threads."""
    rows, pitch, top = page.networks, 23, 66
    largest = max([1.2] + [row.ratio for row in rows if row.name not in table.APART])
    axis = Axis(176, 736, 0, min(math.ceil(largest * 1.05 * 4) / 4, 4))
    bottom = top + pitch * len(names_of(rows))
    body = [*legend(16, 46, table.counts_of_threads(rows), lambda x, y, style: box(x, y - 9, 12, 9, style)),
            *sides(axis, top - 6, behind="webnn.h is slower"),
            *axis.grid([0, 0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2, 3, 4], top, bottom)]
    for i, name in enumerate(names_of(rows)):
        y = top + pitch * i + 2
        body.append(text(axis.left - 8, y + 13.5, NAMES.get(name, name), "end"))
        for j, row in enumerate(row for row in rows if row.name == name):
            body += axis.bar(row.ratio, y + 10 * j, 9, colour(row.threads))
            beside = axis.place(row.ratio) + 5
            if beside - 5 <= axis.place(1) < beside + 28:
                beside = axis.place(1) + 5
            body.append(text(beside, y + 10 * j + 8.5, f"{row.ratio:.2f}", "small"))
    body += axis.equal(top, bottom)
    body.append(text(16, bottom + 33, caption(page, table.counts_of_threads(rows)), "soft small"))
    return picture("Networks: ONNX Runtime's time divided by webnn.h's", bottom + 44, body)


def memory_chart(page):
    """Two quotients of each network, with what they are quotients of."""
    rows = [row for row in page.networks if row.threads == table.counts_of_threads(page.networks)[0]]
    pitch, top = 22, 72
    bottom = top + pitch * len(rows)
    panels = (("Most memory of the process", 176, "webnn.h takes less", "MB",
               lambda row: (row.ort_mb, row.ours_mb)),
              ("Start of the process to first result", 490, "webnn.h is sooner", "ms",
               lambda row: (row.ort_first, row.ours_first)))
    body = [text(168, top + pitch * i + 15.5, NAMES.get(row.name, row.name), "end")
            for i, row in enumerate(rows)]
    for head, left, better, unit, pair_of in panels:
        pairs = [pair_of(row) for row in rows]
        largest = max([2] + [a / b for row, (a, b) in zip(rows, pairs) if row.name not in table.APART])
        axis = Axis(left, left + 166, 0, min(math.ceil(largest * 1.02), 8))
        body += [text(left, 48, head, "bold"), *axis.grid(range(0, 9), top, bottom),
                 *sides(axis, top - 6, better)]
        for i, (theirs, own) in enumerate(pairs):
            y, ratio = top + pitch * i + 5, theirs / own
            body += axis.bar(ratio, y, 13, "one")
            x, words = axis.place(ratio) + 5, f"{ratio:.1f}"
            body.append(text(x, y + 10.5, words, "small"))
            body.append(text(x + 7 * len(words) + 6, y + 10.5, f"{theirs:g} / {own:g} {unit}", "soft small"))
        body += axis.equal(top, bottom)
    body += [text(16, bottom + 33, "In grey: ONNX Runtime's / webnn.h's.", "soft small"),
             text(16, bottom + 50, caption(page, [rows[0].threads]), "soft small")]
    return picture("Memory and start: ONNX Runtime's divided by webnn.h's", bottom + 61, body)


def operators_chart(page):
    """The mean and the range of each group of operators."""
    groups = list(dict.fromkeys(row.group for row in page.cases))
    threads = table.counts_of_threads(page.cases)
    ratios = [row.ratio for row in page.cases if row.group not in table.APART] or [1]
    axis = Axis(226, 640, max(min(ratios + [0.7]) / 1.15, 0.1), min(max(ratios + [1.5]) * 1.15, 16), math.log)
    pitch, top = 15 * len(threads) + 5, 66
    bottom = top + pitch * len(groups)

    def mark(x, y, style):
        return (line(x, y - 4, x + 14, y - 4, style)
                + f'<circle cx="{x + 7:.1f}" cy="{y - 4:.1f}" r="4" class="{style}"/>')

    body = [*legend(16, 46, threads, mark), *sides(axis, top - 6, behind="webnn.h is slower"),
            text(690, top - 6, "mean", "end bold small"), text(784, top - 6, "range", "end soft small"),
            *axis.grid([0.125, 0.25, 0.5, 0.75, 1.5, 2, 3, 4, 6, 8, 16], top, bottom),
            *axis.equal(top, bottom)]
    for i, group in enumerate(groups):
        rows = [row for row in page.cases if row.group == group]
        y = top + pitch * i
        if i:
            body.append(line(16, y, WIDTH - 16, y, "grid"))
        words = f"{NAMES.get(group, group)} ({len(names_of(rows))})"
        body.append(text(axis.left - 12, y + pitch / 2 + 4, words, "end"))
        for j, count in enumerate(threads):
            if not table.summed(rows, count):
                continue
            middle, low, high = table.summed(rows, count)
            centre, style = y + 10 + 15 * j, colour(count)
            if low > axis.high:
                body += [f'<path d="M{axis.right - 9:.1f} {centre - 5:.1f}l9 5l-9 5z" class="{style}"/>']
            else:
                body += [box(axis.place(low), centre - 1, axis.place(high) - axis.place(low), 2, style),
                         *[line(x, centre - 3, x, centre + 3, style) for x in map(axis.place, (low, high))],
                         f'<circle cx="{axis.place(middle):.1f}" cy="{centre}" r="4" class="{style}"/>']
            body.append(text(690, centre + 4, f"{middle:.2f}", "end bold small"))
            body.append(text(784, centre + 4, f"{low:.2f} to {high:.2f}", "end soft small"))
    body.append(text(16, bottom + 34, "Dot: geometric mean of the cases (their number in brackets). "
                     "Line: from the lowest to the highest. Arrow: beyond the axis.", "soft small"))
    body.append(text(16, bottom + 51, caption(page, threads), "soft small"))
    return picture("Single operators: the fastest other library's time divided by webnn.h's",
                   bottom + 62, body)


def charts(page):
    """The name of each chart for which there are rows, and what is in it."""
    if page.networks:
        yield "networks.svg", networks_chart(page)
        yield "memory.svg", memory_chart(page)
    if page.cases:
        yield "operators-speed.svg", operators_chart(page)


# ---- The program ---------------------------------------------------------------------------------

def svg(pictures):
    """Pictures below each other."""
    height = sum(height for height, _ in pictures)
    parts, y = [], 0
    for picture_height, inside in pictures:
        parts.append(inside if len(pictures) == 1 else f'<g transform="translate(0 {y})">\n{inside}\n</g>')
        y += picture_height
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" role="img" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif">\n'
            + "\n".join([STYLE, *parts]) + "\n</svg>\n")


def read_text(path):
    """The text of a file, or nothing."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(page, words):
    """Are the charts and sentences in docs those of the tables?"""
    wrong = [f"docs/{name} is not that of the tables: make -C tests bench-chart draws it"
             for name, chart in charts(page) if read_text(os.path.join(DOCS, name)) != svg([chart])]
    flowing = " ".join(words.split())
    wrong += [f"docs/performance.md lacks what its tables say: {sentence}"
              for sentence in table.sentences(page) if sentence not in flowing]
    for message in wrong:
        print(message)
    passed = len(list(charts(page))) + len(list(table.sentences(page))) - len(wrong)
    print(f"{passed} passed, {len(wrong)} failed")
    return bool(wrong) or not passed


def main(arguments):
    if arguments and arguments != ["--check"]:
        if arguments[0].startswith("-"):
            sys.exit(__doc__)
        sys.stdout.write(svg([chart for _, chart in charts(table.read(table.markdown(arguments)))]))
        return 0
    words = read_text(os.path.join(DOCS, "performance.md"))
    page = table.read(words)
    if arguments:
        return check(page, words)
    for name, chart in charts(page):
        with open(os.path.join(DOCS, name), "w", encoding="utf-8") as file:
            file.write(svg([chart]))
        print(f"docs/{name}")
    return 0


sys.exit(main(sys.argv[1:]))
