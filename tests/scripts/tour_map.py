"""The map of docs/tour.md: the chapters of webnn.h as floors, as long as they have lines, and on each the stops that read
or change something there. Where a stop goes is read from the page: the names in its paragraph "Read" and the lines that
it changes."""
import re
import sys

sys.dont_write_bytecode = True
from coverage import chapters_of

TILE_LINES, TILE, FLOOR, LEFT, TOP = 500, 24, 26, 180, 40
MOST_TILES, DOT = 17, 19


def rooms_of(lines):
    """(first line, name) of the interface and of each chapter."""
    return [(1, "the interface")] + [(first, f"{number}  {title}") for first, number, title in chapters_of(lines)]


def definition(lines, name):
    """The last line that defines a name of webnn.h, or None."""
    begins = re.compile(r"(?:static|WEBNN_API|WEBNN__\w+|#define)\b.*\b%s\b" % re.escape(name))
    places = [i for i, line in enumerate(lines, 1) if begins.match(line) and not line.endswith(";")]
    return places[-1] if places else None


def places(text, lines, stop):
    """The lines of webnn.h, whose text is also given, where a stop goes: (paragraphs, blocks)."""
    prose, blocks = stop
    read = re.search(r"\*\*Read\*\*(.*?)\n\n", prose, re.S)
    for name in re.findall(r"`(webnn_\w+|WEBNN_\w+)`", read.group(1) if read else ""):
        at = definition(lines, name)
        if at:
            yield at
    for kind, argument, changed in blocks:
        if (kind, argument) == ("diff", "webnn.h"):
            old = "".join(line[1:] + "\n" for line in changed if line.startswith("-"))
            if old in text:
                yield text[:text.index(old)].count("\n") + 1


def rooms_with_stops(text, stops):
    """(name, lines, numbers of stops) of each room; the numbers of all that go nowhere."""
    lines = text.split("\n")
    rooms = rooms_of(lines)
    found = [set() for _ in rooms]
    elsewhere = []
    for number, stop in stops:
        here = {max(i for i, (first, _) in enumerate(rooms) if first <= at) for at in places(text, lines, stop)}
        for i in here:
            found[i].add(number)
        if not here:
            elsewhere.append(number)
    ends = [first for first, _ in rooms[1:]] + [len(lines)]
    return [(name, end - first, sorted(numbers)) for (first, name), end, numbers in zip(rooms, ends, found)], elsewhere


def dots(numbers, x, y):
    for i, number in enumerate(numbers):
        cx = x + DOT * i
        yield (f'<circle cx="{cx}" cy="{y}" r="8" fill="#005f96"/>'
               f'<text x="{cx}" y="{y + 4}" text-anchor="middle" fill="#fff" font-size="11">{number}</text>')


def draw(text, stops):
    """The map as SVG, of webnn.h's text and [(number, (paragraphs, blocks))]."""
    rooms, elsewhere = rooms_with_stops(text, stops)
    width, height = LEFT + MOST_TILES * TILE + 20, TOP + FLOOR * (len(rooms) + 1) + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="14">',
           "<title>webnn.h, chapter by chapter, and the stops of the tour</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<text x="16" y="24">webnn.h from top to bottom: a square for each {TILE_LINES} lines, '
           "a dot for each stop</text>"]
    for i, (name, lines, numbers) in enumerate(rooms):
        y = TOP + FLOOR * i
        out.append(f'<text x="16" y="{y + 17}">{name}</text>')
        for tile in range(max(1, round(lines / TILE_LINES))):
            out.append(f'<rect x="{LEFT + TILE * tile}" y="{y}" width="{TILE}" height="{FLOOR - 4}" fill="#cfe5f3" '
                       'stroke="#fff"/>')
        out += dots(numbers, LEFT + TILE / 2, y + 11)
    y = TOP + FLOOR * len(rooms) + 6
    out.append(f'<text x="16" y="{y + 15}" fill="#444">in examples</text>')
    out += dots(elsewhere, LEFT + TILE / 2, y + 11)
    return "\n".join(out) + "\n</svg>\n"
