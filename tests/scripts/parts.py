"""The parts of the project that coverage.py and mutation.py judge: files, objects that are compiled from them, and
the programs that test them.

A part is a header or the command. Its objects are linked with each of its programs, but for those that include an
implementation themselves. A script tests the command, which is all objects in one program.
"""
import ctypes.util
import glob
import os
import shutil
import signal
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
ROOT = os.path.dirname(TESTS)
FOLDERS = ["common", "interface", "reference", "fast", "fuzz"]
HEADERS = "examples/headers/"
COMMAND = "examples/webnn/"
# Programs of webnn.h that include its implementation.
INSIDE = {"inside", "fast_products", "fast_quantized", "fast_attention", "reference_steps", "fast_vocabulary",
          "allocations_each", "backend", "exact"}


class Object:
    """What is compiled from a source of the project; the files whose counts it has."""

    def __init__(self, name, source, implementations=(), holds=None):
        self.name, self.source, self.holds = name, source, set(holds or [source])
        self.flags = ["-D%s_IMPLEMENTATION" % part for part in implementations]


class Program:
    """A test program, by the name of its source, or a script; with the arguments of each of its runs by coverage.py
    and by mutation.py, the chapters of the part in which a change concerns it (None: all), and the seconds that each
    run takes at least."""

    def __init__(self, name, coverage=((),), mutation=((),), chapters=None, inside=False, environment=None, flags=(),
                 least=0):
        self.name, self.coverage, self.mutation, self.chapters = name, coverage, mutation, chapters
        self.inside, self.environment, self.flags = inside, environment or {}, list(flags)
        self.least = least
        self.is_script = name.endswith(".sh")


class Part:
    def __init__(self, name, files, objects, programs, flags=(), mutation_flags=(), command=False,
                 missing=lambda: None):
        self.name, self.files, self.objects, self.programs = name, files, objects, programs
        self.flags, self.mutation_flags, self.missing = list(flags), list(mutation_flags), missing
        self.command = command
        self.beside = [LIBRARY] if command else []  # compiled, too, for the scripts, and not linked


# ---- webnn.h ------------------------------------------------------------------------------------

# First those that notice most and take least.
LIBRARY_PROGRAMS = [
    Program("shapes"), Program("printed"), Program("comparisons"), Program("steps"), Program("lists"),
    Program("emulations"), Program("api"),
    Program("conformance", coverage=((), ("reference",), ("unaligned",)), mutation=((), ("reference",))),
    Program("validation"), Program("passes", coverage=(("100",),), mutation=(("40",),)),
    Program("near_misses", coverage=(("100",),), mutation=(("20",),)), Program("allocations")]
# For the chapters that compile, compute and run fast graphs.
FAST_CHAPTERS = {12, 13, 14, 15}
LIBRARY_PROGRAMS += [
    Program(name, coverage=(few or (),), mutation=(rounds or (),), chapters=FAST_CHAPTERS, inside=name in INSIDE)
    for name, few, rounds in [
        ("fast_rows", None, None), ("fast_recurrent", ("5",), ("10",)), ("fast_elementwise", None, None),
        ("fast_movement", None, None), ("fast_tiles", ("10",), ("25",)), ("fast_products", ("5",), ("10",)),
        ("fast_quantized", ("5",), ("10",)), ("fast_packed", None, None), ("fast_attention", None, None), ("fast_vocabulary", None, None),
        ("allocations_each", None, ("20",)), ("backend", None, ("20",))]]
LIBRARY_PROGRAMS += [Program("exact", coverage=(("500",),), mutation=(), inside=True),
                     Program("exact_sums", coverage=(("4",),), mutation=()),
                     Program("exact_operators", coverage=(("150",),), mutation=())]


def library_programs():
    """Those above and the others of the Makefile, which has them in PROGRAMS; coverage alone runs these."""
    names = {program.name for program in LIBRARY_PROGRAMS}
    return LIBRARY_PROGRAMS + [Program(name, mutation=(), inside=name in INSIDE)
                               for name in os.environ.get("PROGRAMS", "").split() if name not in names]


# ---- The headers of examples/headers ------------------------------------------------------------

LIBRARY = Object("webnn", "webnn.h", ["WEBNN"])
COMPANIONS = [
    Object("networks", HEADERS + "webnn_stablehlo.h", ["WEBNN_XLA", "WEBNN_STABLEHLO"],
           [HEADERS + "webnn_stablehlo.h", HEADERS + "webnn_xla.h", HEADERS + "webnn_extra.h"]),
    Object("onnx", HEADERS + "webnn_onnx.h", ["WEBNN_ONNX"], [HEADERS + "webnn_onnx.h", HEADERS + "webnn_extra.h"]),
    Object("onnx_write", HEADERS + "webnn_onnx_write.h", ["WEBNN_ONNX_WRITE"]),
    Object("weights", HEADERS + "webnn_weights.h", ["WEBNN_WEIGHTS"])]
MODULES = (("networks/modules",),)
ONNX_DATA = os.environ.get("WEBNN_ONNX_DATA", "/usr/share/libonnx-testdata/data")
ONNX_PROGRAMS = [Program("onnx_types"), Program("onnx_cases"), Program("onnx_forms"), Program("onnx_malformed"),
                 Program("onnx_order"), Program("onnx_values"), Program("onnx_sizes"),
                 Program("onnx_backend", coverage=((ONNX_DATA,),), mutation=())]
XLA_PROGRAMS = [Program("xla"), Program("xla_products"), Program("xla_folds")]
STABLEHLO_PROGRAMS = [Program("stablehlo"), Program("by_hand"), Program("malformed", MODULES, MODULES),
                      Program("programs", MODULES, MODULES)]


def companion(name, programs):
    return Part(name, [HEADERS + name], [LIBRARY] + COMPANIONS, programs, ["-DWEBNN_NO_SIMD"])


# ---- webnn_vulkan.h -----------------------------------------------------------------------------


def vulkan_drivers():
    """Lavapipe's file for the loader, or what DRIVERS=system leaves to the loader."""
    if os.environ.get("DRIVERS") == "system":
        return {}
    path = next(iter(sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))), "")
    return {"VK_ICD_FILENAMES": path, "WEBNN_VULKAN_DRIVERS": path}


def vulkan_missing():
    if not os.path.exists("/usr/include/vulkan/vulkan_core.h"):
        return "no Vulkan headers (Debian: libvulkan-dev)"
    if not ctypes.util.find_library("vulkan"):
        return "no Vulkan loader (Debian: libvulkan1)"
    if vulkan_drivers().get("VK_ICD_FILENAMES") == "":
        return "no lavapipe (Debian: mesa-vulkan-drivers)"
    return None


def vulkan_loader():
    """The system's, as a path; "" if ldconfig does not know it."""
    ldconfig = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    listed = subprocess.run([ldconfig, "-p"], capture_output=True, text=True).stdout if ldconfig else ""
    return next((line.split("=> ")[1] for line in listed.splitlines() if "libvulkan.so.1 " in line), "")


def vulkan_profiles():
    """The arguments of `profiles`: a loader of the tests' own (make builds it), and devices, the least first."""
    devices = sorted(glob.glob(os.path.join(TESTS, "vulkan", "profiles", "*.txt")))
    devices.sort(key=lambda path: os.path.basename(path) != "least.txt")
    return (os.path.join(TESTS, "build", "vulkan", "loader", "libvulkan.so.1"), *devices)


def vulkan_program(name, coverage=((),), mutation=((),), chapters=None, least=0, **environment):
    flags = [] if name in ("kernel_language", "runtime", "profiles") else ["-DWEBNN_TEST_VULKAN"]
    return Program(name, coverage, mutation, chapters, True, dict(vulkan_drivers(), **environment), flags, least)


VULKAN_PROGRAMS = [
    vulkan_program("kernel_language", chapters={10}), vulkan_program("conformance"),
    vulkan_program("passes", (("100",),), (("10",),)), vulkan_program("products"),
    vulkan_program("runtime", (("50",),), (("3",),), chapters={4, 5, 6, 7, 8, 9}),
    vulkan_program("kernels", least=45, CASES="2"),
    vulkan_program("validation_recordings", mutation=()),
    vulkan_program("profiles", (vulkan_profiles(),), (), WEBNN_PROFILE_LOADER=vulkan_loader())]

# ---- The command --------------------------------------------------------------------------------


def command_files(pattern):
    paths = glob.glob(os.path.join(ROOT, COMMAND, pattern)) + glob.glob(os.path.join(ROOT, COMMAND, "*", pattern))
    return sorted(os.path.relpath(path, ROOT) for path in paths)


def command_objects():
    sources = [path for path in command_files("*.c") if not path.endswith("/headers.c")]
    return [Object("command/" + path[len(COMMAND):-2], path) for path in sources]


# The functions of oracle.sh but for those that take longest, in its order: later ones take files of earlier ones.
QUICK_EXACT = tuple("""test_operators test_stablehlo test_onnx test_limits test_blocks test_small test_orders
  test_tolerances test_formats test_given test_fast test_vectors test_arithmetic test_cancelling_network
  test_float32_sums test_cancelling_operators test_uncancelled test_malformed test_unsigned_longs
  test_true_by_default test_long_lists test_truncated test_text test_spellings test_inputs test_npy test_weights
  test_malformed_text test_truncated_text test_output_names test_repeated test_byte_order_marks""".split())


def command_programs():
    return [Program("scripts/oracle.sh", mutation=(QUICK_EXACT,), least=20),
            Program("scripts/networks.sh", least=200),
            Program("scripts/oracle.sh", coverage=(), least=200)]


def command_part():
    objects = command_objects()
    return Part("webnn", [file for file in command_files("*.[ch]") if not file.endswith("/headers.c")],
                COMPANIONS + objects, command_programs(), command=True)


def parts():
    """All parts, by the name that HEADER has."""
    found = [
        Part("webnn.h", ["webnn.h"], [LIBRARY], library_programs(), mutation_flags=["-DWEBNN_NO_SIMD"]),
        companion("webnn_onnx.h", ONNX_PROGRAMS),
        companion("webnn_onnx_write.h", [Program("onnx_write")]),
        companion("webnn_stablehlo.h", STABLEHLO_PROGRAMS + [Program(name.name, mutation=()) for name in XLA_PROGRAMS]),
        companion("webnn_xla.h", XLA_PROGRAMS + [STABLEHLO_PROGRAMS[-1]] +
                  [Program(p.name, p.coverage, ()) for p in STABLEHLO_PROGRAMS[:-1]]),
        companion("webnn_weights.h", [Program("weights")]),
        companion("webnn_extra.h", [Program("onnx_types"), Program("onnx_cases"), Program("xla")]),
        Part("webnn_vulkan.h", ["webnn_vulkan.h"], [], VULKAN_PROGRAMS,
             ["-Ivulkan", "-DWEBNN_NO_FAST_KERNELS"], missing=vulkan_missing),
        command_part()]
    return {part.name: part for part in found}


# ---- Compiling and running ----------------------------------------------------------------------


def source_of(name):
    folders = FOLDERS + ["networks", "vulkan", "."]
    return next(path for path in (os.path.join(folder, name + ".c") for folder in folders)
                if os.path.exists(os.path.join(TESTS, path)))


class Workshop:
    """A folder in which a part is compiled from a tree of its files, by a compiler and flags."""

    def __init__(self, part, folder, compiler, flags, tree=ROOT, counts=()):
        self.part, self.folder, self.tree, self.counts = part, folder, tree, list(counts)
        self.compiler, self.flags = compiler, flags
        self.includes = ["-I" + path for path in [tree, os.path.join(tree, HEADERS)] + FOLDERS + ["networks"]]
        self.libraries = ["-pthread"] + (["-ldl"] if part.name == "webnn_vulkan.h" else []) + ["-lm"]
        for path in (folder, os.path.join(TESTS, "build", "networks")):  # where programs of networks/ write
            os.makedirs(path, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def compile(self, arguments):
        return [self.compiler] + self.flags + self.includes + ["-DWEBNN_INSTRUCTION_SETS=63"] + arguments

    def compile_object(self, unit):
        """The command that compiles an object, and writes beside it which files it is made of."""
        output = self.path(unit.name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        counts = self.counts if unit.holds & set(self.part.files) else []
        return self.compile(counts + unit.flags + ["-MMD", "-MF", output + ".d", "-c", "-x", "c",
                                                   os.path.join(self.tree, unit.source), "-o", output + ".o"])

    def objects(self):
        return [self.path(unit.name + ".o") for unit in self.part.objects]

    def link_command(self):
        """Links the command; its second name and its page lie beside it."""
        return [self.compiler] + self.counts + self.objects() + ["-o", self.path("webnn")] + self.libraries

    def give_names(self):
        for name, of in (("webnn-oracle", self.path("webnn")), ("operators.md", os.path.join(ROOT, "docs/operators.md"))):
            if os.path.lexists(self.path(name)):
                os.remove(self.path(name))
            (os.link if name == "webnn-oracle" else os.symlink)(of, self.path(name))

    def compile_test(self, program):
        """The command that compiles a program which does without the inside of the part, to an object."""
        return self.compile(["-DWEBNN_TEST_LINKED", "-c", source_of(program.name), "-o", self.path(program.name + "_test.o")])

    def build(self, program, test=None, more=()):
        """The command that makes a program, from the object of `test` or, with its implementation inside, from its source."""
        what = self.counts + program.flags + [source_of(program.name)] if program.inside else [test] + self.objects() + self.counts
        build = self.compile(what) if program.inside else [self.compiler] + what
        return build + ["-o", self.path(program.name)] + list(more) + self.libraries

    def run(self, program, arguments):
        """The command that runs a program, and its environment."""
        environment = dict(os.environ, **program.environment)
        if program.is_script:
            environment.update(BUILT=os.path.relpath(self.folder, TESTS), CC=self.compiler,
                               CFLAGS=" ".join(["-O0"] + self.counts))
            return ["sh", program.name] + list(arguments), environment
        return [self.path(program.name)] + list(arguments), environment


def run(arguments, seconds=None, **more):
    """Runs a command with its children: (exit status, or None if it took longer; what it printed)."""
    process = subprocess.Popen(arguments, cwd=TESTS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True, **more)
    try:
        printed, _ = process.communicate(timeout=seconds)
        return process.returncode, printed.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def missing(part, tools):
    """Why a part cannot be judged here, or None."""
    for tool in tools:
        if shutil.which(tool) is None:
            return "there is no %s" % tool
    return part.missing()
