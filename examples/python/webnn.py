"""webnn.h from Python: the W3C Web Neural Network API, by ctypes.

    import numpy as np, webnn

    with webnn.ML().create_context() as context:
        builder = context.create_graph_builder()
        x = builder.input("x", [2, 2], "float32")
        graph = builder.build({"y": builder.relu(builder.matmul(x, x))})
        print(context.compute(graph, {"x": np.float32([[1, -2], [3, -4]])})["y"])

    y = webnn.load("model.onnx", dimensions={"batch": 1})(x=array)["y"]

Sizes of an input may be left open: in its shape a name stands for the same size wherever it stands, None for any size,
as in builder.input("x", ["batch", 3]). compute() then takes arrays of any sizes that fit, other ones in each call.

Operators are methods of the builder by their names in C, with options as keywords. No operator is named in this file:
functions, options, enumerations and their documentation are read from webnn.h, from which the system's compiler ($CC)
makes a shared library, once, in a cache ($WEBNN_CACHE, else ~/.cache/webnn), under a hash of the header. webnn.h is
looked for in $WEBNN_HEADERS, beside this file, and where a checkout has it.

Arrays are numpy's, or anything with the buffer or DLPack protocol. They are not copied where type and layout fit.
Results are numpy's arrays, or memoryviews where there is no numpy. Elements of 4 bits are bytes, two in each.

`python webnn.py --stubs > webnn.pyi` writes declarations with types and documentation for editors and checkers.
"""

from __future__ import annotations

import collections
import collections.abc
import ctypes
import functools
import hashlib
import inspect
import numbers
import operator
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import threading

try:
    import numpy
except ImportError:
    numpy = None

# ---- The headers, and a library of them --------------------------------------------------------------------------


def _find_header(name):
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [os.environ.get("WEBNN_HEADERS"), here, os.path.join(here, "..", ".."),
               os.path.join(here, "..", "headers")]
    for folder in filter(None, folders):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return os.path.abspath(path)
    raise ImportError(name + " is not found: set WEBNN_HEADERS to its folder")


def _cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("WEBNN_CACHE") or os.path.join(base, "webnn")


def _compile(header, macro, includes, links):
    """The path of the shared library of a header, compiled if the cache lacks it."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    flags = ["-O2", "-fPIC", "-shared", "-std=c99", "-w"] + shlex.split(os.environ.get("WEBNN_CFLAGS", ""))
    digest = hashlib.sha256(repr((compiler, flags, sys.platform, platform.machine(), links)).encode())
    for path in [header] + includes:
        with open(path, "rb") as file:
            digest.update(file.read())
    folder = _cache_folder()
    target = os.path.join(folder, "%s-%s.so" % (os.path.basename(header)[:-2], digest.hexdigest()[:16]))
    if os.path.isfile(target):
        return target
    os.makedirs(folder, exist_ok=True)
    print("webnn: compiling %s, once" % os.path.basename(header), file=sys.stderr)
    handle, partial = tempfile.mkstemp(suffix=".so", dir=folder)
    os.close(handle)
    command = compiler + flags + ["-D" + macro] + ["-I" + os.path.dirname(path) for path in includes]
    command += ["-x", "c", header, "-x", "none"] + links + ["-o", partial, "-pthread", "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        os.unlink(partial)
        raise ImportError("the compiler does not start: %s (set CC)" % error) from None
    if done.returncode != 0:
        os.unlink(partial)
        raise ImportError("%s does not compile: %s" % (header, done.stderr[-2000:]))
    os.replace(partial, target)  # whole, or not there, for others that compile it now
    return target


# ---- What a header declares --------------------------------------------------------------------------------------

_C_TYPES = {"bool": ctypes.c_bool, "char": ctypes.c_char, "float": ctypes.c_float, "double": ctypes.c_double,
            "int": ctypes.c_int, "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32, "size_t": ctypes.c_size_t,
            "uint64_t": ctypes.c_uint64, "int64_t": ctypes.c_int64, "uint16_t": ctypes.c_uint16, "void": None}


class _Declarations:
    """Enumerations, structs and functions of the interface of a header, as ctypes has them."""

    def __init__(self, header, known=None):
        with open(header, encoding="utf-8") as file:
            text = file.read()
        self.enums, self.structs, self.functions, self.notes = {}, {}, {}, {}
        self.types = dict(known.types if known else _C_TYPES)
        self.constants = dict(known.constants if known else {})
        guard = os.path.basename(header).upper().replace(".", "_")
        text = text.split("#endif /* %s" % guard)[0].split("#ifdef %s_IMPLEMENTATION" % guard[:-2])[0]
        self.constants.update((n, int(v, 0)) for n, v in re.findall(r"^#define (WEBNN_[A-Z_]+) (\d\w*?)u?$", text, re.M))
        text = re.sub(r"#ifdef __cplusplus.*?#(?:endif|else)", "", text, flags=re.S)
        text = re.sub(r" WEBNN__DEFAULT\b|^\s*WEBNN__FROM_BRACES\(.*\)$", "", text, flags=re.M)
        self._read_notes(text)
        self._read(re.sub(r"/\*.*?\*/", "", text, flags=re.S))

    def _read_notes(self, text):
        """The comment before a function, or before the first of its group; the comment after a member."""
        for note, group in re.findall(r"^/\*((?:[^*]|\*(?!/))*)\*/\n((?:WEBNN_\w*API [^;]*;\s*)+)", text, re.M):
            for name in re.findall(r"\b(webnn_\w+)\(", group):
                self.notes[name] = " ".join(note.split())
        for struct, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\}", text, re.S):
            for members, note in re.findall(r"^([^;\n]*);\s*/\*((?:[^*]|\*(?!/))*)\*/", body, re.M):
                for member in re.findall(r"(\w+)(?:\[\w+\])?\s*(?:,|$)", members.strip()):
                    self.notes[struct, member] = " ".join(note.split())

    def _read(self, c):
        for body, name in re.findall(r"typedef enum \w+ \{([^}]*)\} (\w+);", c):
            self._add_enum(name, body)
        for name in re.findall(r"typedef [^;{]*?\(\*(\w+)\)\(", c):
            self.types[name] = ctypes.c_void_p
        for body, name in re.findall(r"typedef struct \w+ \{([^}]*)\} (\w+);", c):
            fields = [field for line in body.split(";") if line.strip() for field in self._fields(line)]
            self.types[name] = self.structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        for returns, name, parameters in re.findall(r"^WEBNN_\w*API ([\w *\n]+?)(webnn_\w+)\(([^;]*)\);", c, re.M):
            listed = [self._parameter(p) for p in parameters.split(",") if p.strip() != "void"]
            self.functions[name] = (returns.replace("const", "").split()[0] + ("*" if "*" in returns else ""), listed)

    def _add_enum(self, name, body):
        values, following = {}, 0
        for item in filter(None, (item.strip() for item in body.split(","))):
            key, _, value = (part.strip() for part in item.partition("="))
            values[key] = following = int(value) if value else following
            following += 1
        prefix = os.path.commonprefix(list(values)).rpartition("_")[0] + "_"
        self.enums[name] = {key[len(prefix):].lower(): value for key, value in values.items()}
        self.types[name] = ctypes.c_int

    def _fields(self, line):
        call = re.search(r"\(\*(\w+)\)", line)
        if call:
            return [(call.group(1), ctypes.c_void_p)]
        base, declarators = re.fullmatch(r"(?:const )?(\w+)\s+(.*)", " ".join(line.split())).groups()
        fields = []
        for declarator in declarators.split(","):
            stars, name, count = re.fullmatch(r"([* ]*)(\w+)(?:\[(\w+)\])?", declarator.strip()).groups()
            kind = self._pointer(base) if "*" in stars else self.types[base]
            if count:
                kind = kind * (self.constants[count] if count in self.constants else int(count))
            fields.append((name, kind))
        return fields

    @staticmethod
    def _pointer(base):
        return ctypes.c_char_p if base == "char" else ctypes.c_void_p

    @staticmethod
    def _parameter(text):
        """(type, pointers, name)"""
        words = re.findall(r"\w+|\*", text.replace("const", " "))
        return words[0], words.count("*"), words[-1]

    def declare(self, library):
        for name, (returns, parameters) in self.functions.items():
            try:
                function = getattr(library, name)
            except AttributeError:
                continue
            function.restype = self._pointer(returns[:-1]) if "*" in returns else self.types[returns]
            function.argtypes = [ctypes.c_void_p if stars > 1 or (stars and base != "char") else
                                 ctypes.c_char_p if stars else self.types.get(base, ctypes.c_void_p)
                                 for base, stars, _ in parameters]


_HEADER = _find_header("webnn.h")
_C = _Declarations(_HEADER)
_library = ctypes.CDLL(_compile(_HEADER, "WEBNN_IMPLEMENTATION", [], []), mode=ctypes.RTLD_GLOBAL)
_C.declare(_library)
_List, _Error = _C.types["webnn_list"], _C.types["webnn_error"]
_MAX_RANK, _DYNAMIC = _C.constants["WEBNN_MAX_RANK"], _C.constants["WEBNN_DYNAMIC_DIMENSION"]

# ---- Errors ------------------------------------------------------------------------------------------------------


class Error(Exception):
    """What the library refuses or cannot do, with its message."""


class TypeError_(Error, TypeError):
    """An argument is wrong."""


_ERRORS = {1: TypeError_}
for _number in range(2, len(_C.enums["webnn_status"])):
    _name = _library.webnn_status_name(_number).decode()
    _ERRORS[_number] = globals()[_name] = type(_name, (Error,), {"__module__": __name__})
_INVALID_STATE = _C.enums["webnn_status"]["invalid_state_error"]


def _raise(status, message):
    raise _ERRORS.get(status, Error)(message)


def _call(function, *given):
    """Calls a function of C whose last parameter is a webnn_error."""
    error = _Error()
    status = function(*given, ctypes.addressof(error))
    if status:
        _raise(status, error.message.decode("utf-8", "replace"))


def _make(function, *given):
    """Calls one that makes something: its handle, or None where there is none."""
    handle = ctypes.c_void_p()
    _call(function, *given, ctypes.addressof(handle))
    return handle.value


# ---- Values from Python to C -------------------------------------------------------------------------------------


def _integer(value, what, least=0, most=2**32 - 1):
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError_("%s must be an integer, not %r" % (what, value)) from None
    if not least <= number <= most:
        raise TypeError_("%s (%d) must be %d to %d" % (what, number, least, most))
    return number


def _text(value, what):
    if not isinstance(value, str):
        raise TypeError_("%s must be a string, not %r" % (what, value))
    try:
        encoded = value.encode()
    except UnicodeEncodeError as error:
        raise TypeError_("%s: %s" % (what, error)) from None
    if b"\0" in encoded:
        raise TypeError_("%s contains a NUL" % what)
    return encoded


def _sequence(value, what):
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, (collections.abc.Iterable)):
        raise TypeError_("%s must be a sequence, not %r" % (what, value))
    return list(value)


def _enumerator(kind, value, what):
    names = _C.enums[kind]
    if numpy is not None and kind == "webnn_data_type" and not isinstance(value, str):
        try:
            value = numpy.dtype(value).name
        except TypeError:
            pass
    if not isinstance(value, str) or value.replace("-", "_") not in names:
        raise TypeError_("%s (%r) is not one of %s" % (what, value, ", ".join(names)))
    return names[value.replace("-", "_")]


def _double(value, what):
    try:
        if isinstance(value, numbers.Real):
            return float(value)
    except OverflowError:
        pass
    raise TypeError_("%s must be a number, not %r" % (what, value))


def _number(value, what):
    """An integer that a double holds is given as one, as JavaScript does; C clamps to the operand's type."""
    try:
        integer = operator.index(value)
    except TypeError:
        return _library.webnn_f64(_double(value, what))
    if abs(integer) <= 2**53:
        return _library.webnn_f64(float(integer))
    if integer < 2**63:
        return _library.webnn_i64(max(integer, -2**63))
    return _library.webnn_u64(min(integer, 2**64 - 1))


def _size(value, what, builder=None):
    """An item of a list: an integer, or in a shape that a builder gets a name, or None, for a dynamic dimension."""
    if builder is None or not (value is None or isinstance(value, str)):
        return _integer(value, what, 0, _DYNAMIC - 1)  # the numbers from there on are C's for dynamic dimensions
    if value is None:
        return _DYNAMIC
    number = _library.webnn_dynamic_dimension(builder._get(), _text(value, what))
    if number == 0:
        builder._refuse_if_failed()
    return number


def _list_of(kind, value, what, builder=None):
    """webnn_list and its like; longer ones are refused by their count. With a builder it may be of dynamic dimensions."""
    made, items = _C.types[kind](), _sequence(value, what)
    fields = dict(_C.types[kind]._fields_)
    item = {ctypes.c_uint32: functools.partial(_size, builder=builder), ctypes.c_float: _double}.get(
        fields["items"]._type_, functools.partial(_enumerator, kind.replace("activation_list", "recurrent_network_activation")))
    converted = [item(v, what) for v in items]
    made.count, made.given = len(converted), True
    for i, v in enumerate(converted[:_MAX_RANK]):
        made.items[i] = v
    return made


def _descriptor(data_type, shape, builder=None):
    made = _C.types["webnn_operand_descriptor"]()
    made.data_type = _enumerator("webnn_data_type", data_type, "data_type")
    made.shape = _list_of("webnn_list", shape, "shape", builder)
    return made


def _tensor_descriptor(data_type, shape):
    made, given = _C.types["webnn_tensor_descriptor"](), _descriptor(data_type, shape)
    made.data_type, made.shape = given.data_type, given.shape
    return made


def _shape_of(items, name_of=None):
    """A list's items. name_of gives the name of a dynamic dimension; a shape of a rank that is not known is None."""
    if name_of is None:
        return items.items[: items.count]
    return [size if size < _DYNAMIC else name_of(size).decode() or None for size in items.items[: items.count]] if items.given else None


def _is_open(shape):
    """Are some of its sizes, or its rank, not known?"""
    return shape is None or any(not isinstance(size, int) for size in shape)


_DATA_TYPES = {value: name for name, value in _C.enums["webnn_data_type"].items()}
_FORMATS = {"float32": "f", "float16": "e", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "int8": "b",
            "uint8": "B", "int4": "B", "uint4": "B"}
_SAME_FORMATS = {"l": "q" if ctypes.sizeof(ctypes.c_long) == 8 else "i", "L": "Q" if ctypes.sizeof(ctypes.c_long) == 8 else "I",
                 "?": "B", "c": "B"}


def _packed_shape(data_type, shape):
    """Elements of 4 bits lie in bytes, which are a list."""
    if not (data_type or "").endswith("int4"):
        return list(shape)
    return [(functools.reduce(operator.mul, shape, 1) + 1) // 2]


class _Memory:
    """The memory of an array: its address and bytes while this lives. A copy where it is not in one piece."""

    def __init__(self, array, data_type, shape, what, writable=False):
        if numpy is not None and not isinstance(array, numpy.ndarray) and not _has_buffer(array):
            array = self.by_numpy(array, data_type, what)
        try:
            view = memoryview(array)
        except (TypeError, BufferError, ValueError):
            raise TypeError_("%s must be an array (buffer or DLPack protocol), not %s" % (what, type(array).__name__)) from None
        code = view.format.lstrip("@=<" if sys.byteorder == "little" else "@=>")
        code = _SAME_FORMATS.get(code, code)
        raw = isinstance(array, (bytes, bytearray))  # of any type and shape, if there are as many
        if data_type is not None and code != _FORMATS[data_type] and not raw:
            named = getattr(getattr(array, "dtype", None), "name", None) or "of the format %r" % view.format
            raise TypeError_("%s must have elements of %s, not %s" % (what, data_type, named))
        if shape is not None and list(view.shape) != _packed_shape(data_type, shape) and not raw:
            raise TypeError_("%s has the shape %r, not %r" % (what, list(view.shape), _packed_shape(data_type, shape)))
        if writable and (view.readonly or not view.c_contiguous):
            raise TypeError_("%s must be writable, and in one piece" % what)
        self.shape, self.code, self.byte_length = view.shape, code, view.nbytes
        if view.nbytes == 0 or not view.c_contiguous:
            view = memoryview(bytearray(view.tobytes() or b"\0"))
        if not view.readonly:
            self.kept = (ctypes.c_char * view.nbytes).from_buffer(view)
            self.address = ctypes.addressof(self.kept)
        elif numpy is not None:
            self.kept = numpy.frombuffer(view, numpy.uint8)
            self.address = self.kept.ctypes.data
        else:  # ctypes shares only what can be written
            self.kept = ctypes.create_string_buffer(view.tobytes(), view.nbytes)
            self.address = ctypes.addressof(self.kept)

    @staticmethod
    def by_numpy(array, data_type, what):
        """What lends its memory, or a list of numbers, which become elements of the type if they have its kind."""
        try:
            if hasattr(array, "__dlpack__"):
                return numpy.from_dlpack(array)
            made = numpy.asarray(array)
            if data_type is None or data_type.endswith("int4") or not isinstance(array, (list, tuple)):
                return made
            cast = made.astype(data_type, casting="same_kind")
        except Exception as error:
            raise TypeError_("%s: %s" % (what, error)) from None
        if cast.dtype.kind in "iu" and not (cast == made).all():
            raise TypeError_("%s has numbers outside %s" % (what, data_type))
        return cast


def _has_buffer(array):
    try:
        memoryview(array)
        return True
    except TypeError:
        return False


def _empty(data_type, shape):
    """An array for a result."""
    shape = _packed_shape(data_type, shape)
    if numpy is not None:
        return numpy.empty(shape, "uint8" if data_type.endswith("int4") else data_type)
    bits = _library.webnn_data_type_bits(_C.enums["webnn_data_type"][data_type])
    count = functools.reduce(operator.mul, shape, 1)
    flat = memoryview(bytearray(count * max(bits // 8, 1)))
    return flat.cast(_FORMATS[data_type], shape) if shape and count else flat.cast(_FORMATS[data_type])


# ---- Options -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _members(struct):
    """{keyword: (member, its type in C, is it the opposite?)}; "resetAfter: false" in C is reset_after in Python."""
    with open(_HEADER, encoding="utf-8") as file:
        body = re.search(r"typedef struct %s \{(.*?)\n\}" % struct, file.read(), re.S).group(1)
    members = {}
    for line in re.sub(r" WEBNN__DEFAULT\b|/\*.*?\*/", "", body, flags=re.S).split(";"):
        found = re.fullmatch(r"(?:const )?(\w+)\s+(.*)", line.strip(), re.S)
        for declarator in found.group(2).split(",") if found else []:
            member = declarator.strip().lstrip("*").strip()
            if member.isidentifier():
                members[member] = (member, found.group(1), False)
                opposite = re.match(r"([a-zA-Z]+): false", _C.notes.get((struct, member), ""))
                if opposite:
                    members[re.sub(r"([A-Z])", r"_\1", opposite.group(1)).lower()] = (member, "bool", True)
    return members


def _options(struct, given, method, keep):
    """The struct of keywords, as a pointer. `keep` gets what must live as long."""
    made = _C.types[struct]()
    for keyword, value in given.items():
        if keyword not in _members(struct):
            raise TypeError_("%s has no option %r; there are %s" % (method, keyword, ", ".join(_members(struct))))
        if value is None:
            continue
        member, kind, is_opposite = _members(struct)[keyword]
        if kind == "webnn_operand":
            value = _operand(value, keyword)
        elif kind == "char":
            value = _text(value, keyword)
        elif kind == "bool":
            if not isinstance(value, (bool, int)) and not (numpy is not None and isinstance(value, numpy.bool_)):
                raise TypeError_("%s must be True or False, not %r" % (keyword, value))
            value = bool(value) != is_opposite
        else:
            value = _value(kind, value, keyword)
        setattr(made, member, value)
    keep.append(made)
    return ctypes.addressof(made)


def _value(kind, value, what):
    if kind == "webnn_number":
        return _number(value, what)
    if kind in _C.enums:
        return _enumerator(kind, value, what)
    if kind.endswith("_list"):
        return _list_of(kind, value, what)
    if kind == "int32_t":
        return _integer(value, what, -2**31, 2**31 - 1)
    if kind in ("float", "double"):
        return _double(value, what)
    if kind in ("uint32_t", "size_t", "uint64_t"):
        return _integer(value, what, 0, 2**(8 * ctypes.sizeof(_C.types[kind])) - 1)
    if kind in _C.structs and isinstance(value, dict):
        keep = []
        _options(kind, value, what, keep)
        return keep[-1]
    raise TypeError_("%s cannot be given from Python" % what)


# ---- Objects -----------------------------------------------------------------------------------------------------


class _Object:
    """What stands behind a handle of C. It can be closed; `with` does, and so does the collector."""

    _free = None

    def __init__(self, handle, lock, *kept):
        self._handle, self._lock, self._kept = handle, lock, kept

    def _get(self):
        if self._handle is None:
            _raise(_INVALID_STATE, "the %s is closed" % type(self).__name__)
        return self._handle

    def close(self) -> None:
        """Frees it. Twice: nothing."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                getattr(_library, self._free)(handle)
            self._kept = ()

    destroy = close

    def __enter__(self):
        self._get()
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        try:
            if self.__dict__.get("_handle") is not None:
                self.close()
        except Exception:  # the interpreter ends
            pass


def _of(kind, value, what):
    if not isinstance(value, kind):
        raise TypeError_("%s must be a webnn.%s, not %s" % (what, kind.__name__, type(value).__name__))
    return value._get()


def _operand(value, what):
    return _of(MLOperand, value, what)


class ML:
    """The entry, as navigator.ml is in a browser."""

    def create_context(self, **options) -> "MLContext":
        return create_context(**options)


def create_context(**options) -> "MLContext":
    """A context with options of webnn_context_options: numerics="reference", threads=1, power_preference, ..."""
    keep = []
    pointer = _options("webnn_context_options", options, "create_context", keep)
    return MLContext(_make(_library.webnn_create_context, pointer), threading.RLock())


class MLContext(_Object):
    """MLContext: where graphs run."""

    _free = "webnn_free_context"

    @property
    def accelerated(self) -> bool:
        return _library.webnn_context_accelerated(self._get())

    @property
    def lost(self) -> bool:
        return _library.webnn_context_lost(self._get(), None)

    def create_graph_builder(self) -> "MLGraphBuilder":
        with self._lock:
            return MLGraphBuilder(_make(_library.webnn_create_builder, self._get()), self._lock, self)

    def create_tensor(self, shape: Sequence[int], data_type, readable: bool = True, writable: bool = True) -> "MLTensor":
        descriptor = _tensor_descriptor(data_type, shape)
        descriptor.readable, descriptor.writable = bool(readable), bool(writable)
        with self._lock:
            return MLTensor(_make(_library.webnn_create_tensor, self._get(), descriptor), self._lock, self)

    def write_tensor(self, tensor: "MLTensor", array) -> None:
        with self._lock:
            to = _of(MLTensor, tensor, "tensor")
            memory = _Memory(array, tensor.data_type, tensor.shape, "the array")
            _call(_library.webnn_write_tensor, self._get(), to, memory.address, memory.byte_length)

    def read_tensor(self, tensor: "MLTensor", out=None):
        """The tensor's elements, in `out` where it is given."""
        with self._lock:
            source = _of(MLTensor, tensor, "tensor")
            out = _empty(tensor.data_type, tensor.shape) if out is None else out
            memory = _Memory(out, tensor.data_type, tensor.shape, "out", True)
            _call(_library.webnn_read_tensor, self._get(), source, memory.address, memory.byte_length)
        return out

    def compute(self, graph: "MLGraph", inputs, outputs=None) -> dict:
        """Runs the graph over arrays by name, and returns the arrays of its outputs, those of `outputs` where given.

        An output may be the array of the input that is donated to it. Where sizes are open, those of the arrays count."""
        given = dict(outputs) if outputs is not None else {}
        with self._lock:
            handle = _of(MLGraph, graph, "graph")
            if graph.is_open:
                return self._compute_open(graph, dict(inputs), given)
            results = {name: given.get(name) if name in given else _empty(*described)
                       for name, described in graph.outputs.items()}
            results.update(given)
            kept = [(name, self._memory_of(graph.inputs, name, array, False)) for name, array in dict(inputs).items()]
            made = [(name, self._memory_of(graph.outputs, name, array, True)) for name, array in results.items()]
            ins, outs = _named("webnn_named_input", kept), _named("webnn_named_output", made)
            _call(_library.webnn_compute, self._get(), handle, ins, len(kept), outs, len(made))
        return results

    def _compute_open(self, graph, inputs, given):
        """compute() by tensors over the arrays, whose sizes are those of the outputs' shapes."""
        ins = {}
        for name, array in inputs.items():
            data_type, _ = _port(graph.inputs, name, "input")
            if isinstance(array, (bytes, bytearray)) or data_type.endswith("int4"):
                raise TypeError_("the array %r has no shape of its own, but sizes are open: use tensors and dispatch" % (name,))
            ins[name] = _Memory(array, data_type, None, "the array %r" % (name,))
        shapes = graph.compute_shapes({name: memory.shape for name, memory in ins.items()})
        results = {name: given[name] if name in given else _empty(graph.outputs[name][0], shape) for name, shape in shapes.items()}
        results.update(given)
        outs = {name: _Memory(array, _port(graph.outputs, name, "output")[0], shapes[name], "the array %r" % (name,), True)
                for name, array in results.items()}
        made = []
        try:
            tensors = {name: self._tensor_over(memory, graph.inputs[name][0], memory.shape, made) for name, memory in ins.items()}
            pairs = [list(tensors.items())]
            pairs.append([(name, self._output_over(memory, graph.outputs[name][0], shapes[name], ins, tensors, made)) for name, memory in outs.items()])
            arrays = [_named("webnn_named_tensor", list_of) for list_of in pairs]
            _call(_library.webnn_dispatch, self._get(), graph._get(), arrays[0], len(pairs[0]), arrays[1], len(pairs[1]))
            _call(_library.webnn_wait, self._get())
        finally:
            for handle in made:
                _library.webnn_free_tensor(handle)
        return results

    def _output_over(self, memory, data_type, shape, inputs, tensors, made):
        """The tensor of an output: that of the input which has its memory, if one has; the graph says whether it may."""
        for name, other in inputs.items():
            if (other.address, other.byte_length) == (memory.address, memory.byte_length):
                return tensors[name]
            if other.address < memory.address + memory.byte_length and memory.address < other.address + other.byte_length:
                raise TypeError_("compute: the array of an output overlaps that of the input %r" % (name,))
        return self._tensor_over(memory, data_type, shape, made)

    def _tensor_over(self, memory, data_type, shape, made):
        made.append(_make(_library.webnn_create_tensor_over_memory, self._get(), _tensor_descriptor(data_type, shape),
                          memory.address, memory.byte_length))
        return made[-1]

    @staticmethod
    def _memory_of(ports, name, array, writable):
        data_type, shape = ports.get(name, (None, None))  # a name that is wrong is what C complains of
        return _Memory(array, data_type, shape, "the array %r" % (name,), writable)

    def dispatch(self, graph: "MLGraph", inputs, outputs) -> None:
        """Runs the graph over tensors by name."""
        with self._lock:
            handle = _of(MLGraph, graph, "graph")
            lists = [[(name, _of(MLTensor, t, "tensor %r" % (name,))) for name, t in dict(d).items()] for d in (inputs, outputs)]
            ins, outs = (_named("webnn_named_tensor", pairs) for pairs in lists)
            _call(_library.webnn_dispatch, self._get(), handle, ins, len(lists[0]), outs, len(lists[1]))

    def op_support_limits(self) -> dict:
        """What the context takes, by the names of the specification, and each operator's operands."""
        with self._lock:
            limits, found = _C.types["webnn_limits"](), _C.types["webnn_operator_limits"]()
            _library.webnn_context_limits(self._get(), ctypes.addressof(limits))
            layouts = {value: name for name, value in _C.enums["webnn_input_operand_layout"].items()}
            made = {"preferredInputLayout": layouts[limits.preferred_input_layout],
                    "maxTensorByteLength": limits.max_tensor_byte_length}
            made.update((name, _limits(getattr(limits, name))) for name in ("input", "constant", "output"))
            for op in range(len(_C.enums["webnn_op"])):
                if _library.webnn_op_limits(self._get(), op, ctypes.addressof(found)):
                    made[found.name.decode()] = {operand.name.decode(): _limits(operand)
                                                 for operand in found.operands[: found.operand_count]}
        return made

    def wait(self) -> None:
        with self._lock:
            _call(_library.webnn_wait, self._get())


def _port(ports, name, what):
    if name not in ports:
        raise TypeError_('compute: the graph has no %s "%s"' % (what, name))
    return ports[name]


def _limits(limits):
    return {"dataTypes": [name for value, name in _DATA_TYPES.items() if limits.data_types >> value & 1],
            "rankRange": {"min": limits.min_rank, "max": limits.max_rank}}


def _named(struct, pairs):
    """An array of structs of a name and a handle, or memory."""
    array = (_C.types[struct] * max(len(pairs), 1))()
    for entry, (name, value) in zip(array, pairs):
        entry.name = _text(name, "a name")
        if isinstance(value, _Memory):
            entry.data, entry.byte_length = value.address, value.byte_length
        else:
            setattr(entry, entry._fields_[1][0], value)
    return array


class MLTensor(_Object):
    """MLTensor: memory that graphs read and write."""

    _free = "webnn_free_tensor"

    @property
    def data_type(self) -> str:
        return _DATA_TYPES[_library.webnn_tensor_data_type(self._get())]

    @property
    def shape(self) -> list:
        return _shape_of(_library.webnn_tensor_shape(self._get()))

    @property
    def size(self) -> int:
        """The number of elements."""
        return functools.reduce(operator.mul, self.shape, 1)

    @property
    def readable(self) -> bool:
        return _library.webnn_tensor_readable(self._get())

    @property
    def writable(self) -> bool:
        return _library.webnn_tensor_writable(self._get())


class MLOperand:
    """MLOperand: a value of a graph that is being built."""

    def __init__(self, builder, handle):
        self._builder, self._handle = builder, handle

    def _get(self):
        self._builder._get()  # operands belong to it
        return self._handle

    @property
    def data_type(self) -> str:
        return _DATA_TYPES[_library.webnn_operand_data_type(self._get())]

    @property
    def shape(self) -> Optional[list]:
        """Of a dimension that is open its name, or None for one without a name. None: not even the rank is known."""
        named = functools.partial(_library.webnn_dimension_name, self._builder._get())
        return _shape_of(_library.webnn_operand_shape(self._get()), named)

    def __repr__(self):
        try:
            return "<webnn.MLOperand %s %s>" % (self.data_type, self.shape)
        except Error:
            return "<webnn.MLOperand of a closed builder>"


class MLGraphBuilder(_Object):
    """MLGraphBuilder. Operators are its methods."""

    _free = "webnn_free_builder"

    def __init__(self, handle, lock, context):
        super().__init__(handle, lock, context)
        self._borrowed = []

    def _refuse_if_failed(self):
        status = _library.webnn_builder_status(self._get())
        if status:
            message = _library.webnn_builder_message(self._get()).decode("utf-8", "replace")
            _library.webnn_builder_clear_error(self._get())
            _raise(status, message)

    def _made(self, handle):
        if handle is None:
            self._refuse_if_failed()
        return MLOperand(self, handle)

    def input(self, name: str, shape: Sequence[Dimension], data_type="float32") -> MLOperand:
        """An input. In its shape a name, or None, is a dynamic dimension."""
        with self._lock:
            return self._made(_library.webnn_input(self._get(), _text(name, "the name"), _descriptor(data_type, shape, self)))

    def donate(self, input: MLOperand, output: MLOperand) -> MLOperand:
        """Gives an input's tensor to an output of the same type and shape, which may then be bound to both."""
        with self._lock:
            made = _library.webnn_donate(self._get(), _operand(input, "input"), _operand(output, "output"))
            if made is None:
                self._refuse_if_failed()
            return output

    def constant(self, value, shape=None, data_type=None, copy: bool = True) -> MLOperand:
        """A constant of an array, or of a number and a data type. Without a copy the array must not change."""
        with self._lock:
            if isinstance(value, (int, float)) or (numpy is not None and isinstance(value, numpy.generic)):
                kind = _enumerator("webnn_data_type", data_type or getattr(value, "dtype", "float32"), "data_type")
                return self._made(_library.webnn_constant_from_number(self._get(), kind, _number(value, "the number")))
            if data_type is not None:
                data_type = _DATA_TYPES[_enumerator("webnn_data_type", data_type, "data_type")]
            if isinstance(value, (list, tuple)) and numpy is not None:
                value = _Memory.by_numpy(value, data_type or "float32", "the list")
            memory = _Memory(value, data_type, shape, "the array")
            named = data_type or next((n for n, code in _FORMATS.items() if code == memory.code), None)
            descriptor = _descriptor(named, memory.shape if shape is None else shape)
            if not copy:
                self._borrowed.append(memory)
            function = _library.webnn_constant if copy else _library.webnn_constant_over_memory
            return self._made(function(self._get(), descriptor, memory.address, memory.byte_length))

    def build(self, outputs) -> "MLGraph":
        with self._lock:
            pairs = [(name, _operand(operand, "output %r" % (name,))) for name, operand in dict(outputs).items()]
            array = _named("webnn_named_operand", pairs)
            handle = _make(_library.webnn_build, self._get(), array, len(pairs))
            return MLGraph(handle, self._lock, self._kept, self._borrowed)


class MLGraph(_Object):
    """MLGraph: what build has made. str(graph) prints it."""

    _free = "webnn_free_graph"

    def _ports(self, function):
        with self._lock:
            count = function(self._get(), None, 0)
            ports = (_C.types["webnn_graph_port"] * max(count, 1))()
            function(self._get(), ctypes.addressof(ports), count)
            named = functools.partial(_library.webnn_graph_dimension_name, self._get())
            return {port.name.decode(): (_DATA_TYPES[port.descriptor.data_type], _shape_of(port.descriptor.shape, named))
                    for port in ports[:count]}

    @functools.cached_property
    def is_open(self) -> bool:
        """Are sizes of inputs or outputs not known?"""
        return any(_is_open(shape) for ports in (self.inputs, self.outputs) for _, shape in ports.values())

    def compute_shapes(self, shapes) -> dict:
        """{name: shape} of the outputs for inputs of these shapes, {name: shape}. Nothing is run."""
        kind = _C.types["webnn_named_shape"]
        with self._lock:
            given, outputs = dict(shapes), self.outputs
            ins, outs = (kind * max(len(given), 1))(), (kind * max(len(outputs), 1))()
            for entry, (name, shape) in zip(ins, given.items()):
                entry.name, entry.shape = _text(name, "a name"), _list_of("webnn_list", shape, "the shape of %r" % (name,))
            _call(_library.webnn_compute_shapes, self._get(), ctypes.addressof(ins), len(given), ctypes.addressof(outs), len(outputs))
            return {entry.name.decode(): _shape_of(entry.shape) for entry in outs[: len(outputs)]}

    @functools.cached_property
    def inputs(self) -> dict:
        """{name: (data type, shape)}"""
        return self._ports(_library.webnn_graph_inputs)

    @functools.cached_property
    def outputs(self) -> dict:
        """{name: (data type, shape)}"""
        return self._ports(_library.webnn_graph_outputs)

    def get_input_names(self) -> list:
        return list(self.inputs)

    def get_output_names(self) -> list:
        return list(self.outputs)

    def _written(self, function):
        pieces = []
        write = _WRITER(lambda user, text, length: pieces.append(ctypes.string_at(text, length)))
        with self._lock:
            function(self._get(), ctypes.cast(write, ctypes.c_void_p), None)
        return b"".join(pieces).decode("utf-8", "replace")

    def __str__(self):
        return "a closed graph" if self._handle is None else self._written(_library.webnn_print_graph)

    def dot(self) -> str:
        """The graph for Graphviz."""
        return self._written(_library.webnn_print_graph_dot)

    def steps(self) -> str:
        """How the graph runs, one line for each step: its kernel, phases and memory, and why other kernels do not run it."""
        return self._written(_library.webnn_print_steps)

    def start_profile(self, on: bool = True) -> None:
        """Measures each step of later runs, or stops."""
        with self._lock:
            _call(_library.webnn_profile_graph, self._get(), bool(on))

    def profile(self) -> str:
        """What was measured, as a table."""
        return self._written(_library.webnn_print_profile)

    @property
    def memory(self) -> dict:
        """Bytes, by the members of webnn_memory."""
        found = _library.webnn_graph_memory(self._get())
        return {name: getattr(found, name) for name, _ in found._fields_}


_WRITER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

# ---- Operators, made of their declarations -----------------------------------------------------------------------


_SHAPES = {"new_shape"}  # lists that may have dynamic dimensions


class _Method:
    """How one function of the builder is called: its arguments, options and results."""

    def __init__(self, name):
        self.function, self.name = "webnn_" + name, name
        returns, parameters = _C.functions[self.function]
        self.arguments, self.options, self.outputs = [], None, returns == "size_t"
        i = 1
        while i < len(parameters):
            kind, stars, parameter = parameters[i]
            if kind.endswith("_options"):
                self.options = kind
            elif stars and i + 1 < len(parameters) and parameters[i + 1][2].endswith("_count"):
                self.arguments.append((kind, True, parameter))  # an array and its length
                i += 1
            elif not (kind == "webnn_operand" and stars == 2):
                self.arguments.append((kind, False, parameter))
            i += 1
        # An operand may stand in place of the option of its name.
        taken = {parameter for _, _, parameter in self.arguments}
        self.keywords = {k: m for k, m in (_members(self.options).items() if self.options else []) if k not in taken}

    def call(self, builder, given, options):
        keep, arguments = [], []
        for (kind, is_array, what), value in zip(self.arguments, given):
            if is_array:
                values = _sequence(value, what)
                item = ctypes.c_void_p if kind == "webnn_operand" else ctypes.c_uint32
                convert = _operand if kind == "webnn_operand" else _size
                array = (item * max(len(values), 1))(*[convert(v, what) for v in values])
                keep.append(array)
                arguments += [ctypes.addressof(array), len(values)]
            else:
                arguments.append(_operand(value, what) if kind == "webnn_operand" else
                                 _list_of(kind, value, what, builder) if kind == "webnn_list" and what in _SHAPES else
                                 _C.types[kind]() if kind == "webnn_list" and value is None else _value(kind, value, what))
        if self.options:
            arguments.append(_options(self.options, options, self.name, keep))
        if not self.outputs:
            return builder._made(getattr(_library, self.function)(builder._get(), *arguments))
        outputs = (ctypes.c_void_p * 8192)()  # the most that a split has
        count = getattr(_library, self.function)(builder._get(), *arguments, ctypes.addressof(outputs))
        if count == 0:
            builder._refuse_if_failed()
        return [MLOperand(builder, outputs[i]) for i in range(count)]

    def signature(self):
        kinds = {"webnn_operand": "MLOperand", "webnn_list": "Sequence[int]", "uint32_t": "int"}
        empty = inspect.Parameter.empty
        parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        for kind, is_array, what in self.arguments:
            hint = "Sequence[Dimension]" if kind == "webnn_list" and what in _SHAPES else kinds.get(kind, "str")
            hint = "Sequence[%s]" % hint if is_array else hint
            parameters.append(inspect.Parameter(what, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=hint, default=empty))
        for keyword, (_, kind, _) in self.keywords.items():
            parameters.append(inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None,
                                                annotation="Optional[%s]" % _HINTS.get(kind, "str")))
        return inspect.Signature(parameters, return_annotation="List[MLOperand]" if self.outputs else "MLOperand")

    def documentation(self):
        lines = [_C.notes.get(self.function, "")]
        for keyword, (member, _, is_opposite) in self.keywords.items():
            note = _C.notes.get((self.options, member))
            if note and not is_opposite:
                lines.append("%s: %s" % (keyword, note))
        return "\n".join(lines)


_HINTS = {"webnn_operand": "MLOperand", "webnn_list": "Sequence[int]", "webnn_float_list": "Sequence[float]",
          "webnn_activation_list": "Sequence[str]", "webnn_number": "float", "uint32_t": "int", "int32_t": "int",
          "bool": "bool", "double": "float"}


def _add_operator(name):
    own, sizes = _Method(name), "webnn_%s_sizes" % name in _C.functions and _Method(name + "_sizes")
    signature = own.signature()

    def method(self, *arguments, **keywords):
        names = [what for _, _, what in own.arguments]
        options = dict(keywords)
        if len(arguments) > len(names):
            raise TypeError_("%s takes %d arguments, %d are given" % (name, len(names), len(arguments)))
        for what in names[len(arguments):]:
            if what not in options:
                raise TypeError_("%s lacks the argument %r" % (name, what))
            arguments += (options.pop(what),)
        chosen = sizes if sizes and isinstance(arguments[-1], collections.abc.Iterable) else own
        with self._lock:
            return chosen.call(self, arguments, options)

    method.__name__, method.__qualname__ = name, "MLGraphBuilder." + name
    method.__doc__, method.__signature__ = own.documentation(), signature
    method.__annotations__ = {p.name: p.annotation for p in list(signature.parameters.values())[1:]}
    setattr(MLGraphBuilder, name, method)


def _is_operator(name):
    returns, parameters = _C.functions[name]
    return (parameters[:1] == [("webnn_builder", 1, "builder")] and returns in ("webnn_operand*", "size_t") and
            not name.endswith("_sizes") and any(kind.endswith("_options") for kind, _, _ in parameters))


OPERATORS = [name[len("webnn_"):] for name in _C.functions if _is_operator(name)]
for _name in OPERATORS:
    _add_operator(_name)

# ---- Comparing ---------------------------------------------------------------------------------------------------

Comparison = collections.namedtuple("Comparison", [name for name, _ in _C.types["webnn_comparison"]._fields_])


def compare(actual, expected, ulp=None, atol=None, data_type=None) -> Comparison:
    """Compares two arrays of a type, allowing `ulp` units in the last place, or an absolute difference."""
    first = _Memory(actual, data_type, None, "actual")
    named = data_type or next((n for n, code in _FORMATS.items() if code == first.code), None)
    kind = _enumerator("webnn_data_type", named, "data_type")
    second = _Memory(expected, named, None, "expected")
    if first.byte_length != second.byte_length or first.shape != second.shape:
        raise TypeError_("the shapes %r and %r differ" % (first.shape, second.shape))
    if ulp is not None and atol is not None:
        raise TypeError_("a tolerance is ulp or atol")
    tolerance = _C.types["webnn_tolerance"]()
    tolerance.metric = _C.enums["webnn_tolerance_metric"]["atol" if atol is not None else "ulp"]
    tolerance.value = _double(atol if atol is not None else ulp or 0, "the tolerance")
    count = first.byte_length * 8 // _library.webnn_data_type_bits(kind)
    found = _library.webnn_compare(kind, first.address, second.address, count, tolerance)
    return Comparison(*[getattr(found, name) for name in Comparison._fields])


# ---- ONNX --------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _onnx():
    header = _find_header("webnn_onnx.h")
    declarations = _Declarations(header, _C)
    library = ctypes.CDLL(_compile(header, "WEBNN_ONNX_IMPLEMENTATION", [_HEADER], [_library._name]))
    declarations.declare(library)
    return declarations, library


class Model(_Object):
    """An ONNX model, built as a graph: model(x=array) runs it and returns a dictionary of its outputs.

    A graph has no inputs and outputs without elements. The model has them; where all outputs are such, graph is None."""

    @property
    def inputs(self) -> dict:
        """{name: (data type, shape)}"""
        return {**(self.graph.inputs if self.graph is not None else {}), **self._empty_inputs}

    @property
    def outputs(self) -> dict:
        """{name: (data type, shape)}"""
        return {**(self.graph.outputs if self.graph is not None else {}), **self._empty_outputs}

    def __call__(self, inputs=None, **by_name) -> dict:
        self._get()
        given = dict(inputs or {})
        given.update(by_name)
        for name in [name for name in given if name in self._empty_inputs]:
            _Memory(given.pop(name), *self._empty_inputs[name], "the array %r" % (name,))
        results = {name: _empty(*described) for name, described in self._empty_outputs.items()}
        if self.graph is not None:
            results.update(self.context.compute(self.graph, given))
        elif given:
            raise TypeError_("the model has no input %r" % next(iter(given)))
        return results

    def close(self) -> None:
        """Frees the graph, then the model, whose weights the graph borrows."""
        with self._lock:
            if self.__dict__.get("graph") is not None:
                self.graph.close()
            handle, self._handle = self._handle, None
            if handle is not None:
                _onnx()[1].webnn_onnx_free(handle)


def load(path, context=None, dimensions=None, default_size=0, fixed: bool = False, **options) -> Model:
    """Opens an ONNX model. dimensions: {name: size}; default_size: of others that have none. Dimensions without either stay
    open, and the model takes arrays of any sizes that fit; fixed: they are refused. Other options are those of
    create_context."""
    declarations, library = _onnx()
    given, sizes = declarations.types["webnn_onnx_options"](), dict(dimensions or {})
    array = (declarations.types["webnn_onnx_dimension"] * max(len(sizes), 1))()
    for entry, (name, size) in zip(array, sizes.items()):
        entry.name, entry.size = _text(name, "a dimension"), _integer(size, "dimension %r" % (name,))
    given.dimensions, given.dimension_count = ctypes.addressof(array), len(sizes)
    given.default_size, given.fixed = _integer(default_size, "default_size"), bool(fixed)
    if context is None:
        context = create_context(**options)
    elif not isinstance(context, MLContext) or options:
        raise TypeError_("context must be a webnn.MLContext, and has its own options")
    name = _text(os.fspath(path), "the path")
    handle = _make(library.webnn_onnx_open, name, ctypes.addressof(given))
    model = Model(handle, context._lock)
    model.context, model.graph = context, None
    with context._lock:
        made = _make(library.webnn_onnx_build, handle, context._get())
    if made is not None:
        model.graph = MLGraph(made, context._lock, context, model)
    model._empty_inputs, model._empty_outputs = (
        _empty_ports(declarations, function, handle) for function in (library.webnn_onnx_inputs, library.webnn_onnx_outputs))
    return model


def _empty_ports(declarations, function, model):
    count = function(model, None, 0)
    ports = (declarations.types["webnn_onnx_port"] * max(count, 1))()
    function(model, ctypes.addressof(ports), count)
    return {port.name.decode(): (_DATA_TYPES[port.descriptor.data_type], _shape_of(port.descriptor.shape))
            for port in ports[:count] if port.is_empty}


def _signature(function):
    """With annotations, which are text, as they stand in a declaration."""
    text = re.sub(r"\"'(\w+)'\"", r"'\1'", str(inspect.signature(function)))
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)


def stubs() -> str:
    """The builder's methods with types and documentation, as a .pyi file."""
    lines = ["# Made by webnn.py --stubs.", "from typing import Any, Dict, List, Optional, Sequence, Tuple, Union", "",
             "Dimension = Union[int, str, None]  # a size; a name, or None, for one that is open", ""]
    for kind in (Error, TypeError_, *(_ERRORS[n] for n in _ERRORS if n > 1)):
        lines.append("class %s(%s): ..." % (kind.__name__, ", ".join(base.__name__ for base in kind.__bases__)))
    for kind in (MLOperand, MLTensor, MLGraph, MLGraphBuilder, MLContext, ML, Model):
        lines += ["", "class %s:" % kind.__name__]
        for base in (_Object, kind) if issubclass(kind, _Object) else (kind,):
            for name, value in vars(base).items():
                if isinstance(value, (property, functools.cached_property)):
                    get = value.fget if isinstance(value, property) else value.func
                    lines += ["    @property", "    def %s(self) -> %s: ..." % (name, get.__annotations__.get("return", "Any"))]
                elif callable(value) and (not name.startswith("_") or name in ("__call__", "__enter__", "__exit__")):
                    lines.append("    def %s%s:" % (name, _signature(value)))
                    lines += ["        %r" % (value.__doc__ or ""), "        ..."]
    for function in (create_context, compare, load):
        lines.append("def %s%s: ..." % (function.__name__, _signature(function)))
    return "\n".join(lines) + "\n"


__all__ = ["ML", "Comparison", "Error", "MLContext", "MLGraph", "MLGraphBuilder", "MLOperand", "MLTensor", "Model",
           "OPERATORS", "compare", "create_context", "load", "stubs"] + [kind.__name__ for kind in _ERRORS.values()]

if __name__ == "__main__" and sys.argv[1:] == ["--stubs"]:
    print(stubs(), end="")
