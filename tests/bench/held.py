"""Copies of libraries whose CPUID instructions are breakpoints, which held.c answers.

    python3 held.py FOLDER LIBRARY ...

The disassembler of binutils finds the instructions; int3 and nop are as long as CPUID.
"""

import os
import re
import subprocess
import sys


def segments(path):
    """Address, offset in the file and size of what is loaded."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    for offset, address, size in re.findall(r"^ +LOAD +(\S+) (\S+) \S+ (\S+)", text, re.M):
        yield int(address, 16), int(offset, 16), int(size, 16)


def soname(path):
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    return re.search(r"SONAME\).*\[(.*)\]", text).group(1)


def cpuids(path):
    """Offsets in the file of all CPUID instructions."""
    loaded = list(segments(path))
    listing = subprocess.Popen(["objdump", "-d", path], stdout=subprocess.PIPE, text=True)
    for line in listing.stdout:
        if "\tcpuid" in line:
            address = int(line.split(":")[0], 16)
            yield next(o + address - a for a, o, size in loaded if a <= address < a + size)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for path in sys.argv[2:]:
        path = os.path.realpath(path)
        data = bytearray(open(path, "rb").read())
        found = list(cpuids(path))
        for at in found:
            assert data[at:at + 2] == b"\x0f\xa2"
            data[at:at + 2] = b"\xcc\x90"
        name = soname(path)
        with open(os.path.join(folder, name), "wb") as copy:
            copy.write(data)
        print(f"{name}: {len(found)} CPUID instructions")


main()
