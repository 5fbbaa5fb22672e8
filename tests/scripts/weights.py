"""Files of numpy for networks/weights.c, and its files for numpy:

    weights.py write FOLDER    NPY and NPZ files of every type, in both byte orders and orders of elements
    weights.py read FOLDER     reads the NPY files that weights.c has written there

Element i of a tensor of [3, 5] is the same in both programs."""
import sys

import numpy

TYPES = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "bool", "float64", "int16",
         "uint16"]


def values(name):
    numbers = [(i * 37 + 11) % 101 for i in range(15)]
    if name.startswith("float"):
        numbers = [n / 4 - 12 for n in numbers]
    elif name == "bool":
        numbers = [i % 3 == 0 for i in range(15)]
    elif not name.startswith("u"):
        numbers = [n - 50 for n in numbers]
    return numpy.array(numbers, dtype=name).reshape(3, 5)


def write_version(path, array, version):
    with open(path, "wb") as file:
        numpy.lib.format.write_array(file, array, version=version)


def write(folder):
    arrays = {name: values(name) for name in TYPES}
    for name, array in arrays.items():
        beginning = f"{folder}/{name}_"
        numpy.save(beginning + "little.npy", array)
        numpy.save(beginning + "big.npy", array.astype(array.dtype.newbyteorder(">")))
        numpy.save(beginning + "columns.npy", numpy.asfortranarray(array))
        numpy.save(beginning + "view.npy", numpy.repeat(array, 2, axis=1)[:, ::2])
        write_version(beginning + "version2.npy", array, (2, 0))
        write_version(beginning + "version3.npy", array, (3, 0))
    numpy.savez(f"{folder}/all.npz", **arrays)
    numpy.savez_compressed(f"{folder}/compressed.npz", **arrays)
    numpy.save(f"{folder}/scalar.npy", numpy.float32(2.5))


def read(folder):
    passed = failed = 0
    for name in TYPES:
        came = numpy.load(f"{folder}/ours_{name}.npy")
        if came.dtype == numpy.dtype(name) and numpy.array_equal(came, values(name)):
            passed += 1
        else:
            failed += 1
            print(f"ours_{name}.npy: {came.dtype} {came.shape} differs")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


sys.exit({"write": write, "read": read}[sys.argv[1]](sys.argv[2]))
